// SPDX-License-Identifier: BSD-3-Clause
// How often a quantity has which values at the records.
import { Frame } from './frame.js';
import { Panel } from './panel.js';
import { colours, seriesColour } from './theme.js';
import { html, number, plain } from './rich.js';
import { extent } from './data.js';

/** Bars between equal limits: { low, width, counts }. */
export function countsOf(values, bins = 0) {
  const known = values.filter((value) => value !== null);
  const range = extent(known);
  if (!range) return null;
  const size = Math.max(Math.abs(range[0]), Math.abs(range[1]), 1e-300);
  const [low, high] = range[1] - range[0] > 1e-13 * size ? range : [range[0] - 0.5 * size, range[1] + 0.5 * size];
  const n = bins || Math.min(Math.max(Math.round(2 * Math.cbrt(known.length)), 5), 60);
  const counts = new Array(n).fill(0);
  for (const value of known) ++counts[Math.min(Math.floor(((value - low) / (high - low)) * n), n - 1)];
  return { low, width: (high - low) / n, counts };
}

export function histogram({ id, title, file, values, bins, label }) {
  const panel = new Panel({ id, title, file });
  const bars = countsOf(values, bins);
  if (!bars) {
    panel.empty(values.length ? 'There are no values to count.' : 'There are no records to count.');
    return panel;
  }
  const { low, width, counts } = bars;
  const end = low + width * counts.length;
  const most = Math.max(...counts);
  const room = 0.03 * (end - low);
  const full = () => ({ x: [low - room, end + room], y: [0, 1.08 * most] });
  const paint = (u, ctx, ratio) => {
    ctx.fillStyle = seriesColour(0, 1);
    ctx.strokeStyle = colours().paper;
    ctx.lineWidth = ratio;
    counts.forEach((count, k) => {
      const [x, right] = [low + k * width, low + (k + 1) * width].map((value) => u.valToPos(value, 'x', true));
      const [top, floor] = [count, 0].map((value) => u.valToPos(value, 'y', true));
      ctx.beginPath();
      ctx.rect(x, top, right - x, floor - top);
      ctx.fill();
      ctx.stroke();
    });
  };
  const frame = new Frame(panel.holder, {
    x: { label, log: false }, y: { label: plain('records'), log: false, whole: true },
    data: [full().x, [null, null]], series: [{ points: { show: false } }],
    full, paint,
    onView: (view, zoomed) => panel.setView(view, zoomed),
    onCursor: (u) => {
      const k = u.cursor.left >= 0 ? Math.floor((u.posToVal(u.cursor.left, 'x') - low) / width) : -1;
      panel.readout.innerHTML = counts[k] === undefined ? ''
        : `<span>${html([...number(low + k * width, 4), ...plain(' to '), ...number(low + (k + 1) * width, 4)])}</span><span>${counts[k]}</span>`;
    },
  });
  panel.root.dataset.bars = counts.join(' ');
  panel.hold(frame);
  return panel;
}
