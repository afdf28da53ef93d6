// SPDX-License-Identifier: BSD-3-Clause
// The picture of a mechanism as the program wrote it, decoded: what is drawn, and where it is at each of the times.
// Places are numbers of outputs; an output is a number where it does not change, else floats in base64.
import { bytesOf } from './soliddata.js';

const KINDS = ['point', 'link', 'box', 'ball', 'cylinder', 'frame', 'arrow', 'ground'];
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function readOutput(raw, count, k) {
  if (typeof raw === 'number') return raw;
  const values = new Float32Array(bytesOf(raw, `output ${k + 1}`));
  if (values.length !== count) throw new Error(`output ${k + 1} has ${values.length} numbers instead of ${count}`);
  return values;
}

function read(raw) {
  const { dimension, up = 'z', t, items, by_default: byDefault = false } = raw;
  if (dimension !== 2 && dimension !== 3) throw new Error(`the dimension is ${dimension} instead of 2 or 3`);
  if (!Array.isArray(t) || !t.length) throw new Error('there are no records');
  const outputs = raw.outputs.map((output, k) => readOutput(output, t.length, k));
  const at = (number, k) => (typeof outputs[number] === 'number' ? outputs[number] : outputs[number][k]);
  const turned = dimension === 3 && up === 'y'; // the reader's third axis is up
  const order = ([x, y, z]) => (turned ? [z, x, y] : [x, y, z]);
  /** A place at the k-th time; null where it has no value. */
  const place = (numbers, k) => {
    const point = [at(numbers[0], k), at(numbers[1], k), dimension === 3 ? at(numbers[2], k) : 0];
    return point.every(Number.isFinite) ? order(point) : null;
  };
  /** The columns of a rotation: the axes of the frame that is turned. */
  const axes = ({ turn }, k) => {
    const m = !turn ? IDENTITY : dimension === 3 ? turn.map((number) => at(number, k))
      : [at(turn[0], k), -at(turn[1], k), 0, at(turn[1], k), at(turn[0], k), 0, 0, 0, 1];
    return m.every(Number.isFinite) ? [0, 1, 2].map((j) => order([m[j], m[3 + j], m[6 + j]])) : null;
  };
  const still = (numbers) => numbers.every((number) => typeof outputs[number] === 'number');
  const known = items.filter(({ kind }) => KINDS.includes(kind));
  return {
    dimension, t, byDefault, place, axes, still, count: t.length,
    names: turned ? ['z', 'x', 'y'] : ['x', 'y', 'z'],
    items: known.map((item) => ({ size: [], places: [], name: '', ...item })),
  };
}

/** The scene of the data: null when there is none, { error } when it cannot be drawn. */
export function readScene(raw) {
  if (raw === undefined || raw === null) return null;
  try { return read(raw); } catch (error) { return { error: error.message }; }
}

/** The corners [low, high] of the box around all that is drawn at all times. */
export function boundsOf(scene) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const take = (point, room) => point?.forEach((x, j) => {
    low[j] = Math.min(low[j], x - room);
    high[j] = Math.max(high[j], x + room);
  });
  for (const { kind, places, size } of scene.items) {
    if (kind === 'ground') continue;
    const room = kind === 'box' ? Math.hypot(...size) / 2 : kind === 'cylinder' ? Math.hypot(size[0], (size[1] ?? 0) / 2)
      : Math.max(0, ...size);
    const ends = kind === 'arrow' ? places.slice(0, 1) : places;
    for (const numbers of ends) for (let k = 0; k < (scene.still(numbers) ? 1 : scene.count); ++k) take(scene.place(numbers, k), room);
  }
  if (!Number.isFinite(low[0])) return [[-1, -1, -1], [1, 1, 1]];
  const span = Math.max(...high.map((x, j) => x - low[j]));
  if (span === 0) return [low.map((x) => x - 1), high.map((x) => x + 1)];
  for (const { kind, size } of scene.items) {
    if (kind !== 'ground') continue;
    const axis = scene.dimension === 2 ? 1 : 2;
    low[axis] = Math.min(low[axis], size[0]);
    high[axis] = Math.max(high[axis], size[0]);
  }
  return [low, high];
}
