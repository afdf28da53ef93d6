// SPDX-License-Identifier: BSD-3-Clause
// How often the elements were updated: on the shape at the start, and as a histogram.
import { Frame } from './frame.js';
import { MeshView, boundsOf } from './meshview.js';
import { Panel } from './panel.js';
import { mapColour } from './colormap.js';
import { colours, onTheme } from './theme.js';
import { html, number, plain, text } from './rich.js';
import { countRange, fieldsOf, shareOf } from './soliddata.js';
import { tipIn, write } from './solidview.js';

const BINS = 28;

/** The map of the counts; null when nothing was counted or the mesh cannot be drawn. */
export function updateMap({ file, solid }) {
  if (solid.error || !solid.updates) return null;
  const field = fieldsOf(solid).find(({ key }) => key === 'updates');
  const panel = new Panel({ id: 'updates', title: 'Updates per element', size: 'chart', file });
  if (!field) {
    panel.empty('No element was updated.');
    return panel;
  }
  const { x } = solid.frames[0];
  const tip = tipIn(panel.holder);
  let view;
  try {
    view = new MeshView(panel, solid, boundsOf([x]), (ctx, self) => {
      write(ctx, self, { field, time: null, units: solid.units });
      const rows = self.hit && [
        ...(solid.element ? [['element', plain(String(solid.element[self.hit.triangle]))]] : []),
        ['updates', number(solid.updates[self.hit.triangle], 0)],
      ];
      tip(rows, self.pointer, self);
    });
  } catch {
    return null; // the panel above says so
  }
  const range = field.range();
  view.setShape(x);
  view.setValues(field, solid.updates, (value) => shareOf(field, range, value));
  panel.holder.setAttribute('aria-label', `Updates per element. Arrows ${view.flat ? 'move' : 'turn'}, plus and minus zoom, 0 resets.`);
  panel.describe(`Coloured by the number of updates, from ${range.low} to ${range.high}, logarithmic`);
  panel.setNote([
    `On the shape at the start; drag to ${view.flat ? 'move' : 'turn'}.`,
    solid.updates.some((value) => value <= 0) && 'Grey: never updated.',
  ]);
  panel.onReset = () => view.home();
  panel.canvas = () => view.overlay;
  panel.layers = () => { view.render(); return [view.renderer.domElement, view.overlay]; };
  onTheme(() => view.recolour());
  return panel;
}

/** Counts of all elements; in the plane every one is drawn. Nothing where only those at the surface are known. */
function countsOf({ all, dimension, element, updates }) {
  if (all) return all;
  if (dimension !== 2) return null;
  if (!element) return updates;
  const known = new Map();
  element.forEach((number_, k) => known.set(number_, updates[k]));
  return Float32Array.from(known.values());
}

/** Equal bins in the logarithm: [{ low, high, count }], the ends as log10. */
function binsOf(counts, [low, high]) {
  const [from, to] = [Math.log10(low), Math.log10(high)];
  const n = Math.min(BINS, Math.max(1, Math.ceil(2 * Math.sqrt(counts.length))));
  const bins = Array.from({ length: n }, (_, k) => ({ low: from + ((to - from) * k) / n, high: from + ((to - from) * (k + 1)) / n, count: 0 }));
  for (const value of counts) {
    if (value > 0) ++bins[Math.min(n - 1, Math.max(0, Math.floor((n * (Math.log10(value) - from)) / (to - from))))].count;
  }
  return bins;
}

function words(counts) {
  const sum = counts.reduce((all, value) => all + value, 0);
  return [
    `${text(number(counts.length, 0))} elements, ${sum < 1e9 ? text(number(sum, 0)) : sum.toPrecision(4)} updates.`,
    counts.some((value) => value <= 0) && 'Elements that were never updated are not drawn.',
  ];
}

export function updateHistogram({ file, solid }) {
  if (solid.error || !solid.updates) return null;
  const counts = countsOf(solid);
  const range = counts && countRange(counts);
  if (!range) return null;
  const panel = new Panel({ id: 'histogram', title: 'Distribution of updates', size: 'chart', file });
  const bins = binsOf(counts, range);
  const most = Math.max(...bins.map(({ count }) => count));
  const colourRange = countRange(solid.updates) ?? range; // the colours of the map
  const colourAt = (x) => mapColour('count', shareOf({ log: true }, { low: colourRange[0], high: colourRange[1] }, 10 ** x));
  const margin = 0.03 * (bins[bins.length - 1].high - bins[0].low);
  const full = () => ({ x: [bins[0].low - margin, bins[bins.length - 1].high + margin], y: [0, 1.08 * most] });
  let near = null;
  const paint = (u, ctx, ratio) => {
    const { ink } = colours();
    for (const bin of bins) {
      if (!bin.count) continue;
      const [left, right] = [u.valToPos(bin.low, 'x', true), u.valToPos(bin.high, 'x', true)].map(Math.round);
      const [top, bottom] = [u.valToPos(bin.count, 'y', true), u.valToPos(0, 'y', true)];
      const gap = right - left > 6 * ratio ? ratio : 0;
      ctx.fillStyle = colourAt((bin.low + bin.high) / 2);
      ctx.fillRect(left + gap, top, Math.max(1, right - left - 2 * gap), bottom - top);
      ctx.strokeStyle = ink;
      ctx.globalAlpha = bin === near ? 1 : 0.35;
      ctx.lineWidth = (bin === near ? 2 : 1) * ratio;
      ctx.strokeRect(left + gap + 0.5 * ratio, top, Math.max(1, right - left - 2 * gap - ratio), bottom - top);
      ctx.globalAlpha = 1;
    }
  };
  const frame = new Frame(panel.holder, {
    x: { label: plain('updates of an element'), log: true }, y: { label: plain('elements'), log: false, whole: true },
    data: [full().x, [null, null]], series: [{ points: { show: false } }], full, paint,
    onView: (view, zoomed) => panel.setView(view, zoomed),
    onCursor: (u) => {
      const x = u.cursor.left >= 0 ? u.posToVal(u.cursor.left, 'x') : null;
      const next = x === null ? null : bins.find(({ low, high }) => x >= low && x < high) ?? null;
      if (next === near) return;
      near = next;
      const to = near && [near.low, near.high].map((end) => html(number(Math.round(10 ** end), 3)));
      panel.readout.innerHTML = near ? `<span>${to[0]} to ${to[1]} updates:</span><span>${html(number(near.count, 0))} element${near.count === 1 ? '' : 's'}</span>` : '';
      frame?.redraw();
    },
  });
  panel.root.dataset.bins = JSON.stringify(bins.map(({ low, high, count }) => [10 ** low, 10 ** high, count]));
  panel.setProse(words(counts));
  panel.hold(frame);
  return panel;
}
