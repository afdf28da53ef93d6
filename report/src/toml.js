// SPDX-License-Identifier: BSD-3-Clause
// Light colouring of TOML: tables, keys, strings, numbers, comments.
import { escape } from './dom.js';

const TOKEN = /(?<comment>#[^\n]*)|(?<string>"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*')|(?<table>^[ \t]*\[\[?[^\]\n]+\]\]?)|(?<key>[A-Za-z0-9_.-]+(?=\s*=))|(?<number>(?<![\w.])[+-]?(?:\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+|inf|nan)(?![\w.])|\b(?:true|false)\b)/gm;

export function tomlHtml(text) {
  let out = '';
  let last = 0;
  for (const match of text.matchAll(TOKEN)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    out += `${escape(text.slice(last, match.index))}<span class="${kind}">${escape(match[0])}</span>`;
    last = match.index + match[0].length;
  }
  return out + escape(text.slice(last));
}
