// SPDX-License-Identifier: BSD-3-Clause
// The parts of the page that are words and numbers: header, verdicts, facts, summary, scenario, table of a comparison.
import { el, icon, button } from './dom.js';
import { html, number, proseHtml, symbol, run } from './rich.js';
import { tomlHtml } from './toml.js';
import * as theme from './theme.js';

/** Seconds as a person says them. */
export function duration(seconds) {
  if (!(seconds >= 0)) return '–';
  if (seconds < 1e-3) return `${html(number(seconds * 1e6, 3))} µs`;
  if (seconds < 1) return `${html(number(seconds * 1e3, 3))} ms`;
  if (seconds < 120) return `${html(number(seconds, 3))} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}

function headline(data) {
  const { summary, t, rows } = data;
  const known = (value) => value !== undefined && value !== null && value !== '';
  const items = [];
  const add = (name, value) => items.push(el('div', {}, el('dt', {}, name), el('dd', { html: value })));
  if (data.kind === 'compare') {
    const methods = new Set(rows.map(({ method }) => method));
    add('methods', html(number(methods.size)));
    add('runs', html(number(rows.length)));
    const total = rows.reduce((sum, { seconds }) => sum + (seconds > 0 ? seconds : 0), 0);
    if (total > 0) add('time of all runs', duration(total));
  }
  if (data.sweep) add('cases', html(number(data.sweep.rows)));
  if (known(summary.method)) add('method', proseHtml(summary.method));
  const lengths = summary.step_length;
  if (lengths) add('steps of', `${html(number(lengths.min, 3))} … ${html(number(lengths.max, 3))}`);
  else if (known(summary.step)) add('step', html(number(summary.step, 4)));
  const end = summary.t_end ?? t[t.length - 1];
  if (known(end)) add('span', `${html([run('t', '', true)])} = ${html(number(t[0] ?? 0, 4))} … ${html(number(end, 6))}`);
  if (known(summary.steps)) add('steps', html(number(summary.steps)));
  if (known(summary.wall_seconds)) add('wall time', duration(summary.wall_seconds));
  if (known(data.varia)) add('Varia', proseHtml(data.varia));
  return el('dl.headline', {}, items);
}

export function header(data) {
  const { status, message } = data.summary;
  const stopped = status && status !== 'done';
  return el('header', {},
    el('div.top', {}, el('span.brand', {}, 'Varia', el('span.kind', {}, { compare: 'comparison', sweep: 'sweep' }[data.kind] ?? 'report')),
      button('Light or dark', 'theme', theme.toggle, { 'data-do': 'theme' })),
    el('h1', {}, data.title), headline(data),
    stopped ? el('p.banner', { role: 'status' }, icon(status === 'failed' ? 'bad' : 'note'),
      el('span', { html: proseHtml(`${status === 'failed' ? 'The run failed' : 'The run was interrupted'}${message ? `: ${message}` : '.'}`) })) : null);
}

const WORDS = { good: 'good', note: 'to note', bad: 'not good' };

export function verdicts(list) {
  if (!list.length) return null;
  return el('section.verdicts', { 'aria-label': 'Verdicts' }, list.map(({ name = '', status = 'note', value = '', text = '' }) => {
    const kind = status in WORDS ? status : 'note';
    return el(`article.verdict.${kind}`, {},
      el('h2', {}, el('span.sign', { title: WORDS[kind] }, icon(kind), el('span.hidden', {}, `${WORDS[kind]}: `)), name),
      value === '' || value === null ? null : el('p.value', { html: proseHtml(value) }),
      el('p.text', { html: proseHtml(text) }));
  }));
}

export function facts(list) {
  const rows = list.filter((row) => Array.isArray(row) && row.length > 1);
  if (!rows.length) return null;
  return el('section', {}, el('h2', {}, 'Facts'), el('dl.facts', {}, rows.map(([name, value]) =>
    el('div', {}, el('dt', {}, String(name)), el('dd', { html: proseHtml(value) })))));
}

const MOST = 24; // entries of a list that are written out

function cell(value) {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return html(number(value, 0));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length ? value.slice(0, MOST).map(cell).join(', ') + (value.length > MOST ? `, … (${value.length})` : '') : 'none';
  return proseHtml(value);
}

const nested = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Rows of a nested object: an object inside, and each one of a list, becomes a heading with its rows indented below. */
function rowsOf(object, depth = 0) {
  const entries = Object.entries(object).flatMap(([name, value]) =>
    (Array.isArray(value) && value.length && value.every(nested) ? value.map((item, k) => [`${name}[${k + 1}]`, item]) : [[name, value]]));
  return entries.flatMap(([name, value]) => {
    const head = el('th', { scope: 'row', style: `--depth:${depth}` }, name);
    if (!nested(value)) return [el('tr', {}, head, el('td', { html: cell(value) }))];
    if (!Object.keys(value).length) return [el('tr', {}, head, el('td', {}, 'none'))];
    head.setAttribute('colspan', 2);
    return [el('tr.group', {}, head), ...rowsOf(value, depth + 1)];
  });
}

export function summary(object) {
  if (!nested(object) || !Object.keys(object).length) return null;
  return el('details', { 'data-part': 'summary' }, el('summary', {}, el('h2', {}, 'All numbers of the summary')),
    el('div.scroll', {}, el('table.summary', {}, el('tbody', {}, rowsOf(object)))));
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // not allowed for files in some browsers
    const area = el('textarea', { style: 'position:fixed;opacity:0' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

export function scenario(text) {
  if (!text) return null;
  const done = el('span.done', { role: 'status' });
  const copy = el('button.tool.wide', { type: 'button', 'data-do': 'copy' }, icon('copy'), 'Copy');
  copy.addEventListener('click', async () => {
    await copyText(text);
    done.textContent = 'copied';
    setTimeout(() => { done.textContent = ''; }, 1600);
  });
  return el('section.scenario', {}, el('div.row', {}, el('h2', {}, 'Scenario'), el('span.tools', {}, done, copy)),
    el('pre', { tabindex: 0, 'aria-label': 'Scenario text', html: `<code>${tomlHtml(text)}</code>` }));
}

export function compareTable(rows) {
  if (!rows.length) return null;
  const heads = ['method', 'step', 'steps', 'time', 'error', 'energy error', ''];
  let last = null;
  const body = rows.map((row) => {
    const first = row.method !== last;
    last = row.method;
    return el(`tr${first ? '.first' : ''}`, {},
      el('th', { scope: 'row' }, first ? [row.method, row.variational === false ? el('span.tag', {}, 'not variational') : null] : el('span.hidden', {}, row.method)),
      ...[number(row.step, 4), number(row.steps), null, number(row.error, 3, true), number(row.energy_error, 3, true)]
        .map((runs) => el('td.number', { html: runs ? html(runs) : duration(row.seconds) })),
      el('td.message', { html: proseHtml(row.message ?? '') }));
  });
  return el('section', {}, el('h2', {}, 'All runs'),
    el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': 'Table of all runs' }, el('table.runs', {}, el('thead', {}, el('tr', {}, heads.map((name, k) =>
      el(k && k < 6 ? 'th.number' : 'th', { scope: 'col' }, name)))), el('tbody', {}, body))));
}

/** What the run watched, how often it came, and when. */
export function events(list) {
  if (!Array.isArray(list) || !list.length) return null;
  const heads = ['event', 'watches', 'action', 'count', 'first', 'last listed'];
  const body = list.map(({ name, when, every, direction, action, after, count, times = [] }) => {
    const time = (t) => el('td.number', { html: t === undefined ? '–' : html(number(t, 10)) });
    const watched = when ? `${when} = 0${direction === 'both' ? '' : `, ${direction}`}` : `every ${every}`;
    return el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, watched), el('td', {}, after > 1 ? `${action}, after ${after}` : action),
      el('td.number', { html: html(number(count)) }), time(times[0]), time(times[times.length - 1]));
  });
  return el('section', {}, el('h2', {}, 'Events'),
    el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': 'Table of events' }, el('table.runs', { 'data-part': 'events' }, el('thead', {}, el('tr', {}, heads.map((head, k) =>
      el(k > 2 ? 'th.number' : 'th', { scope: 'col' }, head)))), el('tbody', {}, body))));
}

export { symbol };
