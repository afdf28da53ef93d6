// SPDX-License-Identifier: BSD-3-Clause
// Reads the data and puts the page together; a part without data is left out.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { choices, el } from './dom.js';
import { readData } from './data.js';
import { html, number, plain, run, symbol, text } from './rich.js';
import { timePlot } from './timeplot.js';
import { planePlot } from './planeplot.js';
import { spacePlot } from './spaceplot.js';
import { scenePanel } from './scene.js';
import { solidView } from './solidview.js';
import { updateHistogram, updateMap } from './updatemap.js';
import { workPlot } from './workplot.js';
import { histogram } from './histogram.js';
import { optimum } from './optimum.js';
import { onCommonAxes } from './scales.js';
import { equations } from './equations.js';
import { failureTable, sweepCurves, sweepMap } from './sweepview.js';
import { player } from './player.js';
import * as parts from './tables.js';
import * as theme from './theme.js';

const E = run('E', '', true);
const J = run('J', '', true);
const E0 = [E, run('0', 'sub')];
const minus = run(' − ');
const [open, close] = [run('|\u200a'), run('\u200a|')]; // bars of a size

const curvesOf = (columns) => columns.map(({ name, values, unit }) => ({ runs: symbol(name), values, tip: unit ? `${name} in ${unit}` : name }));

/** The common label of an axis for several columns: their names when they are few, otherwise what they are; and the unit. */
function labelOf(data, names, word) {
  const distinct = [...new Set(names)];
  const label = distinct.length > 4 ? plain(word) : distinct.flatMap((name, k) => [...(k ? plain(', ') : []), ...symbol(name)]);
  const units = [...new Set(distinct.map(data.unit))];
  return units.length === 1 && units[0] ? [...label, ...plain(` (${units[0]})`)] : label;
}

/** Puts a new panel where an old one stands, in the same size. */
function replace(panel, next) {
  next.root.className = panel.root.className;
  panel.root.replaceWith(next.root);
  return next;
}

// ---- the plots of a run ----

/** The mechanism as it moves. */
function scene(data) {
  return data.scene && scenePanel({ scene: data.scene, t: data.t, file: data.name });
}

function trajectory(data) {
  const { t, paths } = data;
  if (!paths.length) return null;
  const inSpace = paths.every(({ zs }) => zs);
  const curves = paths.map(({ label, xs, ys, zs, x, y }) => ({ runs: plain(label || `${x}, ${y}`), xs, ys, zs }));
  const size = data.scene ? '' : 'tall';
  const bodies = paths.every(({ body }) => body !== false); // else two coordinates against each other, which is no motion of a body
  const title = bodies ? 'Trajectory' : paths[0].label;
  const common = { id: 'trajectory', title, file: data.name, size, t, curves };
  const names = (key) => paths.map((path) => path[key]);
  const flat = () => planePlot({ ...common, xLabel: labelOf(data, names('x'), 'x'), yLabel: labelOf(data, names('y'), 'y'), equal: bodies });
  let panel;
  try {
    panel = inSpace ? spacePlot({ ...common, labels: ['x', 'y', 'z'].map((key) => (paths.length > 1 ? [run(key, '', true)] : labelOf(data, names(key), key))) }) : flat();
  } catch {
    panel = flat();
    panel.setNote(['This browser has no WebGL: the path is seen from above.']);
  }
  if (!data.solid && !data.scene && t.length > 1 && t[t.length - 1] > t[0]) panel.legend.before(player(t));
  return panel;
}

function energy(data) {
  const columns = data.of('energy_error');
  if (!columns.length) return null;
  const many = columns.length > 1;
  // against the energy that is exchanged, as in the verdict, unless there is none
  const over = data.summary?.energy?.exchanged > 0 ? plain('/exchanged energy') : [];
  const change = over.length ? [...plain('('), E, minus, ...E0, ...plain(')'), ...over] : [E, minus, ...E0];
  return timePlot({
    id: 'energy', title: 'Energy error', file: data.name, t: data.t, scale: 'linear', lone: !many,
    curves: many ? curvesOf(columns) : [{ runs: change, values: columns[0].values }],
    label: change, sizeLabel: [open, E, minus, ...E0, close, ...over],
  });
}

function errors(data, kind, id, title, runs) {
  const columns = data.of(kind);
  if (!columns.length) return null;
  return timePlot({
    id, title, file: data.name, t: data.t, scale: 'log', curves: curvesOf(columns), label: runs, sizeLabel: [open, ...runs, close],
  });
}

function phase(data) {
  const { phase: portraits, t } = data;
  if (!portraits.length) return null;
  const holder = { current: portraits[0] };
  const make = () => {
    const { q, p, xs, ys, period } = holder.current;
    return planePlot({
      id: 'phase', title: 'Phase portrait', file: data.name, t, curves: [{ runs: symbol(q), xs, ys, period }],
      xLabel: labelOf(data, [q]), yLabel: labelOf(data, [p]), equal: false,
    });
  };
  let panel = make();
  if (portraits.length === 1) return panel;
  const pick = el('select', { 'aria-label': 'Coordinate' }, portraits.map(({ label, q }, k) => el('option', { value: k }, label || q)));
  pick.addEventListener('change', () => {
    holder.current = portraits[pick.value];
    panel = replace(panel, make());
    panel.addTool(pick);
    pick.focus();
  });
  panel.addTool(pick);
  return panel;
}

const KINDS = [['q', 'coordinates', 'Coordinates'], ['v', 'velocities', 'Velocities'], ['p', 'momenta', 'Momenta'], ['lambda', 'multipliers', 'Multipliers']];

function coordinates(data) {
  const kinds = KINDS.filter(([kind]) => data.of(kind).length);
  if (!kinds.length) return null;
  const make = (kind) => {
    const columns = data.of(kind);
    return timePlot({
      id: 'coordinates', lone: columns.length === 1, title: KINDS.find(([k]) => k === kind)[2], file: data.name, t: data.t, scale: 'fixed',
      curves: curvesOf(columns), label: labelOf(data, columns.map(({ name }) => name), KINDS.find(([k]) => k === kind)[1]),
    });
  };
  let panel = make(kinds[0][0]);
  const addPick = (kind) => {
    if (kinds.length > 1) panel.addTool(choices('What to show', kinds.map(([k]) => [k, k === 'lambda' ? 'λ' : k]), kind, change));
  };
  function change(kind) {
    panel = replace(panel, make(kind));
    addPick(kind);
    panel.tools.querySelector(`[data-value="${kind}"]`).focus();
  }
  addPick(kinds[0][0]);
  return panel;
}

/** Observed functions, those of very different sizes in plots of their own. */
function observed(data) {
  return onCommonAxes(data.of('observe')).map((columns, k) => timePlot({
    id: k ? `observed-${k + 1}` : 'observed', lone: columns.length === 1, title: 'Observed functions', file: data.name, t: data.t, scale: 'fixed',
    curves: curvesOf(columns), label: labelOf(data, columns.map(({ name }) => name), 'value'),
  }));
}

/** The plots that the scenario asks for. */
function asked(data) {
  return data.plots.map(({ title, x, values, curves, bins, against_time: time }, k) => {
    const id = `plot-${k + 1}`;
    const names = curves.map(({ label }) => label);
    const label = names.length > 3 ? plain('value') : names.flatMap((name, j) => [...(j ? plain(', ') : []), ...symbol(name)]);
    const common = { id, file: data.name, t: data.t };
    if (!curves.length) return histogram({ ...common, title: title || `Histogram of ${x}`, values, bins, label: symbol(x) });
    const named = { ...common, title: title || (time ? names.join(', ') : `${names.join(', ')} against ${x}`) };
    if (time) return timePlot({ ...named, scale: 'fixed', lone: names.length === 1, label, curves: curves.map(({ label: name, values: ys }) => ({ runs: symbol(name), values: ys })) });
    return planePlot({ ...named, xLabel: symbol(x), yLabel: label, equal: false, curves: curves.map(({ label: name, values: ys }) => ({ runs: symbol(name), xs: values, ys })) });
  });
}

/** The events of the action record, a dot for each; event and axes can be chosen. */
function section(data) {
  const { sections } = data;
  if (!sections.length) return null;
  const holder = { at: sections[0], x: sections[0].x, y: sections[0].y };
  const make = () => {
    const { at, x, y } = holder;
    const [xs, ys] = [at.find(x), at.find(y)];
    const label = ({ name, unit }) => [...symbol(name), ...(unit ? plain(` (${unit})`) : [])];
    const panel = planePlot({
      id: 'section', title: at.title, file: data.name, size: 'tall', t: at.t, dots: true, equal: false,
      caption: html(plain(at.name)), curves: [{ runs: symbol(y), xs: xs.values, ys: ys.values }], xLabel: label(xs), yLabel: label(ys),
    });
    if (at.total > at.t.length) panel.setNote([`${at.t.length} of ${at.total} events are drawn.`]);
    return panel;
  };
  let panel = make();
  function change(what, value, node) {
    if (what === 'at') Object.assign(holder, { at: sections[value], x: sections[value].x, y: sections[value].y });
    else holder[what] = value;
    panel = replace(panel, make());
    addPicks();
    panel.tools.querySelector(`[data-pick="${node}"]`)?.focus();
  }
  function addPick(what, label, options, chosen) {
    const pick = el('select', { 'aria-label': label, 'data-pick': what }, options.map(([value, text]) => el('option', { value }, text)));
    pick.value = chosen;
    pick.addEventListener('change', () => change(what, pick.value, what));
    panel.addTool(pick);
  }
  function addPicks() {
    const names = holder.at.columns.map(({ name }) => [name, name]);
    addPick('y', 'Vertical axis', names, holder.y);
    addPick('x', 'Horizontal axis', names, holder.x);
    if (sections.length > 1) addPick('at', 'Event', sections.map(({ name }, k) => [k, name]), sections.indexOf(holder.at));
  }
  addPicks();
  return panel;
}

/** The body, how often its elements were updated, and the distribution of these counts. */
function bodies({ solid, name }) {
  return solid ? [solidView, updateMap, updateHistogram].map((make) => make({ file: name, solid })) : [];
}

// ---- the plots of a comparison ----

function methodsOf(rows) {
  const methods = new Map();
  for (const row of rows) {
    if (!methods.has(row.method)) methods.set(row.method, { name: row.method, variational: row.variational !== false, rows: [] });
    methods.get(row.method).rows.push(row);
  }
  for (const method of methods.values()) method.rows.sort((a, b) => b.step - a.step);
  return [...methods.values()];
}

function energyOfMethods(data, methods) {
  const curves = data.energy.filter(({ t, values }) => Array.isArray(t) && Array.isArray(values) && t.length);
  if (!curves.length) return null;
  const length = ({ t, values }) => Math.min(t.length, values.length);
  const [t, ...values] = uPlot.join(curves.map((curve) => [curve.t.slice(0, length(curve)), curve.values.slice(0, length(curve))]),
    curves.map(() => [0, 1]));
  const names = [...new Set(curves.map(({ method }) => method))];
  const variational = (name) => methods.find((method) => method.name === name)?.variational !== false;
  return timePlot({
    id: 'energy', title: 'Energy error over time', size: 'wide', file: data.name, t, scale: 'log',
    curves: curves.map(({ method, step }, k) => {
      const steps = curves.filter((other) => other.method === method).map((other) => other.step).sort((a, b) => b - a);
      return {
        runs: plain(method), values: values[k], dash: !variational(method), suffix: `step ${text(number(step, 4))}${variational(method) ? '' : ', not variational'}`,
        hue: names.indexOf(method), tint: steps.length > 1 ? (0.6 * steps.indexOf(step)) / (steps.length - 1) : 0,
      };
    }),
    label: [E, minus, ...E0], sizeLabel: [open, E, minus, ...E0, close],
  });
}

// ---- the page ----

function plots(data) {
  if (data.sweep) return [sweepCurves(data), sweepMap(data)];
  if (data.kind === 'compare') {
    const methods = methodsOf(data.rows);
    const work = (key, title, xLabel) => methods.length && workPlot({ id: key, title, size: 'high', file: data.name, methods, key, xLabel });
    return [
      work('seconds', 'Error against time spent', plain('seconds')),
      work('step', 'Error against step', plain('step')),
      energyOfMethods(data, methods),
    ];
  }
  return [
    ...bodies(data), scene(data), trajectory(data), ...optimum(data), energy(data),
    errors(data, 'momentum_error', 'momentum', 'Changes of momenta', [J, minus, J, run('0', 'sub')]),
    errors(data, 'constraint', 'constraint', 'Constraint errors', [run('φ', '', true)]),
    section(data), phase(data), coordinates(data), ...observed(data), ...asked(data),
  ];
}

function build() {
  const data = readData(document.getElementById('data').textContent);
  document.title = `${data.title} · Varia`;
  const panels = plots(data).filter(Boolean);
  const cells = panels.reduce((sum, { root }) => sum + (root.matches('.tall, .wide') ? 2 : 1), 0);
  if (cells % 2) panels[panels.length - 1].root.classList.add('wide'); // no hole at the end of the grid
  const page = document.getElementById('page');
  const grid = el('section.plots', { 'aria-label': 'Plots' }, panels.map(({ root }) => root));
  const side = el('div.side', {}, parts.facts(data.facts), parts.summary(data.summary));
  page.append(...[
    parts.header(data), parts.verdicts(data.verdicts), panels.length ? grid : null, parts.compareTable(data.rows),
    failureTable(data.sweep), parts.events(data.summary.events), equations(data.equations),
    el('div.words', {}, side.children.length ? side : null, parts.scenario(data.scenario)),
    el('footer', {}, el('p', { html: 'Drag in a plot to zoom, double click to return. Click a plot and turn the wheel to zoom at the pointer; with Ctrl the wheel zooms at once. All plots against time share the cursor.' })),
  ].filter(Boolean));
}

theme.start();
try {
  build();
} catch (error) {
  document.getElementById('page').append(el('p.banner', { role: 'alert' }, `The data of this report cannot be read: ${error.message}`));
  throw error;
}
window.addEventListener('beforeprint', () => {
  for (const part of document.querySelectorAll('details')) part.open = true;
});
