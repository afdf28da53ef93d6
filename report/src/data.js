// SPDX-License-Identifier: BSD-3-Clause
// The data of the page as the program wrote them, made regular: whatever is missing becomes empty.
import { readScene } from './scenedata.js';
import { readSolid } from './soliddata.js';
import { readSweep } from './sweepdata.js';

export const FLOOR = 1e-17; // smallest value of a logarithmic axis; zeros stand here

const list = (value) => (Array.isArray(value) ? value : []);
const finite = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** Angles in (-period/2, period/2]; without a period the values as they are. */
const wrapped = (values, period) => (values && period ? values.map((x) => (x === null ? null : x - period * Math.round(x / period))) : values);

/** The sections that have their axes. */
function readSections(raw) {
  return list(raw).map((section) => {
    const t = list(section.t).map(finite);
    const columns = list(section.columns).map((column) => ({ unit: '', ...column, values: t.map((_, k) => finite(list(column.values)[k])) }));
    const find = (name) => columns.find((column) => column.name === name);
    return { name: '', title: 'Section', total: t.length, ...section, t, columns, find };
  }).filter(({ x, y, find }) => find(x) && find(y));
}

/** Bounds of inputs by name, and what the solver said after each iteration. */
function readOptimum(raw) {
  if (!raw) return null;
  const row = (item) => Object.fromEntries(Object.entries(item ?? {}).map(([key, value]) => [key, finite(value)]));
  return { history: list(raw.history).map(row), bounds: Object.fromEntries(Object.entries(raw.bounds ?? {}).map(([name, pair]) => [name, list(pair).map(finite)])) };
}

export function readData(text) {
  const raw = JSON.parse(text) ?? {};
  const t = list(raw.t).map(finite);
  const columns = list(raw.columns)
    .filter((column) => column && typeof column.name === 'string')
    .map((column) => ({ kind: '', unit: '', ...column, values: t.map((_, k) => finite(list(column.values)[k])) }));
  const find = (name, kinds) =>
    columns.find((column) => column.name === name && kinds.includes(column.kind)) ?? columns.find((column) => column.name === name);
  const values = (name, ...kinds) => (name ? find(name, kinds)?.values ?? null : null);
  const paths = list(raw.paths)
    .map((path) => ({ ...path, xs: values(path.x, 'q', 'observe'), ys: values(path.y, 'q', 'observe'), zs: values(path.z, 'q', 'observe') }))
    .filter((path) => path.xs && path.ys);
  const phase = list(raw.phase)
    .map((item) => ({ ...item, xs: wrapped(values(item.q, 'q'), item.period), ys: values(item.p, 'p', 'v') }))
    .filter((item) => item.xs && item.ys);
  return {
    varia: raw.varia ?? '', kind: raw.kind ?? 'run', title: raw.title || raw.name || 'Varia report', name: raw.name || 'report',
    scenario: raw.scenario ?? '', summary: raw.summary ?? {}, verdicts: list(raw.verdicts), facts: list(raw.facts),
    equations: raw.equations ?? null, t, columns, paths, phase, sections: readSections(raw.sections), solid: readSolid(raw.solid), scene: readScene(raw.draw), sweep: readSweep(raw.sweep),
    plots: list(raw.plots).map((plot) => ({
      title: '', x: 't', bins: 0, ...plot, values: t.map((_, k) => finite(list(plot.values)[k])),
      curves: list(plot.curves).map((curve) => ({ ...curve, values: t.map((_, k) => finite(list(curve.values)[k])) })),
    })),
    optimum: readOptimum(raw.optimum),
    rows: list(raw.compare?.rows), energy: list(raw.compare?.energy),
    unit: (name) => columns.find((column) => column.name === name)?.unit ?? '',
    of: (...kinds) => columns.filter((column) => kinds.includes(column.kind)),
  };
}

/** [smallest, largest] of the numbers in several lists, or null when there is none. */
export function extent(...lists) {
  let low = Infinity;
  let high = -Infinity;
  for (const values of lists) {
    for (const value of values) {
      if (value === null || value === undefined) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}

/** A range of an axis around an extent: never empty, with a margin. */
export function widen(range, margin = 0.06) {
  if (!range) return [0, 1];
  const [low, high] = range;
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-13 * size || high === low) return size === 0 ? [-1, 1] : [low - 0.1 * size, high + 0.1 * size];
  return [low - margin * (high - low), high + margin * (high - low)];
}

/** A range of a logarithmic axis for the sizes in several lists; the lowest hundredth may fall below it. */
export function logRange(...lists) {
  const sizes = lists.flat().filter((value) => value > FLOOR).sort((a, b) => a - b);
  if (!sizes.length) return [FLOOR / 2, FLOOR * 100];
  const low = sizes[Math.floor(sizes.length * 0.01)];
  const high = sizes[sizes.length - 1];
  const decadesWanted = Math.max(Math.log10(high / low), 1);
  const middle = Math.log10(high) / 2 + Math.log10(low) / 2;
  return [10 ** (middle - decadesWanted * 0.56), 10 ** (middle + decadesWanted * 0.56)];
}

/** The size of a value; holes stay holes. */
export const size = (value) => (value === null || value === undefined ? value : Math.abs(value));

/** True when a curve of sizes jumps so much on a logarithmic axis that lines would only blacken the plot: round-off. */
export function isRough(values) {
  const logs = values.filter((value) => value > FLOOR).map(Math.log10);
  const known = values.filter((value) => value !== null && value !== undefined).length;
  if (known < 50) return false;
  if (known - logs.length > 0.03 * known) return true;
  const jumps = logs.slice(1).map((value, k) => Math.abs(value - logs[k])).sort((a, b) => a - b);
  return jumps[jumps.length >> 1] > 0.12;
}

/** True when points are so far apart that lines between them would draw corners that are not there. */
export function isCoarse(points) {
  const turns = [];
  for (let k = 2; k < points.length; ++k) {
    const [a, b, c] = [points[k - 2], points[k - 1], points[k]];
    if (!a || !b || !c) continue;
    const [from, to] = [b.map((x, j) => x - a[j]), c.map((x, j) => x - b[j])];
    const dot = from.reduce((sum, x, j) => sum + x * to[j], 0);
    const sizes = Math.hypot(...from) * Math.hypot(...to);
    if (sizes > 0) turns.push(Math.acos(Math.min(Math.max(dot / sizes, -1), 1)));
  }
  turns.sort((a, b) => a - b);
  return turns.length > 8 && turns[turns.length >> 1] > 0.3;
}

/** Index of the last time not after t (times increase). */
export function indexAt(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}

/** Index of the time nearest to t. */
export function nearestAt(times, t) {
  const k = indexAt(times, t);
  return k + 1 < times.length && times[k + 1] - t < t - times[k] ? k + 1 : k;
}
