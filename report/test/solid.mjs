// SPDX-License-Identifier: BSD-3-Clause
// Opens the built page with bodies in Chromium and tries what a reader would do with them.
//     node test/solid.mjs FOLDER [PAGE]      FOLDER: one <name>.json per page, see tests/report/solid_samples.py
// data_<name>.json is tried in full, scale_<name>_<size>.json must look like data_<name>.json at every size, odd_<name>.json
// ({ data, word }) must stand and show the word. Prints one line per check, exit code 1 if one fails.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mapBytes, toLab } from '../src/colormap.js';
import { areaOf, blankCanvases, check, close, colouredPixels, drag, finish, open, picture, rangeOf, report, settle, trySave, tryTheme } from './reader.mjs';

const [, , folder, file = 'dist/index.html'] = process.argv;
const template = readFileSync(file, 'utf8');
const pages = Object.fromEntries(readdirSync(folder).sort().map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))]));
const named = (start) => Object.entries(pages).filter(([name]) => name.startsWith(start)).map(([name, data]) => [name.slice(start.length), data]);

const floats = (text) => new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
const integers = (text) => new Int32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
const near = (a, b, part = 1e-5) => Math.abs(a - b) <= part * Math.max(Math.abs(a), Math.abs(b), 1e-300);

// ---- measurements inside the page ----

/** The layer of the mesh: where it is drawn ([left, top, right, bottom] in pixels of the page), how much, and its pixels. */
function meshPixels([id, full]) {
  const canvas = document.querySelector(`[data-plot="${id}"] .plot canvas:not(.overlay)`);
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, copy.width, copy.height);
  const box = [Infinity, Infinity, -1, -1];
  let [count, hash] = [0, 17];
  for (let k = 0; k < data.length; k += 4) {
    hash = (Math.imul(hash, 31) + data[k] + 256 * data[k + 1] + 65536 * data[k + 2]) | 0;
    if (data[k + 3] < 20) continue;
    const [x, y] = [(k / 4) % width, Math.floor(k / 4 / width)];
    box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y); box[2] = Math.max(box[2], x + 1); box[3] = Math.max(box[3], y + 1);
    ++count;
  }
  const coarse = full ? Array.from(data.filter((_, k) => k % 4 !== 3 && Math.floor(k / 4) % 31 === 0)) : null;
  return { box, count, hash, width, height, coarse };
}

/** The nearest pixel of the mesh whose surroundings have one colour: the middle of an element, not its edge. */
function evenPixel([id, x0, y0]) {
  const canvas = document.querySelector(`[data-plot="${id}"] .plot canvas:not(.overlay)`);
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const steps = Array.from({ length: 41 * 41 }, (_, k) => [(k % 41) - 20, Math.floor(k / 41) - 20]).sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
  for (const [dx, dy] of steps) {
    const [x, y] = [Math.round(x0) + dx, Math.round(y0) + dy];
    const pixels = new Uint32Array(context.getImageData(x - 2, y - 2, 5, 5).data.buffer);
    if (new Set(pixels).size === 1) return { x, y, pixel: [...context.getImageData(x, y, 1, 1).data] };
  }
  throw new Error('there is no even place');
}

const look = (page, id = 'solid', full = false) => page.evaluate(meshPixels, [id, full]);
const attribute = (page, id, key) => page.$eval(`[data-plot="${id}"]`, (figure, name) => figure.dataset[name] ?? null, key);
const barOf = async (page, id) => JSON.parse(await attribute(page, id, 'bar'));

async function slide(page, value) {
  await page.$eval('.player input', (slider, v) => { slider.value = v; slider.dispatchEvent(new Event('input')); }, value);
  await settle(page);
}

async function choose(page, field) {
  await page.selectOption('[data-plot="solid"] select[aria-label="Colour"]', field);
  await settle(page);
}

// ---- what must hold ----

function tryMaps() {
  for (const map of ['field', 'count']) {
    const bytes = mapBytes(map);
    const colours = Array.from({ length: 256 }, (_, k) => toLab([...bytes.subarray(4 * k, 4 * k + 3)]));
    const rises = colours.every(([light], k) => k < 4 || light > colours[k - 4][0]);
    check(`colour map ${map}: the lightness rises`, rises && colours[255][0] - colours[0][0] > 0.45, colours[255][0] - colours[0][0]);
    const steps = Array.from({ length: 15 }, (_, k) => Math.hypot(...colours[17 * (k + 1)].map((c, i) => c - colours[17 * k][i])));
    const ratio = Math.max(...steps) / Math.min(...steps);
    check(`colour map ${map}: equal steps for the eye`, ratio < 1.2, ratio);
  }
}

/** The numbers at a bar stand where their values are. */
function tryBar(name, bar, low, high, log) {
  check(`${name}: the bar runs from ${low} to ${high}`, (low === 0 ? bar.low === 0 : near(bar.low, low)) && near(bar.high, high), `${bar.low} to ${bar.high}`);
  const factor = /\(10\^(\u2212?\d+)/.exec(bar.title);
  const power = factor ? 10 ** Number(factor[1].replace('\u2212', '-')) : 1;
  const plainNumber = (text) => Number(text.replaceAll('\u202f', '').replace('\u2212', '-').replace(/^10\^/, '1e').replace('×10^', 'e'));
  const wrong = bar.ticks.filter(([share, text]) => {
    const value = plainNumber(text) * power;
    const wanted = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return !(Math.abs(wanted - share) < 0.02 && share >= -1e-9 && share <= 1 + 1e-9);
  });
  check(`${name}: ${bar.ticks.length} numbers at the bar, each at its place`, bar.ticks.length >= 2 && wrong.length === 0, JSON.stringify(bar));
}

async function tryTime(page, name, solid) {
  const last = solid.frames.length - 1;
  const frame = async () => Number(await attribute(page, 'solid', 'frame'));
  check(`${name}: starts with the last frame`, (await frame()) === last, await frame());
  const end = await look(page);
  await slide(page, 390);
  const early = await look(page);
  const times = solid.frames.map(({ t }) => t);
  const wanted = times[0] + 0.39 * (times[last] - times[0]);
  const nearest = times.reduce((best, t, k) => (Math.abs(t - wanted) < Math.abs(times[best] - wanted) ? k : best), 0);
  check(`${name}: the slider shows the frame of its time`, (await frame()) === nearest, `${await frame()} instead of ${nearest}`);
  check(`${name}: the slider changes the picture`, early.hash !== end.hash && early.count > 2000, early.count);
  check(`${name}: the slider puts a hand into the plots against time`, (await page.$$eval('.hand', (list) => list.filter((hand) => !hand.hidden).length)) >= 3);
  await page.focus('.player input');
  await page.keyboard.press('ArrowRight');
  await settle(page);
  check(`${name}: arrow to the right is one frame on`, (await frame()) === nearest + 1 && (await look(page)).hash !== early.hash, await frame());
  await page.keyboard.press('ArrowLeft');
  await settle(page);
  check(`${name}: arrow to the left is one frame back, to the same picture`, (await frame()) === nearest && (await look(page)).hash === early.hash, await frame());
  await page.keyboard.press('Home');
  await settle(page);
  const start = await frame();
  await page.keyboard.press('End');
  await settle(page);
  check(`${name}: keys Home and End`, start === 0 && (await frame()) === last, `${start} ${await frame()}`);
  const label = () => page.$eval('.player .time', (node) => node.textContent);
  await slide(page, 100);
  const before = await label();
  await page.click('[data-do="play"]');
  await page.waitForFunction((text) => document.querySelector('.player .time').textContent !== text, before, { timeout: 5000 }).catch(() => {});
  await page.click('[data-do="play"]');
  check(`${name}: play moves the time`, (await label()) !== before, before);
}

/** The whole motion lies inside the picture, and fills the room that the writing leaves. */
async function tryFraming(page, name) {
  const all = [Infinity, Infinity, -1, -1];
  let size;
  for (const value of [0, 150, 250, 400, 500, 650, 750, 900, 1000]) {
    await slide(page, value);
    const { box, width, height } = await look(page);
    size = [width, height];
    for (const k of [0, 1]) { all[k] = Math.min(all[k], box[k]); all[k + 2] = Math.max(all[k + 2], box[k + 2]); }
  }
  const [width, height] = size;
  const narrow = width < 520;
  const room = narrow ? [8, 26, width - 8, height - 88] : [14, 26, width - 88, height - 16];
  const inside = all[0] >= room[0] && all[1] >= room[1] && all[2] <= room[2] && all[3] <= room[3];
  check(`${name}: all frames inside the picture, beside the writing`, inside, `${all.map(Math.round)} in ${room}`);
  const fill = Math.max((all[2] - all[0]) / (room[2] - room[0]), (all[3] - all[1]) / (room[3] - room[1]));
  check(`${name}: they fill it`, fill > 0.82, fill);
}

async function tryFields(page, name, solid) {
  await slide(page, 350);
  const at = Number(await attribute(page, 'solid', 'frame'));
  const place = solid.frames.map(({ x }) => floats(x));
  const most = (lists) => lists.reduce((top, list) => list.reduce((high, value) => Math.max(high, value), top), 0);
  const moved = place.map((x) => Array.from({ length: solid.nodes }, (_, j) => Math.hypot(...[0, 1, 2].map((k) => x[3 * j + k] - place[0][3 * j + k]))));
  const counts = floats(solid.updates);
  const wanted = {
    stress: [0, most(solid.frames.map(({ stress }) => floats(stress)))], displacement: [0, most(moved)],
    speed: [0, most(solid.frames.map(({ speed }) => floats(speed)))], updates: [Math.min(...counts), Math.max(...counts)],
  };
  const seen = new Set();
  for (const [field, [low, high]] of Object.entries(wanted)) {
    await choose(page, field);
    seen.add((await look(page)).hash);
    check(`${name}: the frame stays with the field ${field}`, Number(await attribute(page, 'solid', 'frame')) === at && (await attribute(page, 'solid', 'field')) === field);
    tryBar(`${name}, ${field}`, await barOf(page, 'solid'), low, high, field === 'updates');
  }
  check(`${name}: units at the bar`, !(await barOf(page, 'solid')).title.includes('Pa'));
  await choose(page, 'stress');
  check(`${name}: units at the bar of the stress`, /Pa\)$/.test((await barOf(page, 'solid')).title), (await barOf(page, 'solid')).title);
  await choose(page, 'plain');
  seen.add((await look(page)).hash);
  check(`${name}: every field looks different`, seen.size === 5, seen.size);
  check(`${name}: no bar without a field`, (await attribute(page, 'solid', 'bar')) === null);
  await choose(page, 'stress');
}

async function trySwitches(page, name) {
  await slide(page, 400);
  const whole = await look(page);
  for (const part of ['element edges', 'shape at the start']) {
    const button = await page.$(`[data-plot="solid"] .entry:has-text("${part}")`);
    await button.click();
    await settle(page);
    const without = await look(page);
    check(`${name}: "${part}" can be switched off`, without.hash !== whole.hash);
    await button.click();
    await settle(page);
    check(`${name}: "${part}" can be switched on again`, (await look(page)).hash === whole.hash);
  }
}

/** In the plane nothing shades the colours: the pixel under the pointer has the colour of its element's value. */
async function tryPixels(page, name, solid, id, map, shares) {
  const box = await areaOf(page, id);
  const { box: drawn } = await look(page, id);
  for (const [u, v] of [[0.3, 0.5], [0.5, 0.42], [0.62, 0.71], [0.7, 0.3]]) {
    const { x, y, pixel } = await page.evaluate(evenPixel, [id, drawn[0] + u * (drawn[2] - drawn[0]), drawn[1] + v * (drawn[3] - drawn[1])]);
    await page.mouse.move(box.x + x + 0.5, box.y + y + 0.5);
    await settle(page);
    const text = await page.$eval(`[data-plot="${id}"] .tip`, (tip) => (tip.hidden ? '' : tip.textContent));
    const element = Number(/^element(\d+)[a-z]/.exec(text)?.[1]);
    const colours = [...integers(solid.element)].flatMap((number_, k) => (number_ === element ? [Math.round(255 * shares[k])] : []));
    const off = Math.min(...colours.map((k) => Math.max(...[0, 1, 2].map((i) => Math.abs(mapBytes(map)[4 * k + i] - pixel[i])))));
    check(`${name}: the element under the pointer in "${id}" (${element}) has the colour of its value`, off <= 4, `off by ${off}, pixel ${pixel}, "${text}"`);
  }
  await page.mouse.move(box.x + 2, box.y + box.height / 2);
  await settle(page);
  check(`${name}: no box beside the body in "${id}"`, await page.$eval(`[data-plot="${id}"] .tip`, (tip) => tip.hidden));
}

async function tryColours(page, name, solid) {
  await slide(page, 250);
  const { stress } = solid.frames[Number(await attribute(page, 'solid', 'frame'))];
  const { low, high } = await barOf(page, 'solid');
  await tryPixels(page, name, solid, 'solid', 'field', floats(stress).map((value) => (value - low) / (high - low)));
  const counts = floats(solid.updates);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  await tryPixels(page, name, solid, 'updates', 'count', counts.map((value) => Math.log(value / least) / Math.log(most / least)));
}

async function tryCamera(page, name, solid, id) {
  const numbers = async () => (await rangeOf(page, id)).split(' ').map(Number);
  const before = await numbers();
  const box = await areaOf(page, id);
  const zoomOf = () => attribute(page, id, 'y');
  const zoom = await zoomOf();
  const focused = await page.evaluate(() => { document.activeElement?.blur(); return true; });
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, 1);
  await settle(page);
  check(`${name}: the wheel alone leaves "${id}" as it is`, focused && (await numbers()).join() === before.join() && (await zoomOf()) === zoom);
  await drag(page, id, [0.4, 0.5], [0.6, 0.55]);
  const moved = await numbers();
  const toward = (list) => [0, 1, 2].map((k) => list[k] - list[k + 3]);
  const turned = Math.max(...toward(moved).map((v, k) => Math.abs(v - toward(before)[k])));
  if (solid.dimension === 3) check(`${name}: drag turns "${id}"`, turned > 0.1, turned);
  else check(`${name}: drag moves "${id}" and does not turn it`, turned < 1e-6 && Math.abs(moved[3] - before[3]) > 0.05, `${turned} ${moved}`);
  await page.mouse.wheel(0, -200); // the plot was clicked: the wheel zooms
  await settle(page);
  const wheeled = [...await numbers(), await zoomOf()];
  check(`${name}: the wheel zooms in "${id}"`, wheeled.join() !== [...moved, zoom].join());
  await page.click(`[data-plot="${id}"] [data-do="reset"]`);
  await settle(page);
  check(`${name}: reset of "${id}"`, (await numbers()).every((v, k) => Math.abs(v - before[k]) < 1e-6) && near(Number(await zoomOf()), Number(zoom), 1e-6), await numbers());
  check(`${name}: nothing left to reset in "${id}"`, await page.$eval(`[data-plot="${id}"] [data-do="reset"]`, (b) => b.disabled));
  await page.focus(`[data-plot="${id}"] .plot`);
  for (const key of ['ArrowRight', '+']) {
    const old = `${await numbers()} ${await zoomOf()}`;
    await page.keyboard.press(key);
    await settle(page);
    check(`${name}: key ${key} in "${id}"`, `${await numbers()} ${await zoomOf()}` !== old);
  }
  await page.keyboard.press('0');
  await settle(page);
  check(`${name}: key 0 in "${id}"`, (await numbers()).every((v, k) => Math.abs(v - before[k]) < 1e-6));
}

async function tryUpdates(page, name, solid, still) {
  const counts = floats(solid.updates);
  tryBar(`${name}, map of updates`, await barOf(page, 'updates'), Math.min(...counts), Math.max(...counts), true);
  check(`${name}: the map of updates is drawn in colours`, (await page.evaluate(colouredPixels, 'updates')) > 3000);
  check(`${name}: the map of updates shows the start at all times`, (await look(page, 'updates')).hash === still); // after many of them
  const drawn = new Map(); // every element once, however many triangles it has
  integers(solid.element).forEach((number_, k) => drawn.set(number_, counts[k]));
  const all = solid.all_updates ? [...floats(solid.all_updates)] : [...drawn.values()];
  const bins = JSON.parse(await attribute(page, 'histogram', 'bins'));
  const total = bins.reduce((sum, [, , count]) => sum + count, 0);
  check(`${name}: the histogram counts ${all.length} elements`, total === all.length, total);
  const wrong = bins.filter(([low, high, count]) => {
    const inside = (slack) => all.filter((v) => v > low * (1 - slack) && v < high * (1 + slack)).length;
    return count < inside(-1e-6) || count > inside(1e-6);
  });
  check(`${name}: every bar of the histogram has its height`, bins.length > 5 && wrong.length === 0, JSON.stringify(wrong));
  check(`${name}: the histogram is drawn in colours`, (await page.evaluate(colouredPixels, 'histogram')) > 1500);
  const note = await page.$eval('[data-plot="histogram"] .remark', (node) => node.textContent.replaceAll('\u202f', ''));
  const sum = all.reduce((a, b) => a + b, 0);
  check(`${name}: the sum of the updates is told`, note.includes(`${all.length} elements`) && note.includes(`${sum} updates`), note);
  check(`${name}: what a common step would take is for the verdict to say`, !note.includes('times as many'), note);
}

/** Share of the pixels that differ visibly. */
const difference = (a, b) => a.reduce((sum, value, k) => sum + (Math.abs(value - b[k]) > 24), 0) / a.length;

// ---- the run ----

try {
  tryMaps();
  for (const [kind, data] of named('data_')) {
    for (const width of kind === 'six' ? [1400] : [1400, 420]) {
      const name = `${kind} ${width}`;
      const { solid } = data;
      const opened = await open(template, kind, data, width);
      const { page } = opened;
      const plots = await page.$$eval('.panel', (list) => list.map((figure) => figure.dataset.plot));
      check(`${name}: the expected plots`, plots.join() === 'solid,updates,histogram,energy,momentum,observed', plots.join());
      const blank = await page.evaluate(blankCanvases);
      check(`${name}: every canvas drawn`, blank.length === 0, blank.join(', '));
      const still = (await look(page, 'updates')).hash;
      await tryTime(page, name, solid);
      await tryFraming(page, name);
      await tryFields(page, name, solid);
      await tryUpdates(page, name, solid, still);
      if (width === 1400) {
        await trySwitches(page, name);
        if (solid.dimension === 2) await tryColours(page, name, solid);
        for (const id of ['solid', 'updates']) await tryCamera(page, name, solid, id);
        for (const id of ['solid', 'updates', 'histogram']) await trySave(page, name, id);
      }
      await slide(page, 350);
      await picture(page, name);
      await tryTheme(page, name);
      await finish(opened, name, width);
    }
    const dark = await open(template, kind, data, 1400, 'dark');
    await slide(dark.page, 350);
    await picture(dark.page, `${kind} dark`);
    check(`${kind} dark: drawn`, (await dark.page.evaluate(blankCanvases)).length === 0);
    await finish(dark, `${kind} dark`, 1400);
  }
  const known = {};
  for (const [name, data] of named('scale_')) {
    const opened = await open(template, name, data, 900);
    await slide(opened.page, 350);
    const { coarse } = await look(opened.page, 'solid', true);
    const [kind, size] = name.split('_');
    known[kind] ??= coarse;
    check(`a ${kind} of size ${size} looks like every other`, difference(coarse, known[kind]) < 2e-3, difference(coarse, known[kind]));
    await finish(opened, `${kind} of size ${size}`, 900);
  }
  for (const [kind, { data, word }] of named('odd_')) {
    const name = `odd ${kind}`;
    const opened = await open(template, `odd_${kind}`, data, 420);
    const { page } = opened;
    check(`${name}: the page stands`, (await page.$$('h1')).length === 1 && (await page.$$('.banner')).length === 0);
    const text = await page.$eval('[data-plot="solid"]', (figure) => figure.textContent);
    if (word) check(`${name}: says "${word}"`, text.includes(word), text);
    else check(`${name}: is drawn`, (await look(page)).count > 500, text);
    await picture(page, name);
    await finish(opened, name, 420);
  }
} finally {
  await close();
}
report();
