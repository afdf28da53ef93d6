// SPDX-License-Identifier: BSD-3-Clause
// Colour maps of fields on a body. Each is a smooth curve through a few colours in the space OKLab, run through at
// constant speed: equal steps of the value are equal steps for the eye, and the lightness rises throughout.

const ANCHORS = {
  field: ['#45206f', '#414a8c', '#2b768e', '#22a184', '#79cb52', '#f8e635'],
  count: ['#2f2a72', '#752484', '#b83a78', '#e6694f', '#f6a64c', '#fbe79b'],
};
const SIZE = 256;

const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const gamma = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
const times = (rows, v) => rows.map((row) => row.reduce((sum, a, k) => sum + a * v[k], 0));

const TO_CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]];
const TO_LAB = [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]];
const FROM_LAB = [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.291485548]];
const FROM_CONES = [[4.0767416621, -3.3077115913, 0.2309699292], [-1.2684380046, 2.6097574011, -0.3413193965], [-0.0041960863, -0.7034186147, 1.707614701]];

/** OKLab of red, green and blue from 0 to 255. */
export const toLab = (rgb) => times(TO_LAB, times(TO_CONES, rgb.map((c) => linear(c / 255))).map(Math.cbrt));
const fromLab = (lab) => times(FROM_CONES, times(FROM_LAB, lab).map((c) => c ** 3))
  .map((c) => Math.round(255 * gamma(Math.min(Math.max(c, 0), 1))));

/** Point at s (0..1) of the curve through the points, each span a cubic with the mean slopes at its ends. */
function curve(points, s) {
  const n = points.length - 1;
  const k = Math.min(Math.floor(s * n), n - 1);
  const u = s * n - k;
  const at = (j) => (j < 0 ? points[0].map((c, i) => 2 * c - points[1][i]) : j > n ? points[n].map((c, i) => 2 * c - points[n - 1][i]) : points[j]);
  const [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
  return b.map((_, i) => b[i] + (u / 2) * (c[i] - a[i] + u * (2 * a[i] - 5 * b[i] + 4 * c[i] - d[i] + u * (3 * (b[i] - c[i]) + d[i] - a[i]))));
}

function table(anchors) {
  const points = anchors.map((hex) => toLab([1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16))));
  const fine = Array.from({ length: 2049 }, (_, k) => curve(points, k / 2048));
  const way = [0]; // length of the curve so far
  for (let k = 1; k < fine.length; ++k) way.push(way[k - 1] + Math.hypot(...fine[k].map((c, i) => c - fine[k - 1][i])));
  const bytes = new Uint8Array(4 * SIZE);
  for (let j = 0, k = 0; j < SIZE; ++j) {
    const wanted = (way[way.length - 1] * j) / (SIZE - 1);
    while (k + 1 < fine.length - 1 && way[k + 1] < wanted) ++k;
    bytes.set([...fromLab(fine[k + (way[k + 1] - wanted < wanted - way[k] ? 1 : 0)]), 255], 4 * j);
  }
  return bytes;
}

const tables = {};

/** The map "field" or "count" as 256 pixels, four bytes each. */
export function mapBytes(name) {
  tables[name] ??= table(ANCHORS[name]);
  return tables[name];
}

/** Colour of the map at the share s. */
export function mapColour(name, s) {
  const k = 4 * Math.round(Math.min(Math.max(s, 0), 1) * (SIZE - 1));
  return `rgb(${mapBytes(name).subarray(k, k + 3).join(', ')})`;
}
