// SPDX-License-Identifier: BSD-3-Clause
// Where the ticks of an axis stand and what is written at them: { values, labels, factor } with typeset labels;
// factor is the power of ten common to all labels of a linear axis, or null.
import { number, plain, digitsText, power } from './rich.js';

const niceStep = (rough) => {
  const base = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / base;
  return base * (lead < 1.5 ? 1 : lead < 3 ? 2 : lead < 7 ? 5 : 10);
};

export function linearTicks(min, max, count) {
  const step = niceStep((max - min) / Math.max(1, count));
  const values = [];
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max + step * 1e-9; ++k) values.push(k * step);
  const size = Math.max(Math.abs(min), Math.abs(max));
  const decade = Math.floor(Math.log10(size) + 1e-9);
  const exponent = decade < -3 || decade > 5 ? decade : 0;
  const decimals = Math.min(15, Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + exponent));
  const labels = values.map((value) => {
    const shown = (value / 10 ** exponent).toFixed(decimals);
    return plain(digitsText(Number(shown) === 0 ? (0).toFixed(decimals).replace(/^0\.0*$/, '0') : shown));
  });
  return { values, labels, factor: exponent ? power('1', exponent, true) : null };
}

function decades(min, max, count) {
  const low = Math.ceil(Math.log10(min) - 1e-9);
  const high = Math.floor(Math.log10(max) + 1e-9);
  const every = Math.max(1, Math.ceil((high - low) / Math.max(1, count)));
  const values = [];
  for (let k = Math.ceil(low / every) * every; k <= high; k += every) values.push(k);
  return values;
}

export function logTicks(min, max, count) {
  const exponents = decades(min, max, count);
  const span = Math.log10(max / min);
  if (exponents.length >= 3) {
    return {
      values: exponents.map((k) => 10 ** k),
      labels: exponents.map((k) => (k >= 0 && k <= 3 ? plain(String(10 ** k)) : power('1', k, true))),
      factor: null,
    };
  }
  if (span < 0.35) return linearTicks(min, max, Math.min(count, 5));
  const values = [];
  for (let k = Math.floor(Math.log10(min)); k <= Math.ceil(Math.log10(max)); ++k) {
    for (const lead of span > 1 ? [1, 3] : [1, 2, 5]) {
      const value = Number(`${lead}e${k}`);
      if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9)) values.push(value);
    }
  }
  return { values, labels: values.map((value) => number(value, 2)), factor: null };
}
