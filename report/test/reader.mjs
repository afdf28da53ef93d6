// SPDX-License-Identifier: BSD-3-Clause
// What the checks of the page share: opening a page in Chromium, measuring it, and doing what every reader does.
// Environment: CHROMIUM (the program), VARIA_REPORT_SHOTS (a folder for pictures of every page).
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { page as fill } from './samples.mjs';

export const shots = process.env.VARIA_REPORT_SHOTS;
let failures = 0;

export function check(what, holds, found = '') {
  if (!holds) ++failures;
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}${holds || found === '' ? '' : `: ${found}`}`);
}

/** The last line of the checks, and the end of the program. */
export function report() {
  console.log(failures ? `${failures} checks FAILED` : 'all checks hold');
  process.exit(failures ? 1 : 0);
}

// ---- measurements inside the page ----

/** Canvases that show one colour only, or nothing. */
export const blankCanvases = () => [...document.querySelectorAll('.plot canvas')].filter((canvas) => {
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
  return new Set(pixels).size < 8;
}).map((canvas) => canvas.closest('figure').dataset.plot);

/** Number of pixels of the plot that have the colour of a curve, that is, are not grey. */
export const colouredPixels = (id) => [...document.querySelectorAll(`[data-plot="${id}"] .plot canvas`)].reduce((sum, canvas) => {
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
export function lowestContrast() {
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

export const rangeOf = (page, id) => page.$eval(`[data-plot="${id}"]`, (figure) => figure.dataset.x);
export const settle = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))); }));

export async function areaOf(page, id) {
  const area = await page.$(`[data-plot="${id}"] .u-over, [data-plot="${id}"] .overlay`);
  await area.scrollIntoViewIfNeeded();
  return area.boundingBox();
}

// ---- what a reader does ----

export async function drag(page, id, from, to) {
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

export async function trySave(page, name, id) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[data-plot="${id}"] [data-do="save"]`)]);
  const path = await download.path();
  const bytes = readFileSync(path);
  check(`${name}: PNG of "${id}"`, bytes.subarray(1, 4).toString() === 'PNG' && bytes.length > 4000 && download.suggestedFilename().endsWith('.png'), bytes.length);
  if (shots) writeFileSync(join(shots, `saved-${name.replace(/\W+/g, '-')}-${id}.png`), bytes);
}

/** The plot saved as SVG: XML with lines and words; returns its text. */
export async function trySvg(page, name, id) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[data-plot="${id}"] [data-do="vector"]`)]);
  const text = readFileSync(await download.path(), 'utf8');
  const found = await page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
    const count = (tag) => parsed.querySelectorAll(tag).length;
    return { root: parsed.documentElement.tagName, errors: count('parsererror'), paths: count('path'), words: count('text') };
  }, text);
  check(`${name}: SVG of "${id}"`, found.root === 'svg' && !found.errors && found.paths > 3 && found.words > 3 && !/NaN|undefined|Infinity/.test(text) && download.suggestedFilename().endsWith('.svg'),
    `${JSON.stringify(found)} ${text.match(/.{60}(?:NaN|undefined|Infinity).{20}/)?.[0] ?? ''}`);
  if (shots) writeFileSync(join(shots, `saved-${name.replace(/\W+/g, '-')}-${id}.svg`), text);
  return text;
}

export async function tryTheme(page, name) {
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

// ---- the browser ----

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'],
});
let browser = null;
const folder = mkdtempSync(join(tmpdir(), 'varia-report-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
if (shots) mkdirSync(shots, { recursive: true });

/** The page of a template with data, in a window so wide; complaints: what the browser said and asked for. */
export async function open(template, name, data, width, colorScheme = 'light') {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, fill(template, data));
  browser ??= await launch();
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

export async function finish({ page, complaints }, name, width) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(`${name}: no overflow at ${width} px`, overflow <= 0, overflow);
  check(`${name}: no complaint, no request`, complaints.length === 0, complaints.join(' | '));
  await page.close();
}

export async function picture(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name.replace(/\W+/g, '-')}.png`), fullPage: true });
}

export async function close() {
  await browser?.close();
}
