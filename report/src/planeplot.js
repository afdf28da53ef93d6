// SPDX-License-Identifier: BSD-3-Clause
// Curves in a plane, drawn along the time in changing colour: trajectories and phase portraits.
import { Frame } from './frame.js';
import { Panel } from './panel.js';
import { clock } from './clock.js';
import { el } from './dom.js';
import { colours, onTheme, seriesColour, timeColour } from './theme.js';
import { html, number, plain } from './rich.js';
import { TIME } from './timeplot.js';
import { extent, indexAt, isCoarse, widen } from './data.js';

const SHADES = 48;

/** Lines (or dots) through the points; every shade is one stroke. Where an angle goes on at the other side the line is broken. */
function drawCurve(u, ctx, ratio, { xs, ys, coarse, period, radius = 1.6 }, shade, lineWidth) {
  const n = xs.length;
  const position = (k) => [u.valToPos(xs[k], 'x', true), u.valToPos(ys[k], 'y', true)];
  ctx.lineWidth = lineWidth * ratio;
  ctx.lineJoin = 'round';
  ctx.lineCap = 'round';
  for (let part = 0; part < SHADES; ++part) {
    const first = Math.floor((part * (n - 1)) / SHADES);
    const last = Math.floor(((part + 1) * (n - 1)) / SHADES);
    if (n > 1 && first === last && !coarse) continue;
    ctx.strokeStyle = ctx.fillStyle = shade((part + 0.5) / SHADES);
    ctx.beginPath();
    let open = false;
    for (let k = first; k <= last; ++k) {
      if (xs[k] === null || ys[k] === null) { open = false; continue; }
      const [x, y] = position(k);
      if (coarse || n === 1) { ctx.moveTo(x + radius * ratio, y); ctx.arc(x, y, radius * ratio, 0, 7); }
      else if (open && !(period && Math.abs(xs[k] - xs[k - 1]) > period / 2)) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
      open = true;
    }
    if (coarse || n === 1) ctx.fill(); else ctx.stroke();
  }
}

function drawEnds(u, ctx, ratio, { xs, ys }, start, end) {
  const known = xs.map((x, k) => (x === null || ys[k] === null ? -1 : k)).filter((k) => k >= 0);
  if (!known.length) return;
  const at = (k) => [u.valToPos(xs[k], 'x', true), u.valToPos(ys[k], 'y', true)];
  const { paper } = colours();
  const [a, b] = [at(known[0]), at(known[known.length - 1])];
  ctx.lineWidth = 2 * ratio;
  ctx.fillStyle = paper;
  ctx.strokeStyle = start;
  ctx.beginPath();
  ctx.arc(...a, 5 * ratio, 0, 7);
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = end;
  ctx.strokeStyle = paper;
  ctx.beginPath();
  ctx.rect(b[0] - 4.5 * ratio, b[1] - 4.5 * ratio, 9 * ratio, 9 * ratio);
  ctx.fill();
  ctx.stroke();
}

/** The bar that says which colour is which time. */
function timeBar(t, curves) {
  const bar = el('span.ramp');
  const paint = () => {
    const stops = Array.from({ length: 9 }, (_, k) => timeColour(0, curves, k / 8));
    bar.style.background = `linear-gradient(90deg, ${stops.join(', ')})`;
  };
  paint();
  onTheme(paint);
  return el('span.entry.timebar', { title: 'Colour along the time' },
    el('span.label', { html: html([...TIME, ...plain(' = '), ...number(t[0], 4)]) }), bar,
    el('span.label', { html: html(number(t[t.length - 1], 4)) }));
}

/** Marks of start and end for the legend. */
function endMarks() {
  return el('span.entry', {}, el('span.mark.start'), 'start', el('span.mark.end'), 'end');
}

/** curves: [{ runs, xs, ys }] on the times t. dots: each record is a dot of its own, such as in a section. */
export function planePlot({ id, title, caption, file, size = '', t, curves, xLabel, yLabel, equal, dots = false }) {
  const panel = new Panel({ id, title, caption, size, file });
  const n = curves.length;
  const shown = curves.map(() => true);
  const all = (key) => curves.map((curve) => curve[key]);
  const whole = { x: extent(...all('xs')), y: extent(...all('ys')) };
  if (!t.length || !whole.x || !whole.y) {
    panel.empty(t.length ? 'There are no values to draw.' : 'There are no records to draw.');
    return panel;
  }
  for (const curve of curves) {
    curve.coarse = dots || isCoarse(curve.xs.map((x, k) => (x === null || curve.ys[k] === null ? null : [x, curve.ys[k]])));
    if (dots && t.length < 400) curve.radius = 2.6;
  }
  const margin = widen(whole.x, 0.07);
  const full = () => ({ x: margin, y: widen(whole.y, 0.07) });
  const width = t.length > 1500 ? 1.1 : 1.7;
  const paint = (u, ctx, ratio) => {
    curves.forEach((curve, k) => shown[k] && drawCurve(u, ctx, ratio, curve, (s) => timeColour(k, n, s), width));
    if (!dots) curves.forEach((curve, k) => shown[k] && drawEnds(u, ctx, ratio, curve, timeColour(k, n, n === 1 ? 0.25 : 1), timeColour(k, n, 1)));
  };

  const hands = curves.map(() => el('div.hand-dot', { hidden: true }));
  let frame = null; // its first view comes before it is stored
  frame = new Frame(panel.holder, {
    x: { label: xLabel, log: false }, y: { label: yLabel, log: false },
    data: [margin, [null, null]], series: [{ points: { show: false } }],
    full, equal, paint,
    onView: (view, zoomed) => { panel.setView(view, zoomed); place(); },
    onCursor: (u) => point(u),
  });

  function place() {
    const u = frame?.plot;
    if (!u) return;
    const now = clock.hover ?? clock.now;
    curves.forEach(({ xs, ys, coarse }, k) => {
      const hand = hands[k];
      if (hand.parentNode !== u.over) u.over.append(hand);
      hand.hidden = now === null || !shown[k];
      if (hand.hidden) return;
      const j = indexAt(t, now);
      const next = Math.min(j + 1, t.length - 1);
      const share = coarse || next === j ? 0 : Math.min(Math.max((now - t[j]) / (t[next] - t[j]), 0), 1);
      const between = (values) => values[j] + (values[next] - values[j]) * share;
      const [x, y] = [u.valToPos(between(xs), 'x'), u.valToPos(between(ys), 'y')];
      hand.hidden = xs[j] === null || ys[j] === null || x < 0 || y < 0 || x > u.over.clientWidth || y > u.over.clientHeight;
      hand.style.transform = `translate(${x}px, ${y}px)`;
      hand.style.setProperty('--swatch', n === 1 ? colours().ink : seriesColour(k, n));
    });
  }

  /** Looks for the record next to the pointer. */
  function point(u) {
    const { left, top } = u.cursor;
    let best = { distance: 28 * 28, index: -1, curve: -1 };
    if (left >= 0) {
      curves.forEach(({ xs, ys }, curve) => shown[curve] && xs.forEach((x, index) => {
        if (x === null || ys[index] === null) return;
        const distance = (u.valToPos(x, 'x') - left) ** 2 + (u.valToPos(ys[index], 'y') - top) ** 2;
        if (distance < best.distance) best = { distance, index, curve };
      }));
    }
    const found = best.index >= 0;
    panel.readout.innerHTML = found
      ? [[TIME, t[best.index]], [xLabel, curves[best.curve].xs[best.index]], [yLabel, curves[best.curve].ys[best.index]]]
        .map(([name, value]) => `<span>${html([...name, ...plain(' = '), ...number(value, 5)])}</span>`).join('')
      : '';
    clock.set({ hover: found ? t[best.index] : null }, panel);
  }
  clock.listen(place);

  panel.legend.append(...(dots ? [] : [endMarks()]), timeBar(t, n));
  if (n > 1) {
    curves.forEach(({ runs }, k) => panel.entry({
      runs, colour: () => seriesColour(k, n), toggle: (on) => { shown[k] = on; frame.redraw(); place(); },
    }));
  }
  if (!dots && curves.some(({ coarse }) => coarse)) panel.setNote(['Records lie far apart; each is drawn as a dot.']);
  panel.hold(frame, place);
  return panel;
}

export { endMarks, timeBar };
