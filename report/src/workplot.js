// SPDX-License-Identifier: BSD-3-Clause
// Work and precision: one curve per method on two logarithmic axes, with a mark at every run.
import { Frame } from './frame.js';
import { Panel } from './panel.js';
import { colours, seriesColour } from './theme.js';
import { html, number, plain } from './rich.js';
import { FLOOR, extent } from './data.js';

/** Mark number k around (x, y): circle, square, triangle, diamond, triangle on its head, in this order. */
function marker(ctx, k, x, y, r) {
  const corners = { 1: [[-1, -1], [1, -1], [1, 1], [-1, 1]], 2: [[0, -1.25], [1.15, 0.85], [-1.15, 0.85]], 3: [[0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]], 4: [[0, 1.25], [1.15, -0.85], [-1.15, -0.85]] }[k % 5];
  ctx.beginPath();
  if (!corners) ctx.arc(x, y, r, 0, 7);
  else corners.forEach(([dx, dy], j) => ctx[j ? 'lineTo' : 'moveTo'](x + dx * r * 0.95, y + dy * r * 0.95));
  ctx.closePath();
}

/** Slope of log y over log x by least squares, from the points above round-off; null with fewer than two. */
export function slope(points) {
  const used = points.filter(([, y]) => y > -12.5);
  if (used.length < 2) return null;
  const mean = (k) => used.reduce((sum, point) => sum + point[k], 0) / used.length;
  const [mx, my] = [mean(0), mean(1)];
  const square = used.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return square > 1e-6 ? used.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / square : null;
}

/** methods: [{ name, variational, rows }] with rows sorted by step; key: the abscissa, "seconds" or "step". */
export function workPlot({ id, title, caption, file, size = '', methods, key, xLabel }) {
  const panel = new Panel({ id, title, caption, size, file });
  const number_ = (value) => typeof value === 'number' && Number.isFinite(value);
  const n = methods.length;
  const curves = methods.map(({ name, variational, rows }, k) => ({
    name, variational, k, rows: rows.filter((row) => row[key] > 0 && number_(row.error)),
  }));
  for (const curve of curves) curve.points = curve.rows.map((row) => [Math.log10(row[key]), Math.log10(Math.max(Math.abs(row.error), FLOOR))]);
  const shown = curves.map(() => true);
  const all = () => curves.filter(({ k }) => shown[k]).flatMap(({ points }) => points);
  if (!all().length) {
    panel.empty('No run has an error to draw.');
    return panel;
  }
  const range = (values, least) => {
    const [low, high] = extent(values) ?? [-1, 0];
    const extra = Math.max(0.07 * (high - low), (least - (high - low)) / 2, 0.08);
    return [low - extra, high + extra];
  };
  const full = () => ({ x: range(all().map(([x]) => x), 1), y: range(all().map(([, y]) => y), 1) });

  let near = null; // { curve, index }
  const paint = (u, ctx, ratio) => {
    const { paper } = colours();
    for (const { k, points, variational } of curves) {
      if (!shown[k]) continue;
      const at = points.map(([x, y]) => [u.valToPos(x, 'x', true), u.valToPos(y, 'y', true)]);
      ctx.strokeStyle = seriesColour(k, n);
      ctx.lineWidth = 1.8 * ratio;
      ctx.setLineDash(variational ? [] : [6 * ratio, 4 * ratio]);
      ctx.beginPath();
      at.forEach(([x, y], j) => ctx[j ? 'lineTo' : 'moveTo'](x, y));
      ctx.stroke();
      ctx.setLineDash([]);
      at.forEach(([x, y], j) => {
        const on = near && near.curve === k && near.index === j;
        marker(ctx, k, x, y, (on ? 6.5 : 4.4) * ratio);
        ctx.fillStyle = variational ? seriesColour(k, n) : paper;
        ctx.fill();
        ctx.stroke();
      });
    }
  };
  const frame = new Frame(panel.holder, {
    x: { label: xLabel, log: true }, y: { label: plain('error'), log: true },
    data: [full().x, [null, null]], series: [{ points: { show: false } }],
    full, paint,
    onView: (view, zoomed) => panel.setView(view, zoomed),
    onCursor: (u) => point(u),
  });

  function point(u) {
    const { left, top } = u.cursor;
    let best = { distance: 24 * 24 };
    if (left >= 0) {
      for (const { k, points } of curves) {
        if (!shown[k]) continue;
        points.forEach(([x, y], index) => {
          const distance = (u.valToPos(x, 'x') - left) ** 2 + (u.valToPos(y, 'y') - top) ** 2;
          if (distance < best.distance) best = { distance, curve: k, index };
        });
      }
    }
    const next = best.curve === undefined ? null : best;
    const changed = (next?.curve ?? -1) !== (near?.curve ?? -1) || next?.index !== near?.index;
    near = next;
    if (!changed) return;
    const row = near && curves[near.curve].rows[near.index];
    panel.readout.innerHTML = row
      ? `<span>${html(plain(row.method))}</span>${[['step', row.step, ''], ['time', row.seconds, ' s'], ['error', row.error, '']]
        .map(([name, value, unit]) => `<span>${name} ${html(number(value, 3))}${unit}</span>`).join('')}`
      : '';
    frame.redraw();
  }

  for (const { k, name, variational, points } of curves) {
    const order = key === 'step' ? slope(points) : null;
    const words = [order === null ? '' : `slope ${order.toFixed(1)}`, variational ? '' : 'not variational'].filter(Boolean).join(', ');
    panel.entry({
      runs: plain(name), suffix: words, dash: !variational, colour: () => seriesColour(k, n), shape: 'line',
      toggle: (on) => { shown[k] = on; frame.redraw(); },
    });
  }
  if (curves.some(({ rows }) => rows.some(({ error }) => Math.abs(error) < FLOOR))) panel.setNote(['Zeros are drawn at 10⁻¹⁷.']);
  panel.hold(frame);
  return panel;
}
