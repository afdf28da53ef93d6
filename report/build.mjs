// SPDX-License-Identifier: BSD-3-Clause
// Builds the page into one file, dist/index.html: script and style inside, nothing loaded from anywhere.
//     node build.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const ENTRY = 'src/main.js';
const SLOT = '__VARIA_DATA__'; // where page.cpp puts the data; must occur exactly once

/** White space that shaders do not need. In the source of three.js a shader is a string with "\n" in it. Spaces before
 *  "(" and after ")" stay: in a macro they have a meaning. */
const squeeze = (shader) => shader
  .replace(/\\n(?:\\[nt]| )+/g, '\\n')
  .replace(/([([,]) +/g, '$1')
  .replace(/ +([)\]])/g, '$1')
  .replace(/ +([=*]) +/g, '$1');

const shaders = {
  name: 'shaders',
  setup: ({ onLoad }) => onLoad({ filter: /[\\/]three[\\/]build[\\/]three\.module\.js$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replace(/"(?:[^"\\\n]|\\.)*\\n(?:[^"\\\n]|\\.)*"/g, squeeze),
  })),
};

/** Script and style of the page, and the packages they were made from. */
async function bundle() {
  const result = await build({
    absWorkingDir: FOLDER, entryPoints: [ENTRY], outdir: 'dist', write: false, metafile: true,
    bundle: true, minify: true, format: 'esm', target: 'es2022', charset: 'utf8', plugins: [shaders],
    legalComments: 'none', // the licences stand in the head of the page
    logLevel: 'warning',
  });
  const text = (ending) => result.outputFiles.find(({ path }) => path.endsWith(ending)).text.trim();
  const packages = Object.keys(result.metafile.inputs)
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return { script: text('.js'), style: text('.css'), packages: [...new Set(packages)].filter(Boolean).sort() };
}

function licences(packages) {
  const texts = packages.map(
    (name) => `${name}\n${readFileSync(join(FOLDER, 'node_modules', name, 'LICENSE'), 'utf8').trim()}`);
  return `<!--\nThis page contains the following libraries.\n\n${texts.join('\n\n')}\n-->`;
}

/** Text with the one occurrence of a mark replaced. A function as replacement: "$&" and the like stay what they are. */
function replaceOnce(text, mark, replacement) {
  if (text.split(mark).length !== 2) throw new Error(`${mark} must occur exactly once in index.html`);
  return text.replace(mark, () => replacement);
}

/** Refuses a page that would break or would still load something. */
function inspect(html, script, style) {
  if (/<\/script|<!--/i.test(script)) throw new Error('the script contains a mark that ends or hides it in HTML');
  if (/<\/style/i.test(style)) throw new Error('the style contains a mark that ends it in HTML');
  if (/@import|url\((?!["']?data:)/.test(style)) throw new Error('the style still loads a file');
  if (/<(?:script|link|img)[^>]+(?:src|href)="(?!data:)/.test(html)) throw new Error('the page still loads a file');
  if (html.split(SLOT).length !== 2) throw new Error(`${SLOT} must occur exactly once in the page`);
}

const { script, style, packages } = await bundle();
let html = readFileSync(join(FOLDER, 'index.html'), 'utf8');
html = replaceOnce(html, `<script type="module" src="${ENTRY}"></script>`, `<script type="module">${script}</script>`);
html = replaceOnce(html, '</title>', `</title>\n    <style>${style}</style>`);
html = replaceOnce(html, '<head>', `<head>\n${licences(packages)}`);
inspect(html, script, style);
mkdirSync(join(FOLDER, 'dist'), { recursive: true });
writeFileSync(join(FOLDER, 'dist', 'index.html'), html);
