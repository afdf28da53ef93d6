// SPDX-License-Identifier: BSD-3-Clause
// Opens the built page with scenes and tries what a reader would do: play, scrub, turn, move, save, film.
//     node test/scene.mjs [PAGE]      PAGE: dist/index.html unless given; prints one line per check, exit code 1 if one fails
import { readFileSync } from 'node:fs';
import { blankCanvases, check, close, colouredPixels, drag, finish, open, picture, rangeOf, report, settle, trySave, trySvg, tryTheme } from './reader.mjs';

const file = process.argv[2] ?? 'dist/index.html';
const template = readFileSync(file, 'utf8');

const floats = (values) => Buffer.from(Float32Array.from(values).buffer).toString('base64');
const t = Array.from({ length: 201 }, (_, k) => 0.05 * k);

/** A rod of length 1 that turns once in 10, its end hung on a spring, in the plane. */
function plane() {
  const angle = t.map((x) => (2 * Math.PI * x) / 10);
  const outputs = [floats(angle.map(Math.cos)), floats(angle.map(Math.sin)), 0, 2, floats(t.map((x) => Math.cos(x)))];
  const items = [
    { kind: 'ground', entry: 0, places: [], size: [-1.5] },
    { kind: 'point', name: 'bob', entry: 1, places: [[0, 1]], size: [0.1], trace: true },
    { kind: 'point', name: 'other', entry: 2, places: [[3, 4]], trace: true },
    { kind: 'link', entry: 3, places: [[2, 2], [0, 1]] },
    { kind: 'link', entry: 4, places: [[0, 1], [3, 4]], spring: true },
    { kind: 'box', entry: 5, places: [[0, 1]], turn: [0, 1], size: [0.5, 0.2] },
    { kind: 'ball', entry: 6, places: [[3, 2]], turn: [0, 1], size: [0.2] },
    { kind: 'frame', entry: 7, places: [[2, 2]], turn: [0, 1], size: [] },
    { kind: 'arrow', entry: 8, places: [[0, 1], [3, 4]] },
  ];
  return { dimension: 2, up: 'z', t, items, outputs };
}

/** A disk and a box that turn about the third axis, and all else, in space. */
function space(up = 'z') {
  const c = floats(t.map(Math.cos));
  const s = floats(t.map(Math.sin));
  const outputs = [0, 1, c, s, floats(t.map((x) => -Math.sin(x))), floats(t.map((x) => Math.cos(x) * 0.2))];
  const turn = [2, 4, 0, 3, 2, 0, 0, 0, 1];
  const items = [
    { kind: 'ground', entry: 0, places: [], size: [-1] },
    { kind: 'cylinder', entry: 1, places: [[2, 3, 5]], turn, size: [0.5, 0.1] },
    { kind: 'cylinder', entry: 2, places: [[0, 0, 0], [0, 0, 1]], size: [0.1] },
    { kind: 'box', entry: 3, places: [[0, 0, 1]], turn, size: [0.6, 0.4, 0.2] },
    { kind: 'ball', entry: 4, places: [[1, 1, 5]], turn, size: [0.4, 0.3, 0.2] },
    { kind: 'ball', entry: 5, places: [[0, 0, 0]], size: [1] },
    { kind: 'point', name: 'tip', entry: 6, places: [[2, 3, 1]], trace: true },
    { kind: 'link', entry: 7, places: [[0, 0, 0], [2, 3, 1]] },
    { kind: 'link', entry: 8, places: [[1, 1, 5], [2, 3, 1]], spring: true },
    { kind: 'frame', entry: 9, places: [[0, 0, 0]], turn, size: [1] },
    { kind: 'arrow', entry: 10, places: [[2, 3, 1], [2, 3, 0]] },
  ];
  return { dimension: 3, up, t, items, outputs };
}

const page = (draw) => ({
  varia: '0.2.0', kind: 'run', title: 'A scene', name: 'scene', scenario: 'title = "A scene"', t, draw,
  columns: [{ name: 'th', kind: 'q', values: t.map(Math.sin) }, { name: 'energy', kind: 'energy_error', values: t.map((x) => 1e-6 * Math.cos(9 * x)) }],
});

const frameOf = (p) => p.$eval('[data-plot="scene"]', (figure) => Number(figure.dataset.frame));
const look = (p) => p.$eval('[data-plot="scene"] canvas', (canvas) => canvas.toDataURL());
const scrub = async (p, value) => {
  await p.$eval('.player input', (slider, v) => { slider.value = v; slider.dispatchEvent(new Event('input')); }, value);
  await settle(p);
};

async function tryTime(p, name) {
  check(`${name}: begins with the first record`, (await frameOf(p)) === 0, await frameOf(p));
  const first = await look(p);
  await scrub(p, 500);
  check(`${name}: the slider shows the record of its time`, (await frameOf(p)) === 100, await frameOf(p));
  check(`${name}: the picture has moved`, (await look(p)) !== first);
  const hands = await p.$$eval('.hand', (list) => list.filter((hand) => !hand.hidden).length);
  check(`${name}: the plots against time have a hand there`, hands >= 2, hands);
  await p.click('[data-do="play"]');
  await p.waitForFunction(() => Number(document.querySelector('[data-plot="scene"]').dataset.frame) > 105, null, { timeout: 5000 }).catch(() => {});
  await p.click('[data-do="play"]');
  check(`${name}: it plays on from there`, (await frameOf(p)) > 105, await frameOf(p));
  await scrub(p, 0);
  check(`${name}: back at the start the picture is the first one`, (await look(p)) === first);
}

async function tryView(p, name, space_) {
  const before = await rangeOf(p, 'scene');
  await drag(p, 'scene', [0.3, 0.5], [0.6, 0.6]);
  const [az, el, zoom, x, y] = (await rangeOf(p, 'scene')).split(' ').map(Number);
  const [az0, el0] = before.split(' ').map(Number);
  if (space_) check(`${name}: drag turns`, az !== az0 && el !== el0 && x === 0 && y === 0, `${az} ${el} ${x} ${y}`);
  else check(`${name}: drag moves`, az === az0 && x > 20 && y > 5, `${x} ${y}`);
  await p.keyboard.press('+');
  await p.mouse.wheel(0, -200); // the scene was clicked: the wheel zooms
  await settle(p);
  check(`${name}: key + and the wheel zoom`, Number((await rangeOf(p, 'scene')).split(' ')[2]) > 1.2 * zoom, await rangeOf(p, 'scene'));
  await p.click('[data-plot="scene"] [data-do="reset"]');
  await settle(p);
  check(`${name}: reset returns`, (await rangeOf(p, 'scene')) === before, await rangeOf(p, 'scene'));
  await p.focus('[data-plot="scene"] .plot');
  await p.keyboard.press('ArrowLeft');
  await settle(p);
  check(`${name}: an arrow key ${space_ ? 'turns' : 'moves'}`, (await rangeOf(p, 'scene')) !== before);
  await p.keyboard.press('0');
  await settle(p);
  check(`${name}: key 0 returns`, (await rangeOf(p, 'scene')) === before);
}

async function tryTouch(p, name) {
  const before = await rangeOf(p, 'scene');
  await p.$eval('[data-plot="scene"] canvas', (canvas) => {
    const { left, top } = canvas.getBoundingClientRect();
    canvas.setPointerCapture = () => {}; // no finger of the system is there to be captured
    const send = (type, id, x, y) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: 'touch', clientX: left + x, clientY: top + y, buttons: 1, bubbles: true }));
    send('pointerdown', 7, 100, 100);
    send('pointerdown', 8, 200, 100);
    send('pointermove', 8, 300, 100);
    send('pointerup', 7, 100, 100);
    send('pointerup', 8, 300, 100);
  });
  await settle(p);
  const zoom = Number((await rangeOf(p, 'scene')).split(' ')[2]);
  check(`${name}: two fingers zoom by their distance`, Math.abs(zoom - 2) < 1e-9, zoom);
  await p.click('[data-plot="scene"] [data-do="reset"]');
  await settle(p);
  check(`${name}: and reset returns`, (await rangeOf(p, 'scene')) === before);
}

async function tryFilm(p, name) {
  const [download] = await Promise.all([p.waitForEvent('download', { timeout: 20000 }), p.click('[data-plot="scene"] [data-do="film"]')]);
  const bytes = readFileSync(await download.path());
  check(`${name}: film is WebM`, bytes.readUInt32BE(0) === 0x1a45dfa3 && bytes.length > 10000 && download.suggestedFilename() === 'scene-scene.webm', `${bytes.length} ${download.suggestedFilename()}`);
}

/** Observed functions of three sizes, a curve in the plane, one against time and a histogram. */
function plotsPage() {
  const column = (name, f) => ({ name, kind: 'observe', values: t.map(f) });
  const circle = t.map(Math.cos);
  return {
    ...page(undefined), title: 'Plots',
    columns: [column('tip', (x) => 1e-3 * Math.sin(x)), column('updates', (x) => 500 * x), column('energy', (x) => 2e-4 * Math.cos(x)), column('three', () => 3)],
    plots: [
      { title: '', x: 'q', against_time: false, bins: 0, values: circle, curves: [{ label: 'p', values: t.map(Math.sin) }, { label: '2*p', values: t.map((x) => 2 * Math.sin(x)) }] },
      { title: 'A rate', x: 't', against_time: true, bins: 0, values: t, curves: [{ label: 'q_dot', values: t.map((x, k) => (k % 9 ? -Math.sin(x) : null)) }] },
      { title: '', x: 'energy_error', against_time: false, bins: 4, values: [0, 1, 1, 2, 2, 2, 3, 4, ...t.slice(8).map(() => null)], curves: [] },
    ],
  };
}

async function tryPlots() {
  const opened = await open(template, 'plots', plotsPage(), 1400);
  const { page: p } = opened;
  const plots = await p.$$eval('.panel', (list) => list.map((figure) => [figure.dataset.plot, figure.querySelector('h3').textContent].join(': ')));
  check('plots: observed functions of one size share an axis, others have their own', plots.filter((name) => name.startsWith('observed')).length === 2, plots.join(', '));
  const legends = await p.$$eval('[data-plot^="observed"]', (list) => list.map((figure) => [...figure.querySelectorAll('.entry .label')].map((label) => label.textContent).join(' ')));
  check('plots: which are together', legends[0] === 'tip energy' && legends[1] === 'updates three', legends.join(' | '));
  check('plots: titles say what is drawn', plots.slice(-3).join(', ') === 'plot-1: p, 2*p against q, plot-2: A rate, plot-3: Histogram of energy_error', plots.slice(-3).join(', '));
  const bars = await p.$eval('[data-plot="plot-3"]', (figure) => figure.dataset.bars);
  check('plots: bars count the values', bars === '1 2 3 2', bars);
  for (const id of ['plot-1', 'plot-2', 'plot-3', 'observed-2']) {
    check(`plots: "${id}" drawn`, (await p.evaluate(colouredPixels, id)) > 100);
    await trySvg(p, 'plots', id);
  }
  await picture(p, 'plots');
  await finish(opened, 'plots', 1400);
}

/** Between records that lie far apart a trace has no lines, which would be corners that are not there. */
async function tryCoarse() {
  const lines = /(?:L[-\d.]+ [-\d.]+){60}/;
  for (const [kind, turn] of [['near', 0.1], ['far', 2.2]]) {
    const draw = plane();
    draw.outputs[0] = floats(t.map((_, k) => Math.cos(turn * k)));
    draw.outputs[1] = floats(t.map((_, k) => Math.sin(turn * k)));
    draw.items = draw.items.slice(0, 2);
    const opened = await open(template, `trace_${kind}`, page(draw), 420);
    const svg = await trySvg(opened.page, `trace ${kind}`, 'scene');
    check(`trace ${kind}: lines between records only where they are near`, lines.test(svg) === (kind === 'near'));
    await finish(opened, `trace ${kind}`, 420);
  }
}

const bad = {
  no_records: { ...plane(), t: [], outputs: [] },
  short_output: { ...plane(), outputs: [floats([1, 2])] },
  no_dimension: { ...plane(), dimension: 4 },
};
const holes = plane();
holes.outputs[0] = floats(t.map((x, k) => (k % 7 ? Math.cos(x) : NaN)));

try {
  await tryPlots();
  await tryCoarse();
  for (const [kind, draw] of Object.entries({ plane: plane(), space: space(), 'y up': space('y'), holes })) {
    for (const width of [1400, 420]) {
      const light = kind !== 'plane' && kind !== 'space'; // the same page in other words
      if (width === 420 && light) continue;
      const name = `${kind} ${width}`;
      const opened = await open(template, `scene_${kind}`, page(draw), width);
      const { page: p } = opened;
      const plots = await p.$$eval('.panel', (list) => list.map((figure) => figure.dataset.plot));
      check(`${name}: the scene comes first`, plots[0] === 'scene', plots.join());
      check(`${name}: one slider`, (await p.$$('.player')).length === 1);
      const blank = await p.evaluate(blankCanvases);
      check(`${name}: every canvas drawn`, blank.length === 0, blank.join(', '));
      check(`${name}: drawn in colour`, (await p.evaluate(colouredPixels, 'scene')) > 100, await p.evaluate(colouredPixels, 'scene'));
      await picture(p, `scene ${name}`);
      await tryTime(p, name);
      if (light) {
        await finish(opened, name, width);
        continue;
      }
      await tryView(p, name, kind === 'space');
      if (kind === 'plane') {
        const before = await look(p);
        await p.click('[data-plot="scene"] .entry');
        await settle(p);
        check(`${name}: a path is switched off`, (await look(p)) !== before);
      }
      if (width === 1400) {
        await tryTouch(p, name);
        await trySave(p, name, 'scene');
        await trySvg(p, name, 'scene');
      }
      if (width === 1400 && kind === 'space') await tryFilm(p, name);
      if (width === 1400) await tryTheme(p, name);
      await finish(opened, name, width);
    }
  }
  for (const [kind, draw] of Object.entries(bad)) {
    const opened = await open(template, `bad_${kind}`, page(draw), 420);
    const { page: p } = opened;
    check(`bad ${kind}: the page stands and says why`, (await p.$$('h1')).length === 1 && /cannot be drawn: /.test(await p.textContent('[data-plot="scene"]')), await p.textContent('[data-plot="scene"]'));
    await finish(opened, kind, 420);
  }
} finally {
  await close();
}
report();
