// SPDX-License-Identifier: BSD-3-Clause
// The colour bar beside a body, or below it where there is little room.
import { mapColour } from './colormap.js';
import { colours } from './theme.js';
import { draw, measure, plain, text } from './rich.js';
import { linearTicks, logTicks } from './ticks.js';

const STOPS = 64;
const NARROW = 520;

/** Pixels that the bar and the writing need at each side of a drawing; the axes of a body in space stand at the left. */
export function roomFor(width, flat) {
  return width < NARROW ? { left: 14, right: 14, top: 34, bottom: 96 } : { left: flat ? 22 : 66, right: 104, top: 36, bottom: 34 };
}

/** { ticks: [[share, runs]], title: runs } of a field with its range. */
export function scaleOf(field, { low, high }, length) {
  const share = (value) => (field.log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const empty = !(high > low);
  const { values, labels, factor } = empty ? { values: [low], labels: [plain('0')], factor: null }
    : (field.log ? logTicks : linearTicks)(low, high, Math.max(2, Math.round(length / 58)));
  const unit = [...(factor ?? []), ...(factor && field.unit ? plain(' ') : []), ...plain(field.unit)];
  const title = [...plain(field.name), ...(factor || field.unit ? [...plain(' ('), ...unit, ...plain(')')] : [])];
  return { title, ticks: values.map((value, k) => [empty ? 0 : share(value), labels[k]]) };
}

function gradient(ctx, map, x0, y0, x1, y1) {
  const paint = ctx.createLinearGradient(x0, y0, x1, y1);
  for (let k = 0; k <= STOPS; ++k) paint.addColorStop(k / STOPS, mapColour(map, k / STOPS));
  return paint;
}

/** The pointed end of a bar whose colour also stands for values above it. */
function point(ctx, corners) {
  ctx.beginPath();
  corners.forEach(([x, y], k) => ctx[k ? 'lineTo' : 'moveTo'](x, y));
  ctx.closePath();
  ctx.fill();
}

function upright(ctx, field, range, width, height) {
  const { ink, muted } = colours();
  const [left, thick, top] = [width - 78, 14, 40];
  const bottom = Math.min(height - 34, top + 440);
  const { ticks, title } = scaleOf(field, range, bottom - top);
  ctx.fillStyle = gradient(ctx, field.map, 0, bottom, 0, top);
  ctx.fillRect(left, top, thick, bottom - top);
  if (range.clipped) {
    ctx.fillStyle = mapColour(field.map, 1);
    point(ctx, [[left, top + 0.5], [left + thick / 2, top - 9], [left + thick, top + 0.5]]);
  }
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1;
  for (const [share, label] of ticks) {
    const y = bottom - share * (bottom - top);
    const line = Math.min(Math.max(Math.round(y) - 0.5, top + 0.5), bottom - 0.5);
    ctx.beginPath();
    ctx.moveTo(left + thick, line);
    ctx.lineTo(left + thick + 4, line);
    ctx.stroke();
    draw(ctx, label, left + thick + 9, y + 4.3, { size: 12, color: muted });
  }
  draw(ctx, title, width - 6, 17, { size: 13, color: ink, align: 'right' });
  return { ticks, title };
}

function lying(ctx, field, range, width, height) {
  const { ink, muted } = colours();
  const [left, right, top, thick] = [16, width - 22, height - 38, 10];
  const { ticks, title } = scaleOf(field, range, right - left);
  ctx.fillStyle = gradient(ctx, field.map, left, 0, right, 0);
  ctx.fillRect(left, top, right - left, thick);
  if (range.clipped) {
    ctx.fillStyle = mapColour(field.map, 1);
    point(ctx, [[right - 0.5, top], [right + 8, top + thick / 2], [right - 0.5, top + thick]]);
  }
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1;
  let end = -Infinity;
  for (const [share, label] of ticks) {
    const half = measure(ctx, label, 12) / 2;
    const x = left + share * (right - left);
    const middle = Math.min(Math.max(x, half + 2), width - half - 2);
    if (middle - half < end + 8) continue;
    end = middle + half;
    const line = Math.min(Math.max(Math.round(x) - 0.5, left + 0.5), right - 0.5);
    ctx.beginPath();
    ctx.moveTo(line, top + thick);
    ctx.lineTo(line, top + thick + 4);
    ctx.stroke();
    draw(ctx, label, middle, top + thick + 17, { size: 12, color: muted, align: 'center' });
  }
  draw(ctx, title, left, top - 8, { size: 13, color: ink });
  return { ticks, title };
}

/** Draws the bar and states its numbers for readers of the page's structure. */
export function drawBar(ctx, panel, field, width, height) {
  if (!field) {
    delete panel.root.dataset.bar;
    return;
  }
  const range = field.range();
  const { ticks, title } = (width < NARROW ? lying : upright)(ctx, field, range, width, height);
  panel.root.dataset.bar = JSON.stringify({
    title: text(title), low: range.low, high: range.high, most: range.most, clipped: range.clipped, ticks: ticks.map(([share, label]) => [share, text(label)]),
  });
}
