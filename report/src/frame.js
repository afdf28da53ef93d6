// SPDX-License-Identifier: BSD-3-Clause
// The frame of every flat plot: axes, grid, cursor, zoom. uPlot draws; this file decides the ranges.
// A logarithmic axis is a linear axis of log10: ranges ("view") are kept in these mapped coordinates.
import uPlot from 'uplot';
import { colours } from './theme.js';
import { draw, fitted, measure, plain } from './rich.js';
import { linearTicks, logTicks } from './ticks.js';

const FONT = 12;

function ticksOf(axis, low, high, count) {
  if (axis.names) { // of what is no number, at 0, 1, 2, ...
    const values = [...axis.names.keys()].filter((k) => k >= low && k <= high);
    return { values, labels: values.map((k) => plain(axis.names[k])), factor: null };
  }
  if (!axis.log) return linearTicks(low, high, axis.whole ? Math.min(count, Math.max(1, Math.floor(high - low))) : count);
  const ticks = logTicks(10 ** low, 10 ** high, count);
  return { ...ticks, values: ticks.values.map(Math.log10) };
}

/** Makes both axes show the same length per pixel: widens one of them around its middle. */
function equalise(view, width, height) {
  const perPixel = Math.max((view.x[1] - view.x[0]) / width, (view.y[1] - view.y[0]) / height);
  const around = ([low, high], pixels) => {
    const middle = (low + high) / 2;
    return [middle - (perPixel * pixels) / 2, middle + (perPixel * pixels) / 2];
  };
  return { x: around(view.x, width), y: around(view.y, height) };
}

export class Frame {
  /**
   * options: x, y { label, log, whole: numbers that count something, names: words at 0, 1, 2, ... }; data and series as for uPlot (mapped coordinates); full() the whole view;
   * fitY(x) the y range for a range of x, when y follows x; equal: same length on both axes; paint(u, ctx): extra drawing;
   * limit: zooming out stops at the whole view; onView(view, zoomed), onCursor(u).
   */
  constructor(holder, options) {
    this.holder = holder;
    this.options = options;
    this.view = options.full();
    this.wanted = this.view; // before the equal lengths
    this.zoomed = false;
    this.pending = false;
    this.build();
    this.listen();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(holder);
  }

  axis(index) {
    const axis = index === 0 ? this.options.x : this.options.y;
    const line = () => colours().line;
    const key = index === 0 ? 'x' : 'y';
    const spacing = index === 0 ? 84 : 42;
    return {
      scale: key,
      stroke: () => colours().muted,
      gap: 0,
      space: 1,
      incrs: (u, i, low, high) => [Math.max(5, high - low)], // any will do: the ticks are ours
      splits: (u, i, low, high) => {
        const pixels = index === 0 ? u.width - 64 : u.height - 56; // near enough, and known before the first drawing
        this[key] = ticksOf(axis, low, high, Math.max(2, Math.floor(pixels / spacing)));
        return this[key].values;
      },
      values: (u, splits) => splits.map(() => null), // written by writeAxes
      size: (u) => (index === 0 ? (axis.log ? 42 : 26) : this.labelWidth(u)),
      grid: { stroke: () => colours().grid, width: 1 },
      ticks: { show: false },
      border: { show: true, stroke: line, width: 1 },
    };
  }

  labelWidth(u) {
    const labels = this.y?.labels ?? [];
    return Math.max(44, 14 + Math.ceil(Math.max(0, ...labels.map((label) => measure(u.ctx, label, FONT)))));
  }

  build() {
    const { data, series } = this.options;
    const scale = (key) => ({ time: false, auto: true, range: () => this.view[key] });
    this.plot = new uPlot({
      ...this.room(),
      padding: [29, 14, 0, 0],
      legend: { show: false },
      scales: { x: scale('x'), y: scale('y') },
      axes: [this.axis(0), this.axis(1)],
      series: [{}, ...series],
      cursor: {
        drag: { x: true, y: !this.options.fitY, uni: this.options.fitY ? undefined : 12, setScale: false, dist: 5 },
        bind: { dblclick: () => () => this.reset() },
        x: Boolean(this.options.fitY),
        y: false,
        points: { size: 8, width: 2, fill: () => colours().paper, stroke: (u, k) => u.series[k].stroke() },
      },
      hooks: {
        drawAxes: [(u) => this.writeAxes(u)],
        draw: [(u) => this.paint(u)],
        setSelect: [(u) => this.selected(u)],
        setCursor: [(u) => this.options.onCursor?.(u)],
      },
    }, data, this.holder);
    this.fitEqual();
  }

  room() {
    return { width: Math.max(160, this.holder.clientWidth), height: Math.max(160, this.holder.clientHeight) };
  }

  resize() {
    const { width, height } = this.room();
    if (width === this.plot.width && height === this.plot.height) return;
    this.plot.setSize({ width, height });
    this.fitEqual();
    this.options.onView?.(this.view, this.zoomed);
  }

  /** The same on another surface with the methods of a canvas, in units of this canvas. */
  vector(ctx) {
    const u = this.plot;
    const ratio = uPlot.pxRatio;
    const { left, top, width, height } = u.bbox;
    const { grid, line } = colours();
    const lines = (color, points) => {
      ctx.strokeStyle = color;
      ctx.lineWidth = ratio;
      ctx.beginPath();
      for (const [x, y, toX, toY] of points) { ctx.moveTo(x, y); ctx.lineTo(toX, toY); }
      ctx.stroke();
    };
    lines(grid, [
      ...(this.x?.values ?? []).map((value) => u.valToPos(value, 'x', true)).map((x) => [x, top, x, top + height]),
      ...(this.y?.values ?? []).map((value) => u.valToPos(value, 'y', true)).map((y) => [left, y, left + width, y]),
    ]);
    lines(line, [[left, top, left, top + height], [left, top + height, left + width, top + height]]);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.lineJoin = 'round';
    u.series.slice(1).forEach((series, k) => this.curve(ctx, u.data[0], u.data[k + 1], series, this.options.series[k], ratio));
    this.options.paint?.(u, ctx, ratio);
    ctx.restore();
    this.writeAxes(u, ctx);
  }

  curve(ctx, xs, ys, { show }, { stroke, width = 1, dash, paths, points }, ratio) {
    if (!show || !stroke) return;
    const u = this.plot;
    const dots = paths || points?.show === true;
    ctx.beginPath();
    let open = false;
    xs.forEach((x, k) => {
      const y = ys[k];
      if (y === undefined) return; // no value of this curve, which goes on
      if (y === null) { open = false; return; }
      const [px, py] = [u.valToPos(x, 'x', true), u.valToPos(y, 'y', true)];
      if (dots) ctx.arc(px, py, ((points.size ?? 4) / 2) * ratio, 0, 7);
      else if (open) ctx.lineTo(px, py);
      else ctx.moveTo(px, py);
      open = true;
    });
    ctx.strokeStyle = ctx.fillStyle = stroke();
    ctx.lineWidth = width * ratio;
    ctx.setLineDash(dash ?? []);
    if (dots) ctx.fill(); else ctx.stroke();
    ctx.setLineDash([]);
  }

  writeAxes(u, ctx = u.ctx) {
    if (!this.x || !this.y) return; // no room for axes yet
    const ratio = uPlot.pxRatio;
    const { left, top, width, height } = u.bbox;
    const { muted, ink } = colours();
    const size = FONT * ratio;
    const text = (runs, x, y, align, color = muted) => draw(ctx, runs, x, y, { size, color, align });
    ctx.save();
    const times = (factor) => (factor ? [...plain('×\u202f'), ...factor] : []);
    const below = top + height + 18 * ratio;
    // The name stands beside the numbers; below them on a logarithmic axis, whose few numbers are all needed.
    const nameAt = this.options.x.log ? below + 16 * ratio : below;
    let nameStart = left + width - text(this.options.x.label, left + width, nameAt, 'right', ink);
    if (this.x.factor) nameStart -= 14 * ratio + text(times(this.x.factor), nameStart - 14 * ratio, nameAt, 'right');
    if (this.options.x.log) nameStart = Infinity;
    let lastEnd = -Infinity;
    this.x.values.forEach((value, k) => {
      const at = u.valToPos(value, 'x', true);
      const half = measure(ctx, this.x.labels[k], size) / 2;
      if (at - half < lastEnd + 8 * ratio || at + half > nameStart - 10 * ratio) return; // no room
      lastEnd = at + half;
      text(this.x.labels[k], at, below, 'center');
    });
    this.y.values.forEach((value, k) => {
      text(this.y.labels[k], left - 8 * ratio, u.valToPos(value, 'y', true) + 0.36 * size, 'right');
    });
    const room = left + width - 2 * ratio - (this.y.factor ? 14 * ratio + measure(ctx, times(this.y.factor), size) : 0);
    const labelEnd = 2 * ratio + text(fitted(ctx, this.options.y.label, size, room), 2 * ratio, 13 * ratio, 'left', ink);
    text(times(this.y.factor), labelEnd + 14 * ratio, 13 * ratio, 'left');
    ctx.restore();
  }

  paint(u) {
    if (!this.options.paint) return;
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.options.paint(u, ctx, uPlot.pxRatio);
    ctx.restore();
  }

  // ---- ranges ----

  /** Hands the view to uPlot; the null ranges make it ask the range functions above. */
  show() {
    this.plot.batch(() => {
      this.plot.setScale('x', { min: null, max: null });
      this.plot.setScale('y', { min: null, max: null });
    });
    this.options.onView?.(this.view, this.zoomed);
  }

  fitEqual() {
    if (!this.options.equal) return;
    for (let k = 0; k < 2; ++k) { // the width of the labels, and so the room, follows the range
      const { width, height } = this.plot.bbox;
      if (!(width > 0 && height > 0)) return;
      this.view = equalise(this.wanted, width, height);
      this.show();
    }
  }

  setView(view) {
    const next = { ...this.wanted, ...view };
    const whole = this.options.full();
    if (this.options.limit) {
      next.x = [Math.max(next.x[0], whole.x[0]), Math.min(next.x[1], whole.x[1])];
    }
    const span = next.x[1] - next.x[0];
    if (!(span > 1e-12 * Math.max(Math.abs(next.x[0]), Math.abs(next.x[1])))) return; // no digits left
    if (!(next.y[1] > next.y[0])) return;
    this.zoomed = !this.options.limit || span < (whole.x[1] - whole.x[0]) * (1 - 1e-9);
    if (this.options.fitY) next.y = this.zoomed ? this.options.fitY(next.x) : whole.y;
    this.wanted = next;
    this.view = next;
    this.show();
    this.fitEqual();
  }

  reset() {
    this.zoomed = false;
    this.wanted = this.options.full();
    this.view = this.wanted;
    this.show();
    this.fitEqual();
  }

  /** Scales the view by a factor around a share (0..1) of the width and height, and moves it by shares. */
  scale(factor, shareX = 0.5, shareY = 0.5, moveX = 0, moveY = 0) {
    const part = ([low, high], share, move) => {
      const span = high - low;
      const start = low + span * share * (1 - factor) + move * span;
      return [start, start + span * factor];
    };
    const { x, y } = this.view;
    if (this.options.fitY) this.setView({ x: part(x, shareX, moveX) });
    else this.setView({ x: part(x, shareX, moveX), y: part(y, shareY, moveY) });
  }

  selected(u) {
    const { left, top, width, height } = u.select;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const whole = { w: u.over.clientWidth, h: u.over.clientHeight };
    const x = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
    if (this.options.fitY) {
      if (width > 4) this.setView({ x });
      return;
    }
    const y = [u.posToVal(top + height, 'y'), u.posToVal(top, 'y')];
    if (width > 4 || height > 4) this.setView({ x: width < whole.w ? x : this.view.x, y: height < whole.h ? y : this.view.y });
  }

  listen() {
    const { holder } = this;
    holder.addEventListener('wheel', (event) => {
      // A page must scroll: the wheel zooms in the plot that was clicked, and with Ctrl in every plot.
      if (!(event.ctrlKey || event.metaKey || document.activeElement === holder)) return;
      const box = this.plot.over.getBoundingClientRect();
      event.preventDefault();
      this.scale(Math.exp(Math.sign(event.deltaY) * 0.18), (event.clientX - box.left) / box.width, (box.bottom - event.clientY) / box.height);
    }, { passive: false });
    holder.addEventListener('pointerdown', () => holder.focus({ preventScroll: true }));
    holder.addEventListener('keydown', (event) => {
      const act = {
        ArrowLeft: () => this.scale(1, 0.5, 0.5, -0.15), ArrowRight: () => this.scale(1, 0.5, 0.5, 0.15),
        ArrowUp: () => this.scale(1, 0.5, 0.5, 0, 0.15), ArrowDown: () => this.scale(1, 0.5, 0.5, 0, -0.15),
        '+': () => this.scale(0.7), '=': () => this.scale(0.7), '-': () => this.scale(1 / 0.7),
        0: () => this.reset(), Home: () => this.reset(), Escape: () => holder.blur(),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.options.fitY && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) return;
      event.preventDefault();
      act();
    });
  }

  /** New data, series or logarithmic axes; keeps the range of x when it is zoomed. */
  rebuild(options) {
    const { x } = this.view;
    const zoomed = this.zoomed && this.options.fitY;
    Object.assign(this.options, options);
    this.plot.destroy();
    this.zoomed = false;
    this.wanted = this.options.full();
    this.view = this.wanted;
    this.build();
    if (zoomed) this.setView({ x });
    else this.options.onView?.(this.view, this.zoomed);
  }

  redraw() { this.plot.redraw(true, false); }

  canvas() { return this.plot.ctx.canvas; }
}
