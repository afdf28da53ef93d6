// SPDX-License-Identifier: BSD-3-Clause
// A sweep: one number of its runs as curves over a varied quantity, and as a map over two of them.
import { Frame } from './frame.js';
import { Panel } from './panel.js';
import { el, choices } from './dom.js';
import { mapColour } from './colormap.js';
import { colours, seriesColour } from './theme.js';
import { html, number, plain, proseHtml, symbol } from './rich.js';
import { FLOOR, extent, widen } from './data.js';

const MOST_ENTRIES = 24; // of a legend
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

const distinct = (axis) => {
  const values = [...new Set(axis.values)];
  return axis.numbers ? values.sort((a, b) => a - b) : values;
};

/** True when the sizes differ so much that equal ratios show more than equal differences. */
function spreads(values) {
  const known = values.filter(isNumber);
  const sizes = known.filter((value) => value > 0);
  const range = extent(sizes);
  return Boolean(range) && known.every((value) => value >= 0) && range[1] / range[0] > 30;
}

const mapped = (value, log) => (log ? Math.log10(Math.max(Math.abs(value), FLOOR)) : value);

function picker(label, options, current, pick) {
  const select = el('select', { 'aria-label': label }, options.map(([value, text]) =>
    el('option', { value, selected: String(value) === String(current) }, text)));
  select.addEventListener('change', () => pick(select.value));
  return el('label.pick', {}, `${label} `, select);
}

/** Puts a panel where another stands. */
function replace(panel, next) {
  next.root.className = panel.root.className;
  panel.root.replaceWith(next.root);
  return next;
}

/** The pointer's nearest of some points, within 24 pixels; at(k) gives the place of point k. */
function nearest(u, count, at) {
  const { left, top } = u.cursor;
  let best = null;
  let reach = 24 * 24;
  for (let k = 0; left >= 0 && k < count; ++k) {
    const [x, y] = at(k);
    const distance = (u.valToPos(x, 'x') - left) ** 2 + (u.valToPos(y, 'y') - top) ** 2;
    if (distance < reach) [best, reach] = [k, distance];
  }
  return best;
}

const valueRuns = (value) => (isNumber(value) ? number(value, 5) : plain(String(value)));

function describeRow(sweep, row, column) {
  const words = sweep.varied.map(({ name, values }) => `<span>${html(symbol(name))} = ${html(valueRuns(values[row]))}</span>`);
  return `${words.join('')}<span><b>${html(number(column.values[row], 4))}</b></span>`;
}

// ---- curves ----

/** Rows that differ in the abscissa alone make one curve. */
function curvesOf(sweep, x, column) {
  const others = sweep.varied.filter((axis) => axis !== x);
  const curves = new Map();
  for (let row = 0; row < sweep.rows; ++row) {
    if (!isNumber(column.values[row]) || !isNumber(x.values[row])) continue;
    const key = JSON.stringify(others.map((axis) => axis.values[row]));
    if (!curves.has(key)) curves.set(key, []);
    curves.get(key).push(row);
  }
  for (const rows of curves.values()) rows.sort((a, b) => x.values[a] - x.values[b]);
  return [...curves.values()];
}

function drawCurves(u, ctx, ratio, { curves, points, colourOf, near }) {
  const { paper } = colours();
  for (const rows of curves) {
    const at = rows.map((row) => [u.valToPos(points[row][0], 'x', true), u.valToPos(points[row][1], 'y', true)]);
    ctx.strokeStyle = colourOf(rows[0]);
    ctx.fillStyle = colourOf(rows[0]);
    ctx.lineWidth = 1.6 * ratio;
    ctx.beginPath();
    at.forEach(([px, py], k) => ctx[k ? 'lineTo' : 'moveTo'](px, py));
    ctx.stroke();
    if (rows.length > 400) continue;
    at.forEach(([px, py], k) => {
      ctx.beginPath();
      ctx.arc(px, py, (rows[k] === near ? 5.5 : rows.length > 60 ? 1.8 : 3.2) * ratio, 0, 7);
      ctx.fill();
      if (rows[k] === near) { ctx.strokeStyle = paper; ctx.stroke(); ctx.strokeStyle = colourOf(rows[0]); }
    });
  }
}

function curvePanel(file, sweep, state) {
  const panel = new Panel({ id: 'sweep', title: 'Over one varied quantity', size: 'wide high', file });
  const column = sweep.columns[state.column];
  const x = state.x;
  const by = state.by;
  const curves = curvesOf(sweep, x, column);
  const rows = curves.flat();
  if (!rows.length) {
    panel.holder.replaceWith(el('p.empty', {}, 'No run has this number.'));
    return panel;
  }
  const logX = spreads(x.values);
  const logY = state.scale === 'log';
  const points = {};
  for (const row of rows) points[row] = [mapped(x.values[row], logX), mapped(column.values[row], logY)];
  const groups = by ? distinct(by) : [];
  const shown = new Set(groups);
  const visible = () => curves.filter((of) => !by || shown.has(by.values[of[0]]));
  const colourOf = (row) => seriesColour(by ? groups.indexOf(by.values[row]) : 0, Math.max(1, groups.length));
  const full = () => {
    const all = visible().flat().map((row) => points[row]);
    return { x: widen(extent(all.map(([px]) => px)), 0.04), y: widen(extent(all.map(([, py]) => py)), 0.08) };
  };
  let near = null;
  const frame = new Frame(panel.holder, {
    x: { label: symbol(x.name), log: logX }, y: { label: plain(column.name), log: logY },
    data: [full().x, [null, null]], series: [{ points: { show: false } }], full,
    paint: (u, ctx, ratio) => drawCurves(u, ctx, ratio, { curves: visible(), points, colourOf, near }),
    onView: (view, zoomed) => panel.setView(view, zoomed),
    onCursor: (u) => {
      const candidates = visible().flat();
      const k = nearest(u, candidates.length, (j) => points[candidates[j]]);
      const next = k === null ? null : candidates[k];
      if (next === near) return;
      near = next;
      panel.readout.innerHTML = near === null ? '' : describeRow(sweep, near, column);
      frame.redraw();
    },
  });
  if (groups.length > 1 && groups.length <= MOST_ENTRIES) {
    panel.legend.classList.toggle('many', groups.length > 12);
    groups.forEach((value, k) => panel.entry({
      runs: [...symbol(by.name), ...plain(' = '), ...valueRuns(value)], colour: () => seriesColour(k, groups.length), shape: 'line',
      toggle: (on) => { if (on) shown.add(value); else shown.delete(value); frame.redraw(); },
    }));
  }
  if (logY && column.values.some((value) => isNumber(value) && Math.abs(value) < FLOOR)) panel.setNote(['Zeros are drawn at 10⁻¹⁷.']);
  panel.hold(frame);
  panel.root.dataset.curves = String(curves.length);
  return panel;
}

/** Tools of a panel that is made anew when one of them changes. */
function withTools(state, make, tools) {
  let panel = null;
  const change = () => {
    const next = make();
    panel = panel ? replace(panel, next) : next;
    for (const tool of tools(change)) panel.addTool(tool);
  };
  change();
  return panel;
}

const columnPicker = (sweep, state, change) => picker('Number', sweep.columns.map(({ name }, k) => [k, name]), state.column, (value) => {
  state.column = Number(value);
  state.scale = spreads(sweep.columns[state.column].values) ? 'log' : 'linear';
  change();
});
const scalePicker = (state, change) =>
  choices('Scale', [['linear', 'linear'], ['log', 'log']], state.scale, (value) => { state.scale = value; change(); });
const axisPicker = (label, axes, state, key, change) =>
  picker(label, axes.map(({ name }, k) => [k, name]), axes.indexOf(state[key]), (value) => { state[key] = axes[Number(value)]; change(); });

export function sweepCurves({ name, sweep }) {
  const axes = sweep.varied.filter((axis) => axis.numbers && distinct(axis).length > 1);
  if (!axes.length || !sweep.columns.length) return null;
  const longest = axes.reduce((a, b) => (distinct(b).length > distinct(a).length ? b : a));
  const state = { column: 0, x: longest, by: null, scale: spreads(sweep.columns[0].values) ? 'log' : 'linear' };
  const others = () => sweep.varied.filter((axis) => axis !== state.x && distinct(axis).length > 1);
  return withTools(state, () => {
    if (!others().includes(state.by)) [state.by] = others();
    return curvePanel(name, sweep, state);
  }, (change) => [
    scalePicker(state, change),
    ...(others().length > 1 ? [axisPicker('Colour', others(), state, 'by', change)] : []),
    ...(axes.length > 1 ? [axisPicker('Over', axes, state, 'x', change)] : []),
    columnPicker(sweep, state, change),
  ]);
}

// ---- the map ----

/** Where values stand on an axis: numbers where they are, words at 0, 1, 2, ... */
function placesOf(axis) {
  const values = distinct(axis);
  const log = axis.numbers && spreads(values);
  const at = new Map(values.map((value, k) => [value, axis.numbers ? mapped(value, log) : k]));
  const places = values.map((value) => at.get(value));
  const ends = new Map(places.map((place, k) => {
    const before = k > 0 ? places[k - 1] : 2 * place - (places[k + 1] ?? place + 1);
    const after = k + 1 < places.length ? places[k + 1] : 2 * place - (places[k - 1] ?? place - 1);
    return [values[k], [(before + place) / 2, (place + after) / 2]];
  }));
  return { values, log, at, ends, names: axis.numbers ? null : values.map(String) };
}

function mapPanel(file, sweep, state) {
  const panel = new Panel({ id: 'map', title: 'Over two varied quantities', size: 'wide high', file });
  const column = sweep.columns[state.column];
  const log = state.scale === 'log';
  const [xAxis, yAxis] = [state.across, state.up]; // of this panel: the state goes on
  const [across, up] = [placesOf(xAxis), placesOf(yAxis)];
  const rows = [...column.values.keys()].filter((row) => isNumber(column.values[row]));
  const range = extent(rows.map((row) => mapped(column.values[row], log)));
  if (!range) {
    panel.holder.replaceWith(el('p.empty', {}, 'No run has this number.'));
    return panel;
  }
  const cells = across.values.length * up.values.length <= 4 * sweep.rows;
  const share = (row) => (range[1] > range[0] ? (mapped(column.values[row], log) - range[0]) / (range[1] - range[0]) : 0);
  const place = (row) => [across.at.get(xAxis.values[row]), up.at.get(yAxis.values[row])];
  const edges = ({ values, ends }) => [ends.get(values[0])[0], ends.get(values[values.length - 1])[1]];
  const whole = () => (cells ? { x: edges(across), y: edges(up) } : { x: widen(edges(across)), y: widen(edges(up)) });
  let near = null;
  const paint = (u, ctx, ratio) => {
    const { ink } = colours();
    const pixel = (value, key) => Math.round(u.valToPos(value, key, true));
    for (const row of rows) {
      ctx.fillStyle = mapColour('field', share(row));
      if (cells) {
        const [left, right] = across.ends.get(xAxis.values[row]).map((value) => pixel(value, 'x'));
        const [bottom, top] = up.ends.get(yAxis.values[row]).map((value) => pixel(value, 'y'));
        ctx.fillRect(left, top, right - left, bottom - top);
        if (row === near) { ctx.strokeStyle = ink; ctx.lineWidth = 2 * ratio; ctx.strokeRect(left, top, right - left, bottom - top); }
      } else {
        const [px, py] = place(row);
        ctx.beginPath();
        ctx.arc(pixel(px, 'x'), pixel(py, 'y'), (row === near ? 6 : 4) * ratio, 0, 7);
        ctx.fill();
      }
    }
  };
  const frame = new Frame(panel.holder, {
    x: { label: symbol(xAxis.name), log: across.log, names: across.names }, y: { label: symbol(yAxis.name), log: up.log, names: up.names },
    data: [whole().x, [null, null]], series: [{ points: { show: false } }], full: whole, paint,
    onView: (view, zoomed) => panel.setView(view, zoomed),
    onCursor: (u) => {
      let next = null;
      if (u.cursor.left >= 0 && cells) {
        const inside = ({ ends }, value, key) => { const [a, b] = ends.get(value); const p = u.posToVal(u.cursor[key === 'x' ? 'left' : 'top'], key); return p >= a && p < b; };
        next = rows.find((row) => inside(across, xAxis.values[row], 'x') && inside(up, yAxis.values[row], 'y')) ?? null;
      } else {
        const k = nearest(u, rows.length, (j) => place(rows[j]));
        next = k === null ? null : rows[k];
      }
      if (next === near) return;
      near = next;
      panel.readout.innerHTML = near === null ? '' : describeRow(sweep, near, column);
      frame.redraw();
    },
  });
  const steps = range[1] > range[0] ? [0, 0.25, 0.5, 0.75, 1] : [0];
  for (const s of steps) {
    const value = range[0] + s * (range[1] - range[0]);
    panel.entry({ runs: number(log ? 10 ** value : value, 3), colour: () => mapColour('field', s), shape: 'line' });
  }
  const empty = across.values.length * up.values.length - new Set(rows.map((row) => JSON.stringify(place(row)))).size;
  panel.setNote([
    sweep.varied.length > 2 && cells && 'Of several cases at one place the last is shown.',
    cells && empty > 0 && 'No colour: no case, or one that failed.',
  ]);
  panel.hold(frame);
  panel.root.dataset.cells = String(cells ? rows.length : 0);
  return panel;
}

export function sweepMap({ name, sweep }) {
  const axes = sweep.varied.filter((axis) => distinct(axis).length > 1);
  if (axes.length < 2 || !sweep.columns.length) return null;
  const state = { column: 0, across: axes[0], up: axes[1], scale: spreads(sweep.columns[0].values) ? 'log' : 'linear' };
  const swap = (key, other) => { // the two axes are never the same
    const old = state[key];
    return () => { if (state[key] === state[other]) state[other] = old; };
  };
  return withTools(state, () => mapPanel(name, sweep, state), (change) => {
    const [fixUp, fixAcross] = [swap('across', 'up'), swap('up', 'across')];
    return [
      scalePicker(state, change),
      axisPicker('Up', axes, state, 'up', () => { fixAcross(); change(); }),
      axisPicker('Across', axes, state, 'across', () => { fixUp(); change(); }),
      columnPicker(sweep, state, change),
    ];
  });
}

// ---- cases that failed ----

export function failureTable(sweep) {
  if (!sweep || !sweep.failures.length) return null;
  const heads = ['case', ...sweep.varied.map(({ name }) => name), 'why it failed'];
  return el('section', {}, el('h2', {}, 'Cases that failed'),
    el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': 'Table of failed cases' }, el('table.runs', {},
      el('thead', {}, el('tr', {}, heads.map((head) => el('th', { scope: 'col' }, head)))),
      el('tbody', {}, sweep.failures.map((row) => el('tr', {},
        el('th', { scope: 'row' }, String(row.case)), row.values.map((value) => el('td', {}, String(value))),
        el('td.message', { html: proseHtml(row.message ?? '') })))))));
}
