// SPDX-License-Identifier: BSD-3-Clause
// The deforming body: its mesh at the time of the page's clock, coloured by a field one chooses.
import { Vector3 } from 'three';
import { MeshView, aspectOf, boundsOf } from './meshview.js';
import { Panel } from './panel.js';
import { clock } from './clock.js';
import { drawBar } from './colourbar.js';
import { el } from './dom.js';
import { player } from './player.js';
import { colours, onTheme } from './theme.js';
import { draw, html, number, plain, run } from './rich.js';
import { TIME } from './timeplot.js';
import { fieldsOf, shareOf } from './soliddata.js';
import { nearestAt } from './data.js';

const PLAIN = 'plain';
const WIDE = 1.45; // from this ratio of width to height on, a body takes a whole row

const withUnit = (runs, unit) => (unit ? [...runs, ...plain(`\u202f${unit}`)] : runs);

// ---- writing above a mesh ----

/** A length of 1, 2 or 5 times a power of ten, drawn to scale. */
function scaleBar(ctx, view, unit) {
  const { muted, ink } = colours();
  const pixels = view.perUnit() * view.bounds.scale; // for a length of 1
  const most = Math.min(110, view.width / 4) / pixels;
  const base = 10 ** Math.floor(Math.log10(most));
  const length = Number(((most / base >= 5 ? 5 : most / base >= 2 ? 2 : 1) * base).toPrecision(1));
  if (!(pixels * length > 2)) return;
  const [x, y] = [18.5, view.room.floor - 8.5];
  ctx.strokeStyle = muted;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x, y - 4);
  ctx.lineTo(x, y);
  ctx.lineTo(x + pixels * length, y);
  ctx.lineTo(x + pixels * length, y - 4);
  ctx.stroke();
  draw(ctx, withUnit(number(length, 1), unit), x + pixels * length + 8, y + 2, { size: 12, color: ink });
}

/** The directions of the axes. */
function triad(ctx, view) {
  const { muted, ink } = colours();
  const [x, y, length] = [36, view.room.floor - 36, 24];
  const turn = view.camera.matrixWorldInverse;
  const axes = ['x', 'y', 'z'].map((name, k) => ({ name, to: new Vector3().setComponent(k, 1).transformDirection(turn) })).sort((a, b) => a.to.z - b.to.z);
  for (const { name, to } of axes) {
    ctx.strokeStyle = muted;
    ctx.lineWidth = 1.6;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + length * to.x, y - length * to.y);
    ctx.stroke();
    if (Math.hypot(to.x, to.y) > 0.25) draw(ctx, [run(name, '', true)], x + (length + 9) * to.x, y - (length + 9) * to.y + 4, { size: 13, color: ink, align: 'center' });
  }
}

/** Writes the colour bar, the time and the scale of a view. */
export function write(ctx, view, { field, time, units }) {
  const narrow = view.width < 520;
  view.room = { floor: narrow ? view.height - 64 : view.height };
  drawBar(ctx, view.panel, field, view.width, view.height);
  if (time !== null) draw(ctx, withUnit([...TIME, ...plain(' = '), ...number(time, 4)], units.time), 14, 18, { size: 15, color: colours().ink });
  if (view.flat) scaleBar(ctx, view, units.length); else triad(ctx, view);
}

// ---- the box beside the pointer ----

/** What is known about a triangle: [name, runs]. */
function describe(solid, fields, frame, { triangle, weights }) {
  const rows = solid.element ? [['element', plain(String(solid.element[triangle]))]] : [];
  for (const { name, unit, per, values, key } of fields) {
    const all = values(frame);
    const value = per === 'triangle' ? all[triangle] : weights.reduce((sum, w, k) => sum + w * all[solid.triangles[3 * triangle + k]], 0);
    rows.push([key === 'updates' ? 'updates' : name, withUnit(key === 'updates' ? number(value, 0) : number(Number(value.toPrecision(4)), 4), unit)]);
  }
  return rows;
}

/** A box that follows the pointer; show(rows) or show(null). */
export function tipIn(holder) {
  const tip = el('div.tip', { hidden: true });
  holder.append(tip);
  return (rows, at, view) => {
    tip.hidden = !rows;
    if (!rows) return;
    tip.innerHTML = rows.map(([name, runs]) => `<span>${name}</span><b>${html(runs)}</b>`).join('');
    const { offsetWidth: width, offsetHeight: height } = tip;
    const x = at[0] + 16 + width > view.width ? at[0] - 16 - width : at[0] + 16;
    const y = Math.min(at[1] + 14, view.height - height - 4);
    tip.style.transform = `translate(${Math.max(2, x)}px, ${y}px)`;
  };
}

// ---- the panel ----

const sizeText = (solid) => {
  const { x } = solid.frames[0];
  const sides = [0, 1, 2].slice(0, solid.dimension).map((k) => {
    let [low, high] = [Infinity, -Infinity];
    for (let j = k; j < x.length; j += 3) { low = Math.min(low, x[j]); high = Math.max(high, x[j]); }
    return high - low;
  });
  return [...sides.flatMap((side, k) => [...(k ? plain(' by ') : []), ...number(Number(side.toPrecision(4)), 3)]), ...plain(solid.units.length ? ` ${solid.units.length}` : '')];
};

export function solidView({ file, solid }) {
  const failed = (message) => {
    const panel = new Panel({ id: 'solid', title: 'Deformation', size: 'wide', file });
    panel.empty(message);
    return panel;
  };
  if (solid.error) return failed(`The mesh cannot be drawn: ${solid.error}.`);
  const { frames } = solid;
  const bounds = boundsOf(frames.map(({ x }) => x));
  const panel = new Panel({ id: 'solid', title: 'Deformation', size: aspectOf(solid.dimension, bounds) >= WIDE ? 'wide.scene' : 'tall.scene', file });
  const fields = fieldsOf(solid);
  const times = frames.map(({ t }) => t);
  const last = frames.length - 1;
  const state = { field: fields[0], frame: -1, ghost: true };
  const tip = tipIn(panel.holder);
  let view;
  try {
    view = new MeshView(panel, solid, bounds, (ctx, self) => {
      write(ctx, self, { field: state.field, time: times[state.frame], units: solid.units });
      tip(self.hit && describe(solid, fields, state.frame, self.hit), self.pointer, self);
    });
  } catch {
    return failed('This browser has no WebGL: the mesh is not drawn.');
  }
  panel.holder.setAttribute('aria-label', `Deformation. Arrows ${view.flat ? 'move' : 'turn'}, plus and minus zoom, 0 resets.`);
  view.setGhost(frames[0].x);

  const colour = () => {
    const { field, frame } = state;
    const range = field?.range();
    view.setValues(field, field?.values(frame), (value) => shareOf(field, range, value));
    panel.root.dataset.field = field?.key ?? PLAIN;
    const unit = field?.unit ? ` ${field.unit}` : '';
    panel.describe(field ? `Coloured by ${field.name}, from ${range.low} to ${range.high}${unit}` : 'Without colours');
  };
  const show = () => {
    const now = clock.hover ?? clock.now;
    const frame = now === null ? last : nearestAt(times, now);
    if (frame === state.frame) return;
    state.frame = frame;
    panel.root.dataset.frame = frame;
    view.setShape(frames[frame].x);
    view.showGhost(state.ghost && frame > 0);
    colour();
  };
  const notes = () => panel.setProse([
    view.flat ? 'Drag to move.' : 'Drag to turn.',
    state.field?.range().clipped && `Few values lie above the colour bar, up to ${state.field.range().most.toPrecision(2)}${state.field.unit ? ` ${state.field.unit}` : ''}.`,
    solid.lost && `${solid.lost} frame${solid.lost > 1 ? 's' : ''} with positions that are not numbers left out.`,
    solid.note,
  ]);
  const pick = el('select', { 'aria-label': 'Colour' }, [...fields.map(({ key, name }) => [key, name]), [PLAIN, 'no colours']].map(([value, text]) => el('option', { value }, text)));
  pick.addEventListener('change', () => {
    state.field = fields.find(({ key }) => key === pick.value) ?? null;
    colour();
    notes();
  });
  panel.addTool(pick);
  if (times[last] > times[0]) panel.legend.before(player(times, { stops: times, atEnd: true }));
  panel.entry({ runs: plain('element edges'), colour: () => colours().ink, toggle: (on) => { view.edges.visible = on; view.ask(); } });
  panel.entry({ runs: plain('shape at the start'), colour: () => colours().muted, toggle: (on) => { state.ghost = on; view.showGhost(on && state.frame > 0); } });
  panel.legend.append(el('span.entry.size', {
    html: html([...plain(solid.dimension === 3 ? 'surface of ' : ''), ...number(solid.count, 0), ...plain(`${solid.count === 1 ? ' triangle, ' : ' triangles, '}`), ...sizeText(solid)]),
  }));
  panel.onReset = () => view.home();
  panel.canvas = () => view.overlay;
  panel.layers = () => { view.render(); return [view.renderer.domElement, view.overlay]; };
  notes();
  show();
  clock.listen(show);
  onTheme(() => { view.recolour(); panel.paintLegend(); });
  return panel;
}

