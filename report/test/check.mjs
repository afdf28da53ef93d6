// SPDX-License-Identifier: BSD-3-Clause
// Opens the built page with sample data from disk in Chromium and tries what a reader would do.
//     node test/check.mjs [PAGE]      PAGE: dist/index.html unless given; prints one line per check, exit code 1 if one fails
// Environment: CHROMIUM (the program), VARIA_REPORT_SHOTS (a folder for pictures of every page).
import { mkdtempSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { odd, page as fill, samples } from './samples.mjs';

const file = process.argv[2] ?? 'dist/index.html';
const template = readFileSync(file, 'utf8');
const shots = process.env.VARIA_REPORT_SHOTS;
let failures = 0;

function check(what, holds, found = '') {
  if (!holds) ++failures;
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}${holds || found === '' ? '' : `: ${found}`}`);
}

// ---- measurements inside the page ----

/** Canvases that show one colour only, or nothing. */
const blankCanvases = () => [...document.querySelectorAll('.plot canvas')].filter((canvas) => {
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
  return new Set(pixels).size < 8;
}).map((canvas) => canvas.closest('figure').dataset.plot);

/** Number of pixels of the plot that have the colour of a curve, that is, are not grey. */
const colouredPixels = (id) => [...document.querySelectorAll(`[data-plot="${id}"] .plot canvas`)].reduce((sum, canvas) => {
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let k = 0; k < data.length; k += 4) {
    if (data[k + 3] > 80 && Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60) ++count;
  }
  return sum + count;
}, 0);

/** The lowest contrast of the texts of the page against what is behind them. */
function lowestContrast() {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const light = (rgb) => rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((s, c, k) => s + c * [0.2126, 0.7152, 0.0722][k], 0);
  const behind = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const { rgb, a } = parse(getComputedStyle(n).backgroundColor);
      if (a === 1) return rgb;
    }
    return [255, 255, 255];
  };
  let lowest = { ratio: Infinity };
  const walker = document.createTreeWalker(document.getElementById('page'), NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || node.closest('.hidden, :disabled, option') || !node.getClientRects().length) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color).rgb), light(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    ++count;
    if (ratio < lowest.ratio) lowest = { ratio, text: walker.currentNode.textContent.trim().slice(0, 30) };
  }
  return { ...lowest, count };
}

const rangeOf = (page, id) => page.$eval(`[data-plot="${id}"]`, (figure) => figure.dataset.x);
const settle = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))); }));

async function areaOf(page, id) {
  const area = await page.$(`[data-plot="${id}"] .u-over, [data-plot="${id}"] .overlay`);
  await area.scrollIntoViewIfNeeded();
  return area.boundingBox();
}

// ---- what a reader does ----

async function drag(page, id, from, to) {
  const box = await areaOf(page, id);
  const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]), { steps: 4 });
  await page.mouse.move(...at(to), { steps: 4 });
  await page.mouse.up();
  await settle(page);
  return box;
}

async function tryZoom(page, name, id) {
  const before = await rangeOf(page, id);
  const box = await drag(page, id, [0.3, 0.3], [0.6, 0.7]);
  const zoomed = await rangeOf(page, id);
  const [low, high] = zoomed.split(' ').map(Number);
  const [from, to] = before.split(' ').map(Number);
  check(`${name}: drag zooms in "${id}"`, high - low < 0.75 * (to - from) && low >= from && high <= to, `${before} -> ${zoomed}`);
  check(`${name}: reset of "${id}" is on`, await page.$eval(`[data-plot="${id}"] [data-do="reset"]`, (b) => !b.disabled));
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  await settle(page);
  check(`${name}: double click restores "${id}"`, (await rangeOf(page, id)) === before, await rangeOf(page, id));
  await page.keyboard.press('+');
  await settle(page);
  const keyed = await rangeOf(page, id);
  await page.keyboard.press('0');
  await settle(page);
  check(`${name}: keys + and 0 zoom and reset "${id}"`, keyed !== before && (await rangeOf(page, id)) === before);
  await page.mouse.wheel(0, -200); // the plot was clicked: the wheel zooms
  await settle(page);
  const wheeled = await rangeOf(page, id);
  await page.click(`[data-plot="${id}"] [data-do="reset"]`);
  await settle(page);
  check(`${name}: wheel zooms and the button resets "${id}"`, wheeled !== before && (await rangeOf(page, id)) === before, wheeled);
}

async function tryLog(page, name, id) {
  const y = () => page.$eval(`[data-plot="${id}"]`, (figure) => figure.dataset.y);
  const before = await y();
  const look = () => page.$eval(`[data-plot="${id}"] canvas`, (canvas) => canvas.toDataURL());
  const picture_ = await look();
  const scale = await page.$eval(`[data-plot="${id}"]`, (figure) => figure.dataset.scale);
  const other = scale === 'log' ? 'linear' : 'log';
  await page.click(`[data-plot="${id}"] [data-value="${other}"]`);
  await settle(page);
  const after = await y();
  const changed = (await look()) !== picture_;
  check(`${name}: switch to ${other} in "${id}"`, after !== before && changed && after.split(' ').every((v) => Number.isFinite(Number(v))), after);
  check(`${name}: "${id}" still drawn`, (await page.evaluate(colouredPixels, id)) > 40);
  await page.click(`[data-plot="${id}"] [data-value="${scale}"]`);
  await settle(page);
  check(`${name}: switch back in "${id}"`, (await y()) === before, await y());
}

async function tryCursor(page, name, id) {
  const box = await areaOf(page, id);
  await page.mouse.move(box.x + box.width * 0.42, box.y + box.height * 0.5);
  await settle(page);
  const text = await page.$eval(`[data-plot="${id}"] .readout`, (node) => node.textContent);
  check(`${name}: read-out under the pointer in "${id}"`, /t = \d/.test(text), text);
}

async function trySave(page, name, id) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[data-plot="${id}"] [data-do="save"]`)]);
  const path = await download.path();
  const bytes = readFileSync(path);
  check(`${name}: PNG of "${id}"`, bytes.subarray(1, 4).toString() === 'PNG' && bytes.length > 4000 && download.suggestedFilename().endsWith('.png'), bytes.length);
  if (shots) writeFileSync(join(shots, `saved-${name.replace(/\W+/g, '-')}-${id}.png`), bytes);
}

async function tryTheme(page, name) {
  const look = () => page.evaluate(() => ({ theme: document.documentElement.dataset.theme, paper: getComputedStyle(document.body).backgroundColor }));
  const before = await look();
  check(`${name}: follows the system's theme`, before.theme === 'light', before.theme);
  for (const theme of ['dark', 'light']) {
    await page.click('[data-do="theme"]');
    await settle(page);
    const now = await look();
    const contrast = await page.evaluate(lowestContrast);
    check(`${name}: theme ${theme}`, now.theme === theme && (theme === 'light') === (now.paper === before.paper), now.paper);
    check(`${name}: contrast in ${theme} at least 4.5 (${contrast.count} texts)`, contrast.count > 20 && contrast.ratio >= 4.5, `${contrast.ratio.toFixed(2)} at "${contrast.text}"`);
    const blank = await page.evaluate(blankCanvases);
    check(`${name}: every canvas drawn in ${theme}`, blank.length === 0, blank.join(', '));
  }
}

async function trySpace(page, name) {
  const pixels = await page.evaluate(colouredPixels, 'trajectory');
  check(`${name}: trajectory in space drawn`, pixels > 1500, pixels);
  const layers = await page.$$eval('[data-plot="trajectory"] canvas', (list) => list.map((canvas) => canvas.getContext('webgl2') !== null));
  check(`${name}: drawn with WebGL`, layers[0] === true, layers.join());
  const before = await rangeOf(page, 'trajectory');
  await drag(page, 'trajectory', [0.3, 0.5], [0.7, 0.55]);
  const turned = await rangeOf(page, 'trajectory');
  check(`${name}: drag turns the view`, turned !== before);
  await page.click('[data-plot="trajectory"] [data-do="reset"]');
  await settle(page);
  const back = (await rangeOf(page, 'trajectory')).split(' ').map(Number);
  check(`${name}: reset turns it back`, before.split(' ').every((v, k) => Math.abs(v - back[k]) < 1e-6), back.join(' '));
}

async function tryPlay(page, name) {
  await page.$eval('.player input', (slider) => { slider.value = 400; slider.dispatchEvent(new Event('input')); });
  await settle(page);
  const hands = await page.$$eval('.hand', (list) => list.filter((hand) => !hand.hidden).length);
  check(`${name}: the slider puts a hand into the plots against time`, hands >= 2, hands);
  const label = () => page.$eval('.player .time', (node) => node.textContent);
  const before = await label();
  await page.click('[data-do="play"]');
  await page.waitForFunction((text) => document.querySelector('.player .time').textContent !== text, before, { timeout: 5000 }).catch(() => {});
  await page.click('[data-do="play"]');
  check(`${name}: play moves the time`, (await label()) !== before, before);
}

// ---- the run ----

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'],
});
const folder = mkdtempSync(join(tmpdir(), 'varia-report-'));
if (shots) mkdirSync(shots, { recursive: true });

async function open(name, data, width, colorScheme = 'light') {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, fill(template, data));
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const complaints = [];
  page.on('console', (message) => { if (['error', 'warning', 'assert'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`); });
  const url = pathToFileURL(path).href;
  page.on('request', (request) => { if (request.url().startsWith('file:') && request.url() !== url) complaints.push(`asked for ${request.url()}`); });
  await page.goto(url);
  await settle(page);
  return { page, complaints };
}

async function finish({ page, complaints }, name, width) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(`${name}: no overflow at ${width} px`, overflow <= 0, overflow);
  check(`${name}: no complaint, no request`, complaints.length === 0, complaints.join(' | '));
  await page.close();
}

async function picture(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name.replace(/\W+/g, '-')}.png`), fullPage: true });
}

const size = statSync(file).size;
check(`the page without data is below 900 kB (${(size / 1000).toFixed(0)} kB)`, size < 900e3);
check('the page names no other address to load', !/(?:src|href)=["']https?:|@import|url\(["']?https?:/.test(template));

try {
  for (const [kind, data] of Object.entries(samples())) {
    for (const width of [1400, 420]) {
      const name = `${kind} ${width}`;
      const opened = await open(kind, data, width);
      const { page } = opened;
      const plots = await page.$$eval('.panel', (list) => list.map((figure) => figure.dataset.plot));
      check(`${name}: the expected plots`, plots.join() === { kepler: 'trajectory,energy,momentum,phase,coordinates,observed', pendulum: 'trajectory,energy,momentum,constraint,phase,coordinates', compare: 'seconds,step,energy' }[kind], plots.join());
      const blank = await page.evaluate(blankCanvases);
      check(`${name}: every canvas drawn`, blank.length === 0, blank.join(', '));
      for (const id of plots) {
        if (id === 'trajectory' && kind === 'pendulum') continue;
        const pixels = await page.evaluate(colouredPixels, id);
        check(`${name}: curves in "${id}"`, pixels > 100, pixels);
      }
      await picture(page, name);
      if (kind === 'compare') {
        await tryZoom(page, name, 'step');
        check(`${name}: table of all runs`, (await page.$$('.runs tbody tr')).length === data.compare.rows.length);
        const marked = await page.$$eval('[data-plot="seconds"] .entry', (list) => list.filter((entry) => entry.querySelector('.dash')).map((entry) => entry.textContent));
        check(`${name}: methods that are not variational are dashed and say so`, marked.length === 2 && marked.every((text) => text.includes('not variational')), marked.join(' | '));
      } else {
        await tryCursor(page, name, 'energy');
        await tryPlay(page, name);
        if (width === 1400) await tryLog(page, name, 'momentum');
        const widthOf = () => page.$eval('[data-plot="coordinates"]', (figure) => figure.clientWidth);
        const wide = await widthOf();
        await page.click('[data-plot="coordinates"] [data-value="p"]');
        await settle(page);
        check(`${name}: the plot keeps its size`, (await widthOf()) === wide, `${wide} -> ${await widthOf()}`);
        check(`${name}: momenta instead of coordinates`, (await page.$eval('[data-plot="coordinates"] h3', (node) => node.textContent)) === 'Momenta');
      }
      await tryZoom(page, name, 'energy');
      await tryLog(page, name, 'energy');
      if (kind === 'kepler' && width === 1400) await tryZoom(page, name, 'trajectory');
      if (kind === 'pendulum') await trySpace(page, name);
      if (width === 1400) await trySave(page, name, plots[0]);
      await tryTheme(page, name);
      await finish(opened, name, width);
    }
    if (kind === 'compare' || shots) {
      const dark = await open(kind, data, 1400, 'dark');
      check(`${kind}: starts dark where the system is dark`, (await dark.page.evaluate(() => document.documentElement.dataset.theme)) === 'dark');
      await picture(dark.page, `${kind} dark`);
      await finish(dark, `${kind} dark`, 1400);
    }
  }
  for (const [kind, data] of Object.entries(odd())) {
    const name = `odd ${kind}`;
    const opened = await open(name.replace(' ', '_'), data, 420);
    const { page } = opened;
    await picture(page, name);
    for (const button of await page.$$('[data-value="log"]')) await button.click();
    await settle(page);
    check(`${name}: the page stands`, (await page.$$('h1')).length === 1 && (await page.$$('[role="alert"]')).length === 0);
    if (data.title) check(`${name}: text stays text`, (await page.textContent('h1')) === data.title);
    await finish(opened, name, 420);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
console.log(failures ? `${failures} checks FAILED` : 'all checks hold');
process.exit(failures ? 1 : 0);
