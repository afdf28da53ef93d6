// SPDX-License-Identifier: BSD-3-Clause
// Builds the page into one file, dist/index.html: script and style inside, nothing loaded from anywhere.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const SLOT = '__VARIA_DATA__'; // where page.cpp puts the data; must occur exactly once

function licences() {
  const texts = ['three', 'uplot'].map(
    (name) => `${name}\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}`);
  return `<!--\nThis page contains the following libraries.\n\n${texts.join('\n\n')}\n-->\n`;
}

/** Puts every chunk and style sheet into the page and refuses a page that would still load something. */
function oneFile() {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      let html = page.source;
      for (const [name, item] of Object.entries(bundle)) {
        if (item === page) continue;
        // A function as replacement: "$&" and the like in the code stay what they are.
        const code = item.type === 'chunk' ? item.code.replaceAll('</script', '<\\/script') : item.source;
        const tag = item.type === 'chunk'
          ? new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`)
          : new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
        if (!tag.test(html)) throw new Error(`${name} has no place in the page`);
        html = html.replace(tag, '');
        html = item.type === 'chunk'
          ? html.replace('</body>', () => `<script type="module">${code.trim()}</script>\n</body>`)
          : html.replace('</head>', () => `<style>${code.trim()}</style>\n</head>`);
        delete bundle[name];
      }
      html = html.replace('<head>', () => `<head>\n${licences()}`);
      if (html.split(SLOT).length !== 2) throw new Error(`${SLOT} must occur exactly once in the page`);
      if (/<(?:script|link|img)[^>]+(?:src|href)="(?!data:)/.test(html)) throw new Error('the page still loads a file');
      page.source = html;
    },
  };
}

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    outDir: 'dist',
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    assetsInlineLimit: 1e6,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
  plugins: [oneFile()],
});
