// SPDX-License-Identifier: BSD-3-Clause
// Solids of a scene as the sides that the eye sees, and lines on them, on a flat canvas: { near, paint(ctx) }.
import { colours, current, mix } from './theme.js';

const ROUND = 36; // corners of a circle
const LIGHT = [-0.35, 0.55, 0.76]; // right, up, to the eye

const plus = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** A colour by how much light falls on it, from 0 to 1. */
export const shade = (hue, light) => (current() === 'dark' ? mix('#06090d', hue, 0.38 + 0.5 * light) : mix(hue, '#ffffff', 0.12 + 0.5 * light));
export const edgeOf = (hue) => (current() === 'dark' ? mix(hue, '#ffffff', 0.25) : mix(hue, '#000000', 0.25));

function outline(ctx, points, closed = true) {
  ctx.beginPath();
  points.forEach(([x, y], k) => (k ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  if (closed) ctx.closePath();
}

function lightOn(camera, normal) {
  const n = [dot(camera.right, normal), dot(camera.up, normal), dot(camera.toEye, normal)];
  return Math.max(0, dot(n, LIGHT)) / Math.hypot(...LIGHT);
}

/** A flat side with its outward normal; null when it is seen from behind. */
function side(camera, corners, normal, hue, edges = true) {
  if (camera.dimension === 3 && dot(normal, camera.toEye) <= 1e-9) return null;
  const points = corners.map((corner) => camera.project(corner));
  const near = points.reduce((sum, p) => sum + p[2], 0) / points.length;
  const fill = camera.dimension === 2 ? shade(hue, 0.6) : shade(hue, lightOn(camera, normal));
  return {
    near,
    paint: (ctx) => {
      outline(ctx, points);
      ctx.fillStyle = fill;
      ctx.fill();
      ctx.strokeStyle = edges ? edgeOf(hue) : fill;
      ctx.lineWidth = edges ? 1.2 : 0.8;
      ctx.stroke();
    },
  };
}

const together = (parts) => {
  const seen = parts.filter(Boolean);
  return seen.length ? [{ near: Math.max(...seen.map(({ near }) => near)), paint: (ctx) => seen.forEach((part) => part.paint(ctx)) }] : [];
};

export function box(camera, centre, axes, size, hue) {
  const half = axes.map((axis, j) => scaled(axis, (size[j] ?? 0) / 2));
  const corner = (a, b, c) => plus(plus(plus(centre, half[0], a), half[1], b), half[2], c);
  if (camera.dimension === 2) return [side(camera, [corner(-1, -1, 0), corner(1, -1, 0), corner(1, 1, 0), corner(-1, 1, 0)], [0, 0, 1], hue)];
  const sides = [];
  for (const [i, j, k] of [[0, 1, 2], [1, 2, 0], [2, 0, 1]]) {
    for (const s of [-1, 1]) {
      const middle = plus(centre, half[i], s);
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => plus(plus(middle, half[j], a), half[k], b));
      sides.push(side(camera, corners, scaled(axes[i], s), hue));
    }
  }
  const seen = sides.filter(Boolean);
  const middle = camera.project(centre)[2];
  return seen.length ? [{ near: middle, paint: (ctx) => seen.sort((a, b) => a.near - b.near).forEach((part) => part.paint(ctx)) }] : [];
}

/** Any two directions that are perpendicular to a unit vector and to each other. */
function perpendicular(axis) {
  const least = axis.map(Math.abs).indexOf(Math.min(...axis.map(Math.abs)));
  const unit = [0, 0, 0];
  unit[least] = 1;
  const a = cross(axis, unit);
  const length = Math.hypot(...a);
  const first = scaled(a, 1 / length);
  return [first, cross(axis, first)];
}

/** A cylinder between the centres of its faces; axes: of the frame that it turns with, which shows by a line on the face. */
export function cylinder(camera, ends, radius, hue, axes = null) {
  const along = plus(ends[1], ends[0], -1);
  const length = Math.hypot(...along);
  if (!(length > 0)) return [];
  const axis = scaled(along, 1 / length);
  const [a, b] = axes ? [axes[0], axes[1]] : perpendicular(axis);
  const rim = (end, k) => {
    const angle = (2 * Math.PI * k) / ROUND;
    return plus(plus(end, a, radius * Math.cos(angle)), b, radius * Math.sin(angle));
  };
  const parts = [];
  for (let k = 0; k < ROUND; ++k) {
    const angle = (2 * Math.PI * (k + 0.5)) / ROUND;
    const normal = plus(scaled(a, Math.cos(angle)), b, Math.sin(angle));
    parts.push(side(camera, [rim(ends[0], k), rim(ends[1], k), rim(ends[1], k + 1), rim(ends[0], k + 1)], normal, hue, false));
  }
  for (const [end, s] of [[ends[0], -1], [ends[1], 1]]) {
    const face = side(camera, Array.from({ length: ROUND }, (_, k) => rim(end, k)), scaled(axis, s), hue);
    if (!face) continue;
    parts.push(face);
    if (!axes) continue;
    const lines = [0, ROUND / 4].map((k) => [rim(end, k), rim(end, k + ROUND / 2)].map((p) => camera.project(p)));
    parts.push({ near: face.near, paint: (ctx) => { ctx.strokeStyle = edgeOf(hue); ctx.lineWidth = 1.5; for (const line of lines) { outline(ctx, line, false); ctx.stroke(); } } });
  }
  const middle = camera.project(plus(scaled(ends[0], 0.5), ends[1], 0.5))[2];
  return together(parts).map((one) => ({ ...one, near: middle }));
}

/** The ellipse that is seen of an ellipsoid with these semi-axes: [long, short, angle] in pixels. */
function silhouette(camera, semi) {
  let [xx, xy, yy] = [0, 0, 0];
  for (const axis of semi) {
    const [x, y] = camera.direction(axis);
    xx += x * x; xy += x * y; yy += y * y;
  }
  const mean = (xx + yy) / 2;
  const off = Math.hypot((xx - yy) / 2, xy);
  return [Math.sqrt(mean + off), Math.sqrt(Math.max(mean - off, 0)), 0.5 * Math.atan2(2 * xy, xx - yy)];
}

/** A ball or an ellipsoid; circles on it show how it turns. glass: what is behind shines through. */
export function ball(camera, centre, axes, radii, hueOfBall, { turning = false, glass = false } = {}) {
  const hue = glass ? colours().muted : hueOfBall;
  const flat = camera.dimension === 2;
  const semi = axes.map((axis, j) => scaled(axis, flat && j === 2 ? 0 : radii[j] ?? radii[0]));
  const [x, y, near] = camera.project(centre);
  const [long, short, angle] = silhouette(camera, semi);
  const circles = [];
  if (flat && turning) circles.push([scaled(semi[0], -1), semi[0]], [[0, 0, 0], semi[1]]);
  for (const [i, j] of flat || !(turning || glass) ? [] : [[0, 1], [1, 2], [2, 0]]) {
    let part = [];
    for (let k = 0; k <= 2 * ROUND; ++k) {
      const angle_ = (Math.PI * k) / ROUND;
      const p = plus(scaled(semi[i], Math.cos(angle_)), semi[j], Math.sin(angle_));
      // the normal of the ellipsoid there, by the axes
      const n = plus(scaled(axes[i], Math.cos(angle_) / (radii[i] ?? radii[0])), axes[j], Math.sin(angle_) / (radii[j] ?? radii[0]));
      if (dot(n, camera.toEye) >= 0) part.push(p);
      else if (part.length) { circles.push(part); part = []; }
    }
    if (part.length) circles.push(part);
  }
  const paint = (ctx) => {
    ctx.save();
    ctx.globalAlpha = glass ? 0.28 : 1;
    ctx.beginPath();
    ctx.ellipse(x, y, Math.max(long, 0.5), Math.max(short, 0.5), angle, 0, 2 * Math.PI);
    if (flat) ctx.fillStyle = shade(hue, 0.6);
    else {
      const light = ctx.createRadialGradient(x - 0.35 * short, y - 0.45 * short, 0.05 * long, x, y, 1.15 * long);
      light.addColorStop(0, shade(hue, 1));
      light.addColorStop(1, shade(hue, 0.05));
      ctx.fillStyle = light;
    }
    ctx.fill();
    ctx.globalAlpha = glass ? 0.55 : 1;
    ctx.strokeStyle = edgeOf(hue);
    ctx.lineWidth = glass ? 1 : 1.2;
    ctx.stroke();
    for (const part of circles) {
      outline(ctx, part.map((p) => camera.project(plus(centre, p))), false);
      ctx.stroke();
    }
    ctx.restore();
  };
  return [{ near, paint }];
}
