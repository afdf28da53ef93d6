// SPDX-License-Identifier: BSD-3-Clause
// Draws a scene at one time on a flat canvas: what is far first. All shapes are computed here, so that the picture needs
// no WebGL, and what is on the canvas is what PNG and film show.
import { colours, mix, seriesColour } from './theme.js';
import { draw, measure, number, plain, run } from './rich.js';
import { linearTicks } from './ticks.js';
import { isCoarse } from './data.js';
import { boundsOf } from './scenedata.js';
import { Camera } from './camera.js';
import { ball, box, cylinder, edgeOf, shade } from './shapes.js';

const MANY = 60; // of one kind: thinner lines and smaller dots
const TAIL = 90; // records of a trace that are drawn strongly
const DOTS = 12; // of one whose records lie far apart
const AXES = [1, 2, 0]; // colours of the axes of a frame
const COILS = 9;

/** Things of one name, or of one table, have one colour. */
function coloursOf(scene) {
  const keys = new Map();
  const key = ({ name, entry }) => name || `#${entry}`;
  for (const item of scene.items) if (!['link', 'ground', 'frame'].includes(item.kind) && !keys.has(key(item))) keys.set(key(item), keys.size);
  return (item) => seriesColour(keys.get(key(item)) ?? 0, Math.max(keys.size, 1));
}

export class SceneView {
  constructor(scene) {
    Object.assign(this, { scene, bounds: boundsOf(scene), hidden: new Set() });
    this.camera = new Camera(scene.dimension, this.bounds);
    this.hue = coloursOf(scene);
    const count = (kind) => scene.items.filter((item) => item.kind === kind).length;
    this.many = { link: count('link') > MANY, point: count('point') > MANY };
    this.span = Math.max(...this.bounds[1].map((x, j) => x - this.bounds[0][j]), 1e-300);
    this.traces = scene.items.filter(({ kind, trace }) => kind === 'point' && trace);
    const points = ({ places: [numbers] }) => scene.t.map((_, k) => scene.place(numbers, k));
    this.coarse = new Set(this.traces.filter((item) => isCoarse(points(item))));
  }

  /** Everything at the k-th time, on a canvas of so many pixels. */
  paint(ctx, width, height, k) {
    this.camera.resize(width, height);
    ctx.lineJoin = ctx.lineCap = 'round';
    if (this.scene.dimension === 2) this.grid(ctx, width, height);
    const grounds = this.scene.items.filter(({ kind }) => kind === 'ground');
    for (const item of grounds) this.ground(ctx, item, width);
    for (const item of this.traces) if (!this.hidden.has(item.name)) this.trace(ctx, item, k);
    const rank = { box: 0, cylinder: 0, ball: 0, link: 1, frame: 2, point: 3, arrow: 4 };
    const flat = this.scene.dimension === 2;
    const parts = [];
    for (const item of this.scene.items) {
      if (item.kind === 'ground') continue;
      for (const part of this.parts(item, k)) if (part) parts.push(flat ? { ...part, near: rank[item.kind] } : part);
    }
    parts.sort((a, b) => a.near - b.near);
    for (const part of parts) part.paint(ctx);
    if (!flat) this.triad(ctx, height);
  }

  parts(item, k) {
    const { scene, camera } = this;
    const places = item.places.map((numbers) => scene.place(numbers, k));
    if (places.some((place) => place === null)) return [];
    const [a, b] = places;
    const axes = scene.axes(item, k);
    if (!axes) return [];
    const hue = this.hue(item);
    const still = item.places.every(scene.still) && (!item.turn || scene.still(item.turn));
    switch (item.kind) {
      case 'point': return item.size.length ? ball(camera, a, axes, item.size, hue) : [this.dot(a, hue)];
      case 'link': return this.link(item, a, b);
      case 'box': return box(camera, a, axes, item.size, hue);
      case 'ball': return ball(camera, a, axes, item.size, hue, { turning: Boolean(item.turn), glass: still && scene.dimension === 3 });
      case 'cylinder': return this.cylinder(item, a, b, axes, hue);
      case 'frame': return this.frame(item, a, axes);
      case 'arrow': return [this.arrow(a, b, hue)];
      default: return [];
    }
  }

  cylinder(item, a, b, axes, hue) {
    const [radius, length] = item.size;
    if (b) return cylinder(this.camera, [a, b], radius, hue);
    const ends = [-0.5, 0.5].map((s) => a.map((x, j) => x + s * length * axes[2][j]));
    return cylinder(this.camera, ends, radius, hue, axes);
  }

  dot(at, hue) {
    const [x, y, near] = this.camera.project(at);
    const radius = this.many.point ? 3 : 5.5;
    return {
      near,
      paint: (ctx) => {
        ctx.beginPath();
        ctx.arc(x, y, radius, 0, 2 * Math.PI);
        ctx.fillStyle = shade(hue, 0.45);
        ctx.strokeStyle = edgeOf(hue);
        ctx.lineWidth = 1.2;
        ctx.fill();
        ctx.stroke();
      },
    };
  }

  link(item, a, b) {
    const { camera, scene } = this;
    const [from, to] = [camera.project(a), camera.project(b)];
    const { ink, paper, muted } = colours();
    const parts = [{
      near: (from[2] + to[2]) / 2,
      paint: (ctx) => {
        ctx.strokeStyle = item.spring ? mix(ink, paper, 0.35) : mix(ink, paper, 0.2);
        ctx.lineWidth = item.spring ? 1.6 : this.many.link ? 1.5 : 3.4;
        ctx.beginPath();
        ctx.moveTo(from[0], from[1]);
        if (item.spring) this.coil(ctx, from, to);
        ctx.lineTo(to[0], to[1]);
        ctx.stroke();
      },
    }];
    for (const [j, p] of [[0, from], [1, to]]) {
      if (!scene.still(item.places[j]) || this.many.link) continue;
      parts.push({ // a pivot
        near: p[2] + 1e-9 * this.span,
        paint: (ctx) => {
          ctx.beginPath();
          ctx.arc(p[0], p[1], 4.5, 0, 2 * Math.PI);
          ctx.fillStyle = paper;
          ctx.strokeStyle = muted;
          ctx.lineWidth = 2;
          ctx.fill();
          ctx.stroke();
        },
      });
    }
    return parts;
  }

  /** The zigzag of a spring, from one end to shortly before the other. */
  coil(ctx, from, to) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    if (length < 4) return;
    const wide = Math.min(9, Math.max(3, 0.012 * this.span * this.camera.scale));
    const [nx, ny] = [(-dy / length) * wide, (dx / length) * wide];
    for (let j = 0; j <= 2 * COILS; ++j) {
      const s = 0.14 + (0.72 * j) / (2 * COILS);
      const side = j === 0 || j === 2 * COILS ? 0 : j % 2 ? 1 : -1;
      ctx.lineTo(from[0] + s * dx + side * nx, from[1] + s * dy + side * ny);
    }
  }

  frame(item, at, axes) {
    const length = item.size[0] ?? 0.1 * this.span;
    return axes.slice(0, this.scene.dimension).map((axis, j) =>
      this.arrow(at, at.map((x, c) => x + length * axis[c]), seriesColour(AXES[j], 8)));
  }

  arrow(a, b, hue) {
    const [from, to] = [this.camera.project(a), this.camera.project(b)];
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    const head = Math.min(11, 0.4 * length);
    return {
      near: (from[2] + to[2]) / 2,
      paint: (ctx) => {
        if (length < 0.5) return;
        const [ux, uy] = [dx / length, dy / length];
        ctx.strokeStyle = ctx.fillStyle = hue;
        ctx.lineWidth = 2.4;
        ctx.beginPath();
        ctx.moveTo(from[0], from[1]);
        ctx.lineTo(to[0] - head * ux, to[1] - head * uy);
        ctx.stroke();
        ctx.beginPath();
        ctx.moveTo(to[0], to[1]);
        ctx.lineTo(to[0] - head * ux - 0.42 * head * uy, to[1] - head * uy + 0.42 * head * ux);
        ctx.lineTo(to[0] - head * ux + 0.42 * head * uy, to[1] - head * uy - 0.42 * head * ux);
        ctx.closePath();
        ctx.fill();
      },
    };
  }

  /** The whole path lightly, the part shortly before the time strongly; records that lie far apart as dots. */
  trace(ctx, item, k) {
    const { scene, camera } = this;
    const [numbers] = item.places;
    const coarse = this.coarse.has(item);
    const dots = (first, last, size) => {
      for (let j = first; j <= last; ++j) {
        const at = scene.place(numbers, j);
        if (!at) continue;
        const [x, y] = camera.project(at);
        ctx.fillRect(x - size / 2, y - size / 2, size, size);
      }
    };
    const path = (first, last) => {
      ctx.beginPath();
      let open = false;
      for (let j = first; j <= last; ++j) {
        const at = scene.place(numbers, j);
        if (!at) { open = false; continue; }
        const [x, y] = camera.project(at);
        if (open) ctx.lineTo(x, y); else ctx.moveTo(x, y);
        open = true;
      }
      ctx.stroke();
    };
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = this.hue(item);
    ctx.lineWidth = 1.1;
    ctx.globalAlpha = 0.3;
    if (coarse) dots(0, scene.count - 1, 1.4); else path(0, scene.count - 1);
    ctx.lineWidth = 1.8;
    ctx.globalAlpha = 0.95;
    if (coarse) dots(Math.max(0, k - DOTS), k, 4); else path(Math.max(0, k - TAIL), k);
    ctx.restore();
  }

  ground(ctx, item, width) {
    const { camera, scene } = this;
    const { line, muted } = colours();
    const [level] = item.size;
    ctx.strokeStyle = scene.dimension === 2 ? muted : line;
    ctx.lineWidth = scene.dimension === 2 ? 1.8 : 1;
    if (scene.dimension === 2) {
      const [, y] = camera.project([0, level, 0]);
      ctx.beginPath();
      ctx.moveTo(0, y);
      ctx.lineTo(width, y);
      ctx.stroke();
      ctx.lineWidth = 1;
      ctx.beginPath();
      for (let x = -8; x < width; x += 14) { ctx.moveTo(x, y + 9); ctx.lineTo(x + 9, y + 1); }
      ctx.stroke();
      return;
    }
    const [low, high] = this.bounds;
    const { values: xs } = linearTicks(low[0], high[0], 8);
    const step = xs.length > 1 ? xs[1] - xs[0] : (high[0] - low[0]) / 4;
    const from = [0, 1].map((j) => Math.floor(low[j] / step - 0.5));
    const to = [0, 1].map((j) => Math.ceil(high[j] / step + 0.5));
    ctx.beginPath();
    const stroke = (a, b) => { ctx.moveTo(...camera.project(a).slice(0, 2)); ctx.lineTo(...camera.project(b).slice(0, 2)); };
    for (let j = from[0]; j <= to[0]; ++j) stroke([j * step, from[1] * step, level], [j * step, to[1] * step, level]);
    for (let j = from[1]; j <= to[1]; ++j) stroke([from[0] * step, j * step, level], [to[0] * step, j * step, level]);
    ctx.stroke();
  }

  /** Lines at round coordinates of a plane scene, with their numbers. */
  grid(ctx, width, height) {
    const { camera } = this;
    const { grid, muted } = colours();
    const [left, bottom] = camera.plane(0, height);
    const [right, top] = camera.plane(width, 0);
    ctx.lineWidth = 1;
    ctx.strokeStyle = grid;
    const ticks = [linearTicks(left, right, Math.max(2, Math.floor(width / 90))), linearTicks(bottom, top, Math.max(2, Math.floor(height / 70)))];
    const places = [ticks[0].values.map((x) => camera.project([x, 0, 0])[0]), ticks[1].values.map((y) => camera.project([0, y, 0])[1])];
    ctx.beginPath();
    for (const x of places[0]) { ctx.moveTo(x, 0); ctx.lineTo(x, height); }
    for (const y of places[1]) { ctx.moveTo(0, y); ctx.lineTo(width, y); }
    ctx.stroke();
    const write = (runs, x, y, align) => draw(ctx, runs, x, y, { size: 11, color: muted, align });
    const factor = (k) => (ticks[k].factor ? [...plain('\u202f×\u202f'), ...ticks[k].factor] : []);
    places[0].forEach((x, j) => x > 34 && x < width - 20 && write([...ticks[0].labels[j], ...factor(0)], x, height - 5, 'center'));
    places[1].forEach((y, j) => y > 14 && y < height - 22 && write([...ticks[1].labels[j], ...factor(1)], 4, y + 4, 'left'));
  }

  /** The directions of the coordinates, in the corner. */
  triad(ctx, height) {
    const { camera, scene } = this;
    const { muted } = colours();
    const [x, y] = [40, height - 40];
    for (const [j, axis] of [[1, 0, 0], [0, 1, 0], [0, 0, 1]].entries()) {
      const d = camera.direction(axis).map((value) => (26 * value) / camera.scale);
      ctx.strokeStyle = muted;
      ctx.lineWidth = 1.4;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x + d[0], y + d[1]);
      ctx.stroke();
      const runs = [run(scene.names[j], '', true)];
      draw(ctx, runs, x + 1.36 * d[0] - measure(ctx, runs, 12) / 2, y + 1.36 * d[1] + 4, { size: 12, color: muted });
    }
  }
}

/** t = 1.25 in the picture, for a film. */
export const writeTime = (ctx, t, x, y) => draw(ctx, [run('t', '', true), ...plain(' = '), ...number(t, 4)], x, y, { size: 14, color: colours().ink });
