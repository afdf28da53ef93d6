// SPDX-License-Identifier: BSD-3-Clause
// Opens the built page with sample data from disk in Chromium and tries what a reader would do.
//     node test/check.mjs [PAGE]      PAGE: dist/index.html unless given; prints one line per check, exit code 1 if one fails
// Environment: CHROMIUM (the program), VARIA_REPORT_SHOTS (a folder for pictures of every page).
import { readFileSync, statSync } from 'node:fs';
import { areaOf, blankCanvases, check, close, colouredPixels, drag, finish, open, picture, rangeOf, report, settle, shots, trySave, trySvg, tryTheme } from './reader.mjs';
import { odd, samples } from './samples.mjs';
import { fitted, html, symbol } from '../src/rich.js';

const file = process.argv[2] ?? 'dist/index.html';
const template = readFileSync(file, 'utf8');

// ---- what a reader does ----

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

/** Another event and another axis of a section; the table of events. */
async function trySection(page, name, data) {
  const axis = () => page.$eval('[data-plot="section"]', (figure) => figure.dataset.x.split(' ').map(Number));
  const before = await axis();
  await page.selectOption('[data-plot="section"] [data-pick="x"]', 'y_dot');
  await settle(page);
  check(`${name}: the section against another axis`, (await axis()).join() !== before.join(), before.join());
  await page.selectOption('[data-plot="section"] [data-pick="at"]', '1');
  await settle(page);
  const xs = data.sections[1].columns[0].values;
  const [low, high] = await axis();
  check(`${name}: the section of another event`, low < Math.min(...xs) && high > Math.max(...xs), `${low} ${high}`);
  check(`${name}: the section has no lines`, (await page.$$('[data-plot="section"] .mark')).length === 0);
  check(`${name}: the table of events`, (await page.$$('[data-part="events"] tbody tr')).length === data.summary.events.length);
  check(`${name}: lists of tables are written out`, !(await page.$eval('.summary', (table) => table.textContent)).includes('[object'));
}

/** Formulas are drawn, long ones on several lines, and words stay words. */
async function tryEquations(page, name, { equations }) {
  const boxes = await page.$$eval('.equation', (list) => list.map((node) => {
    const maths = [...node.querySelectorAll('math')].map((math) => math.getBoundingClientRect());
    return { count: maths.length, least: Math.min(...maths.map(({ width, height }) => Math.min(width, height))), lines: new Set(maths.map(({ bottom }) => Math.round(bottom / 30))).size };
  }));
  check(`${name}: an equation for each`, boxes.length === 1 + equations.motion.length + equations.constraints.length, boxes.length);
  check(`${name}: every formula has a size`, boxes.every(({ least }) => least > 3), JSON.stringify(boxes.map(({ least }) => least)));
  check(`${name}: each term is a formula of its own`, boxes[0].count === 1 + equations.statement.terms.length, boxes[0].count);
  check(`${name}: a long sum is broken into lines`, boxes[0].lines > 1 && boxes[1].lines === 1, `${boxes[0].lines} ${boxes[1].lines}`);
  const words = await page.$eval('.equations', (node) => node.textContent);
  check(`${name}: joint, definition and note are written`, [equations.constraints[0].note, equations.definitions[0], equations.note].every((text) => words.includes(text)));
  const [over, under] = await page.$$eval('.equation mfrac', (list) => [...list[0].children].map((part) => part.getBoundingClientRect().top));
  check(`${name}: fractions are set one above the other`, under > over, `${over} ${under}`);
}

/** Bounds are dashed and named; iterations are no times. */
async function tryOptimum(page, name) {
  const legend = await page.$$eval('[data-plot="inputs"] .entry', (list) => list.map((entry) => entry.textContent + (entry.querySelector('.dash') ? ' dashed' : '')));
  check(`${name}: inputs with the bounds they have`, legend.length === 5 && legend.filter((text) => /bound.* dashed$/.test(text)).length === 3, legend.join(' | '));
  await tryCursor(page, name, 'inputs');
  await tryZoom(page, name, 'inputs');
  const box = await areaOf(page, 'convergence');
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
  await settle(page);
  const words = await page.$eval('[data-plot="convergence"] .readout', (node) => node.textContent);
  check(`${name}: iterations are read off`, /iteration = 2/.test(words), words);
  check(`${name}: and move no other cursor`, (await page.$eval('[data-plot="inputs"] .readout', (node) => node.textContent)) === '');
  await tryLog(page, name, 'convergence');
}

async function trySweep(page, name) {
  const curves = () => page.$eval('[data-plot="sweep"]', (figure) => Number(figure.dataset.curves));
  const pick = async (plot, label, option) => {
    await page.selectOption(`[data-plot="${plot}"] select[aria-label="${label}"]`, { label: option });
    await settle(page);
  };
  check(`${name}: over e, a curve for each method and step`, (await curves()) === 12, await curves());
  await pick('sweep', 'Over', 'step');
  check(`${name}: over the step, a curve for each method and e`, (await curves()) === 20, await curves());
  const upright = () => page.$eval('[data-plot="sweep"]', (figure) => figure.dataset.y);
  const before = await upright();
  await pick('sweep', 'Number', 'final.q.x');
  check(`${name}: another number has another range`, (await upright()) !== before);
  await pick('map', 'Up', 'step');
  const cells = await page.$eval('[data-plot="map"]', (figure) => Number(figure.dataset.cells));
  check(`${name}: a cell of the map for each case that has the number`, cells === 118, cells);
  await pick('map', 'Across', 'step');
  const axes = await page.$$eval('[data-plot="map"] select', (list) => list.map((select) => select.selectedOptions[0].textContent));
  check(`${name}: the two axes of the map differ`, axes.filter((text) => text === 'step').length === 1, axes.join());
  await pick('map', 'Up', 'method');
  await tryZoom(page, name, 'sweep');
  check(`${name}: table of failed cases`, (await page.$$('.runs tbody tr')).length === 1);
}

// ---- the run ----

const size = statSync(file).size;
check(`the page without data is below 900 kB (${(size / 1000).toFixed(0)} kB)`, size < 900e3);
check('the page names no other address to load', !/(?:src|href)=["']https?:|@import|url\(["']?https?:/.test(template));

for (const [name, shown] of [['q[3]', '<i class="math">q</i><sub>3</sub>'], ['u[2][3]', '<i class="math">u</i><sub>2,3</sub>'],
  ['r_dot[1][2]', '<i class="math">ṙ</i><sub>1,2</sub>'], ['r_p[1][2]', '<i class="math">p</i><sub>r 1,2</sub>'], ['-y', '−y']]) {
  check(`${name} is typeset`, html(symbol(name)) === shown, html(symbol(name)));
}
const ruler = { measureText: (words) => ({ width: words.length }) };
const cut = (words, width) => fitted(ruler, [{ text: words, level: '', italic: false }], 12, width).map((piece) => piece.text).join('');
check('a label that fits is whole, a longer one is cut', cut('height', 6) === 'height' && cut('height, momentum', 8) === 'height,…' && cut('height', 0) === '');

try {
  for (const [kind, data] of Object.entries(samples())) {
    for (const width of [1400, 420]) {
      const name = `${kind} ${width}`;
      const opened = await open(template, kind, data, width);
      const { page } = opened;
      const plots = await page.$$eval('.panel', (list) => list.map((figure) => figure.dataset.plot));
      check(`${name}: the expected plots`, plots.join() === { kepler: 'trajectory,energy,momentum,section,phase,coordinates,observed', pendulum: 'trajectory,energy,momentum,constraint,phase,coordinates', compare: 'seconds,step,energy', sweep: 'sweep,map', optimum: 'inputs,states,costates,convergence,coordinates' }[kind], plots.join());
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
        const legend = await page.$$eval('[data-plot="energy"] .entry', (list) => list.map((entry) => [entry.textContent, entry.querySelector('.swatch').style.getPropertyValue('--swatch')]));
        const steps = legend.filter(([text]) => text.startsWith('verlet'));
        check(`${name}: the legend names the steps`, steps.length === 2 && /step 0\.1/.test(steps[0][0]) && /step 0\.05/.test(steps[1][0]), legend.map(([text]) => text).join(' | '));
        check(`${name}: the steps of a method have tints of one colour`, new Set(legend.map(([, colour]) => colour)).size === legend.length, legend.map(([, colour]) => colour).join());
        check(`${name}: methods that are not variational are dashed and say so`, marked.length === 2 && marked.every((text) => text.includes('not variational')), marked.join(' | '));
      } else if (kind === 'sweep') {
        await trySweep(page, name);
      } else if (kind === 'optimum') {
        await tryOptimum(page, name);
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
      if (kind !== 'sweep' && kind !== 'optimum') {
        await tryZoom(page, name, 'energy');
        await tryLog(page, name, 'energy');
      }
      if (kind === 'kepler' && width === 1400) await tryZoom(page, name, 'trajectory');
      if (kind === 'kepler') await trySection(page, name, data);
      if (kind === 'kepler') await tryEquations(page, name, data);
      if (kind === 'pendulum') await trySpace(page, name);
      if (width === 1400) {
        await trySave(page, name, plots[0]);
        for (const id of plots) await trySvg(page, name, id);
      }
      await tryTheme(page, name);
      await finish(opened, name, width);
    }
    if (kind === 'compare' || shots) {
      const dark = await open(template, kind, data, 1400, 'dark');
      check(`${kind}: starts dark where the system is dark`, (await dark.page.evaluate(() => document.documentElement.dataset.theme)) === 'dark');
      await picture(dark.page, `${kind} dark`);
      await finish(dark, `${kind} dark`, 1400);
    }
  }
  for (const [kind, data] of Object.entries(odd())) {
    const name = `odd ${kind}`;
    const opened = await open(template, name.replace(' ', '_'), data, 420);
    const { page } = opened;
    await picture(page, name);
    for (const button of await page.$$('[data-value="log"]')) await button.click();
    await settle(page);
    check(`${name}: the page stands`, (await page.$$('h1')).length === 1 && (await page.$$('[role="alert"]')).length === 0);
    if (data.title) check(`${name}: text stays text`, (await page.textContent('h1')) === data.title);
    await finish(opened, name, 420);
  }
} finally {
  await close();
}
report();
