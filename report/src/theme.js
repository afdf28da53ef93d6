// SPDX-License-Identifier: BSD-3-Clause
// Light or dark: the system's choice until the reader presses the button; colours for the canvases.
const KEY = 'varia-theme';
const listeners = new Set();
const system = window.matchMedia('(prefers-color-scheme: dark)');
let palette = null;
let forced = null; // while printing

function stored() {
  try { return sessionStorage.getItem(KEY); } catch { return null; } // a browser may forbid storage for files
}

let chosen = stored();

export const current = () => forced ?? chosen ?? (system.matches ? 'dark' : 'light');

function apply() {
  document.documentElement.dataset.theme = current();
  palette = null;
  for (const listener of listeners) listener();
}

export function toggle() {
  chosen = current() === 'dark' ? 'light' : 'dark';
  try { sessionStorage.setItem(KEY, chosen); } catch { /* remembered in this variable only */ }
  apply();
}

export function onTheme(listener) { listeners.add(listener); }

/** Colours of the style sheet as the canvases need them. */
export function colours() {
  if (!palette) {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(`--${name}`).trim();
    palette = { series: Array.from({ length: 8 }, (_, k) => get(`series-${k + 1}`)) };
    for (const name of ['paper', 'ink', 'muted', 'line', 'grid', 'accent']) palette[name] = get(name);
    palette.ramp = [1, 2, 3, 4].map((k) => get(`ramp-${k}`));
  }
  return palette;
}

export function start() {
  system.addEventListener('change', apply);
  window.addEventListener('beforeprint', () => { forced = 'light'; apply(); });
  window.addEventListener('afterprint', () => { forced = null; apply(); });
  apply();
}

const channels = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));

/** A mixture of two colours #rrggbb. */
export function mix(a, b, share) {
  const [from, to] = [channels(a), channels(b)];
  return `#${from.map((c, k) => Math.round(c + (to[k] - c) * share).toString(16).padStart(2, '0')).join('')}`;
}

function along(stops, s) {
  const position = Math.min(Math.max(s, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(position), stops.length - 2);
  return mix(stops[k], stops[k + 1], position - k);
}

/** Colour at the share s of the time: the ramp for one path, the hue of the path for one of several. */
export function timeColour(path, paths, s) {
  const { ramp, paper } = colours();
  if (paths === 1) return along(ramp, s);
  const hue = seriesColour(path, paths);
  return along([mix(hue, paper, 0.72), hue], s);
}

/** Colour of series k of n: eight hues; more than eight series run through the ramp in order. */
export function seriesColour(k, n) {
  const { series, ramp } = colours();
  return n <= series.length ? series[k] : along(ramp, 0.12 + (0.88 * k) / (n - 1));
}
