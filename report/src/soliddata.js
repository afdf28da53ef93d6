// SPDX-License-Identifier: BSD-3-Clause
// The mesh of a solid as the program wrote it, decoded and checked, and the fields one can look at.
// Numbers come as base64 of 32-bit integers or floats, least byte first.

export function bytesOf(text, what) {
  if (typeof text !== 'string') throw new Error(`${what} is missing`);
  let raw;
  try { raw = atob(text); } catch { throw new Error(`${what} is not base64`); }
  if (raw.length % 4) throw new Error(`${what} has ${raw.length} bytes; a multiple of 4 is needed`);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; ++k) bytes[k] = raw.charCodeAt(k);
  return bytes.buffer;
}

function expect(list, length, what) {
  if (list.length !== length) throw new Error(`${what} has ${list.length} numbers instead of ${length}`);
  return list;
}

function indices(text, each, nodes, what) {
  const list = new Int32Array(bytesOf(text, what));
  if (list.length % each) throw new Error(`${what} has ${list.length} numbers; a multiple of ${each} is needed`);
  const wrong = list.find((node) => node < 0 || node >= nodes);
  if (wrong !== undefined) throw new Error(`${what} names the node ${wrong}; there are ${nodes}`);
  return list;
}

/** Floats, or null when they were not written. */
const floats = (text, length, what) => (text === undefined || text === null ? null : expect(new Float32Array(bytesOf(text, what)), length, what));

function readFrame(raw, k, nodes, triangles) {
  const what = (key) => `${key} of frame ${k + 1}`;
  if (typeof raw?.t !== 'number' || !Number.isFinite(raw.t)) throw new Error(`${what('t')} is not a number`);
  return {
    t: raw.t, x: expect(new Float32Array(bytesOf(raw.x, what('x'))), 3 * nodes, what('x')),
    stress: floats(raw.stress, triangles, what('stress')), speed: floats(raw.speed, nodes, what('speed')),
  };
}

/** Edges of triangles at a border of the mesh, or where two faces meet at more than 30 degrees: [a, b, a, b, ...]. */
function outlineOf(triangles, x) {
  const normal = (j) => {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * j + k]);
    const [u, v] = [b, c].map((end) => [0, 1, 2].map((k) => x[end + k] - x[a + k]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    return n.map((value) => value / length);
  };
  const seen = new Map();
  for (let j = 0; 3 * j < triangles.length; ++j) {
    for (let k = 0; k < 3; ++k) {
      const [a, b] = [triangles[3 * j + k], triangles[3 * j + ((k + 1) % 3)]];
      const key = Math.min(a, b) * 0x4000000 + Math.max(a, b);
      const faces = seen.get(key);
      if (faces) faces.push(j); else seen.set(key, [j]);
    }
  }
  const lines = [];
  for (const [key, faces] of seen) {
    if (faces.length === 2) {
      const [m, n] = faces.map(normal);
      if (Math.abs(m[0] * n[0] + m[1] * n[1] + m[2] * n[2]) > 0.866) continue;
    }
    lines.push(Math.floor(key / 0x4000000), key % 0x4000000);
  }
  return Int32Array.from(lines);
}

/** The edges of elements that are not among the lines. */
function inner(edges, lines) {
  const key = (a, b) => Math.min(a, b) * 0x4000000 + Math.max(a, b);
  const known = new Set();
  for (let k = 0; k < lines.length; k += 2) known.add(key(lines[k], lines[k + 1]));
  const rest = [];
  for (let k = 0; k < edges.length; k += 2) if (!known.has(key(edges[k], edges[k + 1]))) rest.push(edges[k], edges[k + 1]);
  return Int32Array.from(rest);
}

function read(raw) {
  const { nodes } = raw;
  if (!Number.isInteger(nodes) || nodes < 1) throw new Error(`the number of nodes is ${nodes}`);
  if (raw.dimension !== 2 && raw.dimension !== 3) throw new Error(`the dimension is ${raw.dimension} instead of 2 or 3`);
  const triangles = indices(raw.triangles, 3, nodes, 'triangles');
  const count = triangles.length / 3;
  if (!count) throw new Error('there are no triangles');
  const element = raw.element ? expect(new Int32Array(bytesOf(raw.element, 'element')), count, 'element') : null;
  const updates = floats(raw.updates, count, 'updates');
  const all = (Array.isArray(raw.frames) ? raw.frames : []).map((frame, k) => readFrame(frame, k, nodes, count));
  const frames = all.filter(({ x }) => x.every(Number.isFinite));
  if (!frames.length) throw new Error('there are no frames');
  const late = frames.findIndex(({ t }, k) => k > 0 && t < frames[k - 1].t);
  if (late > 0) throw new Error(`the time of frame ${late + 1} is before that of frame ${late}`);
  const outline = outlineOf(triangles, frames[0].x);
  return {
    dimension: raw.dimension, nodes, triangles, count, element, updates, frames, outline,
    edges: inner(indices(raw.edges ?? '', 2, nodes, 'edges'), outline),
    all: raw.all_updates ? new Float32Array(bytesOf(raw.all_updates, 'all_updates')) : null,
    units: { stress: '', speed: '', length: '', time: '', ...raw.units }, note: typeof raw.note === 'string' ? raw.note : '',
    lost: all.length - frames.length,
  };
}

/** The solid of the data: null when there is none, { error } when it cannot be drawn. */
export function readSolid(raw) {
  if (raw === undefined || raw === null) return null;
  try { return read(raw); } catch (error) { return { error: error.message }; }
}

// ---- fields ----

const SAMPLES = 300000;
const FEW = 2000; // values among which none is called an exception

/** Upper end of the colours for values from 0 on. A few values far above all others (a corner) do not take the colours
 *  of the rest: then the end is the 99.9th of 100 and `clipped` is set. */
function upper(lists) {
  let high = 0;
  let total = 0;
  for (const list of lists) {
    total += list.length;
    for (const value of list) if (value > high && value < Infinity) high = value;
  }
  const every = Math.max(1, Math.ceil(total / SAMPLES));
  const sample = new Float64Array(Math.ceil(total / every));
  let [k, at] = [0, 0];
  for (const list of lists) {
    for (; at < list.length; at += every) if (Number.isFinite(list[at])) sample[k++] = list[at];
    at -= list.length;
  }
  const sorted = sample.subarray(0, k).sort();
  const most = sorted[Math.floor(0.999 * (k - 1))];
  return k > FEW && most > 0 && high > 2 * most ? { high: most, clipped: true, most: high } : { high, clipped: false, most: high };
}

/** How far the nodes have moved since the first frame. */
function moved(solid, k) {
  const [a, b] = [solid.frames[0].x, solid.frames[k].x];
  return Float32Array.from({ length: solid.nodes }, (_, j) => Math.hypot(b[3 * j] - a[3 * j], b[3 * j + 1] - a[3 * j + 1], b[3 * j + 2] - a[3 * j + 2]));
}

/** [smallest, largest] of the counts above zero. */
export function countRange(counts) {
  let [low, high] = [Infinity, 0];
  for (const value of counts) {
    if (!(value > 0 && value < Infinity)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!high) return null;
  const room = low === high ? 10 ** 0.25 : 1; // all the same: the colour of the middle
  return [low / room, high * room];
}

/** Fields of a solid: { key, name, unit, map, log, per, values(k), range() }; per is "node" or "triangle". */
export function fieldsOf(solid) {
  const { frames, units, updates } = solid;
  const once = (make) => { let known; return () => (known ??= make()); };
  const over = (values) => once(() => { const { high, ...rest } = upper(frames.map((_, k) => values(k))); return { low: 0, high, ...rest }; });
  const field = (key, name, unit, per, values) => ({ key, name, unit, per, map: 'field', log: false, values, range: over(values) });
  const counts = updates && countRange(updates);
  const written = (key) => frames.every((frame) => frame[key]);
  return [
    written('stress') && field('stress', 'von Mises stress', units.stress, 'triangle', (k) => frames[k].stress),
    field('displacement', 'displacement', units.length, 'node', (k) => moved(solid, k)),
    written('speed') && field('speed', 'speed', units.speed, 'node', (k) => frames[k].speed),
    counts && {
      key: 'updates', name: 'updates per element', unit: '', per: 'triangle', map: 'count', log: true, values: () => updates,
      range: () => ({ low: counts[0], high: counts[1], clipped: false, most: counts[1] }),
    },
  ].filter(Boolean);
}

/** Share of the colour map for a value: below 0 where there is none (never updated, not a number). */
export function shareOf({ log }, { low, high }, value) {
  if (!Number.isFinite(value) || (log && value <= 0)) return -1;
  if (!(high > low)) return 0;
  const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(Math.max(share, 0), 1);
}
