// SPDX-License-Identifier: BSD-3-Clause
// Curves against time.
import { Frame } from './frame.js';
import { Panel } from './panel.js';
import { clock } from './clock.js';
import { choices, el } from './dom.js';
import { colours, mix, seriesColour } from './theme.js';
import { html, number, plain, run } from './rich.js';
import { FLOOR, extent, isRough, logRange, size, widen } from './data.js';

export const TIME = [run('t', '', true)];
const MANY = 12; // more entries than this make a legend that scrolls

/**
 * curves: [{ runs, values, dash, suffix, tip, hue, tint }] on the times t; hue: curves of the same number have one colour, tint: how much paper is in it; label of the ordinate (linear) and of its size (logarithmic);
 * scale: "log", "linear" or "fixed" (linear without a switch); lone: one curve that needs no legend; abscissa: what t is where it is not the time.
 */
export function timePlot({ id, title, caption, file, size: extent_ = '', t, curves, label, sizeLabel, scale = 'fixed', note = '', lone = false, abscissa = TIME }) {
  const panel = new Panel({ id, title, caption, size: extent_, file });
  const shown = curves.map(() => true);
  const n = curves.length;
  const hues = Math.max(...curves.map(({ hue }, k) => hue ?? k), 0) + 1;
  const colourOf = (k) => mix(seriesColour(curves[k].hue ?? k, hues), colours().paper, curves[k].tint ?? 0);
  let log = scale === 'log';

  const known = curves.some(({ values }) => values.some((value) => value !== null && value !== undefined));
  if (!t.length || !known) {
    panel.empty(t.length ? 'There are no values to draw.' : 'There are no records to draw.');
    return panel;
  }

  // An error is zero at the start by definition: no point there, unless it is zero throughout.
  const sizes = curves.map(({ values }) => values.map((v, k) => (k === 0 && v === 0 && values.some(Boolean) ? null : size(v))));
  const rough = sizes.map(isRough);
  const zeros = (list) => list.some((value) => value !== null && value < FLOOR);
  const zeroAt = () => Math.max(Math.log10(FLOOR), full().y[0]); // where exact zeros stand on the logarithmic axis
  const mapped = () => {
    if (!log) return curves.map(({ values }) => values);
    const floor = zeroAt();
    return sizes.map((list) => list.map((v) => (v === null || v === undefined ? v : v < FLOOR ? floor : Math.log10(v))));
  };
  const visible = () => (log ? sizes : curves.map(({ values }) => values)).filter((_, k) => shown[k]);
  const yRange = (lists) => {
    if (!lists.length) return log ? [-17, 0] : [0, 1];
    return log ? logRange(...lists).map(Math.log10) : widen(extent(...lists), 0.08);
  };
  const full = () => ({ x: widen(extent(t), 0), y: yRange(visible()) });
  const fitY = ([low, high]) => {
    const inside = (list) => list.filter((_, k) => t[k] >= low && t[k] <= high);
    const lists = visible().map(inside);
    if (!extent(...lists)) return full().y;
    const range = yRange(lists);
    return log && lists.some(zeros) ? [zeroAt(), Math.max(range[1], zeroAt() + 1)] : range;
  };
  const single = t.length === 1;
  const series = () => curves.map(({ dash }, k) => ({
    stroke: () => colourOf(k),
    width: n > 8 ? 1 : 1.5,
    dash: dash ? [6 * window.devicePixelRatio, 4 * window.devicePixelRatio] : undefined,
    show: shown[k],
    paths: log && rough[k] ? () => null : undefined,
    points: single ? { show: true, size: 7, fill: () => colourOf(k) }
      : { show: log && rough[k], size: 2.6, width: 0, fill: () => colourOf(k) },
  }));
  const axes = () => ({ y: { label: log ? sizeLabel ?? label : label, log }, data: [t, ...mapped()], series: series() });
  const notes = () => panel.setNote([
    note,
    log && visible().some(zeros) && (visible().every((list) => list.every((v) => !v))
      ? 'Exactly zero throughout; drawn at 10⁻¹⁷.' : 'Zeros are drawn at the lower edge.'),
    !shown.some(Boolean) && 'All curves are switched off.',
  ]);

  const hand = el('div.hand', { hidden: true });
  const entries = [];
  const readout = (index) => {
    const at = index === null || index === undefined ? null : t[index];
    const time = [...abscissa, ...plain(' = '), ...number(at, 6)];
    const value = at === null || !lone ? null : [...curves[0].runs, ...plain(' = '), ...number(curves[0].values[index], 4)];
    panel.readout.innerHTML = at === null ? '' : [time, value].filter(Boolean).map((runs) => `<span>${html(runs)}</span>`).join('');
    entries.forEach(({ value: place }, k) => {
      // Curves with times of their own have holes here: the nearest value before stands for them.
      let found = at === null ? undefined : curves[k].values[index];
      for (let j = index; found === undefined && j > 0 && at !== null; --j) found = curves[k].values[j];
      place.innerHTML = at === null || found === undefined ? '' : html(number(found, 3));
    });
  };

  let frame = null; // its first view comes before it is stored
  frame = new Frame(panel.holder, {
    x: { label: abscissa, log: false },
    ...axes(),
    full,
    fitY,
    limit: true,
    onView: (view, zoomed) => { panel.setView(view, zoomed); placeHand(); },
    onCursor: (u) => {
      const index = u.cursor.left >= 0 ? u.cursor.idx : null;
      readout(index);
      if (abscissa === TIME) clock.set({ hover: index === null || index === undefined ? null : t[index] }, panel);
    },
  });
  function placeHand() {
    const u = frame?.plot;
    if (!u) return;
    if (hand.parentNode !== u.over) u.over.append(hand);
    const [low, high] = frame.view.x;
    hand.hidden = abscissa !== TIME || clock.now === null || clock.now < low || clock.now > high;
    if (!hand.hidden) hand.style.transform = `translateX(${u.valToPos(clock.now, 'x')}px)`;
  }
  if (abscissa === TIME) clock.listen((source) => {
    placeHand();
    if (source === panel || !frame.plot) return;
    const u = frame.plot;
    const left = clock.hover === null ? -10 : u.valToPos(clock.hover, 'x');
    const outside = left < 0 || left > u.over.clientWidth;
    u.setCursor({ left: outside ? -10 : left, top: outside ? -10 : 0 }, false);
    readout(outside ? null : u.cursor.idx);
  });

  if (!lone) curves.forEach(({ runs, dash, suffix, tip }, k) => {
    entries.push(panel.entry({
      runs, dash, suffix, tip, colour: () => colourOf(k),
      toggle: n === 1 ? null : (on) => { shown[k] = on; frame.rebuild(axes()); notes(); },
    }));
  });
  panel.legend.classList.toggle('many', n > MANY);
  if (scale !== 'fixed') {
    panel.addTool(choices('Scale', [['linear', 'linear'], ['log', 'log']], scale, (value) => {
      log = value === 'log';
      panel.root.dataset.scale = value;
      frame.rebuild(axes());
      notes();
    }));
    panel.root.dataset.scale = scale;
  }
  panel.hold(frame);
  notes();
  return panel;
}
