// SPDX-License-Identifier: BSD-3-Clause
// Typeset text: a list of runs { text, level, italic } that can be turned into HTML or drawn on a canvas.
// level is "" (on the line), "sup" or "sub".
import { escape } from './dom.js';

export const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif';
export const SERIF = '"STIX Two Text", "Iowan Old Style", "Palatino Linotype", Palatino, Cambria, Georgia, "Noto Serif", "Liberation Serif", serif';
const MINUS = '\u2212';
const THIN = '\u202f'; // narrow space that does not break

export const run = (text, level = '', italic = false) => ({ text, level, italic });
export const plain = (text) => [run(text)];

// ---- numbers ----

/** Digits of a number without an exponent, with a real minus sign and thin spaces between thousands from 10 000 on. */
export function digitsText(text) {
  const [whole, part] = text.replace('-', '').split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN) : whole;
  return (text.startsWith('-') ? MINUS : '') + grouped + (part === undefined ? '' : `.${part}`);
}

/** Runs of mantissa times a power of ten; the mantissa is left out when it is one and `bare` is set. */
export function power(mantissa, exponent, bare = false) {
  const exp = run(String(exponent).replace('-', MINUS), 'sup');
  if (bare && mantissa === '1') return [run('10'), exp];
  if (bare && mantissa === '-1') return [run(`${MINUS}10`), exp];
  return [run(`${digitsText(mantissa)}${THIN}×${THIN}10`), exp];
}

/** A number with so many significant digits; tiny and huge ones as powers of ten. digits 0: all it has; zeros: also at the end. */
export function number(x, digits = 4, zeros = false) {
  if (x === null || x === undefined || Number.isNaN(x)) return plain('–');
  if (!Number.isFinite(x)) return plain(x > 0 ? '∞' : `${MINUS}∞`);
  if (x === 0) return plain('0');
  const size = Math.abs(x);
  if (size >= 1e-3 && size < (Number.isInteger(x) ? 1e9 : 1e6)) {
    if (digits === 0 || (Number.isInteger(x) && size < 1e9)) return plain(digitsText(String(x)));
    const text = x.toPrecision(digits);
    const number_ = text.includes('e') ? String(Number(text)) : text.includes('.') && !zeros ? text.replace(/\.?0+$/, '') : text;
    return plain(digitsText(number_));
  }
  const [mantissa, exponent] = (digits === 0 ? x.toExponential() : x.toExponential(digits - 1)).split('e');
  return power(mantissa.includes('.') && !zeros ? mantissa.replace(/\.?0+$/, '') : mantissa, Number(exponent), true);
}

const FLOATING = /(?<![\w.])(-?\d+(?:\.\d+)?)[eE]([+-]?\d+)(?!\w)/g;

/** Text written by the program, such as "6.1e-10" or "SO(3)^2", with its powers typeset. Safe for innerHTML. */
export function proseHtml(text) {
  return escape(text).replace(FLOATING, (_, mantissa, exponent) => html(power(mantissa, Number(exponent), true)))
    .replace(/ \+- /g, ' ± ').replace(/(\)|\bR|\bS)\^(\d+)/g, '$1<sup>$2</sup>');
}

// ---- names ----

const GREEK = {
  alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', zeta: 'ζ', eta: 'η', theta: 'θ', kappa: 'κ',
  lambda: 'λ', mu: 'μ', nu: 'ν', xi: 'ξ', rho: 'ρ', sigma: 'σ', tau: 'τ', phi: 'φ', chi: 'χ', psi: 'ψ', omega: 'ω',
};

function letter(base) {
  const text = GREEK[base] ?? base;
  return run(text, '', [...text].length === 1);
}

/** A name of the scenario as one writes it: x_dot is x with a dot, x_p is p with the index x, q[3] and u[2][3] have indices. */
export function symbol(name) {
  const parts = /^(\p{L}+?)(\d*)(_dot|_p)?(?:\[(\d+)\](?:\[(\d+)\])?)?(_dot|_p)?$/u.exec(name);
  if (!parts || (!GREEK[parts[1]] && parts[1].length > 1)) {
    const momentum = /^(.+)_p$/.exec(name);
    return momentum && !/_/.test(momentum[1]) ? [run('p', '', true), run(momentum[1], 'sub')] : plain(name.replaceAll('-', MINUS));
  }
  const [, base, digits, inner, index, second, outer] = parts;
  const suffix = inner ?? outer;
  const body = letter(base);
  const sub = [digits, index, second].filter(Boolean).join(',');
  if (suffix === '_p') return [run('p', '', true), run(body.text + (sub ? ` ${sub}` : ''), 'sub')];
  if (suffix === '_dot') body.text = `${body.text}\u0307`.normalize('NFC');
  return sub ? [body, run(sub, 'sub')] : [body];
}

// ---- output ----

export function html(runs) {
  return runs.map(({ text, level, italic }) => {
    const inner = italic ? `<i class="math">${escape(text)}</i>` : escape(text);
    return level ? `<${level}>${inner}</${level}>` : inner;
  }).join('');
}

export function text(runs) {
  return runs.map(({ text: t, level }) => (level === 'sup' ? `^${t}` : level === 'sub' ? `_${t}` : t)).join('');
}

const fontOf = ({ level, italic }, size, weight) =>
  `${italic ? 'italic ' : ''}${weight} ${level ? size * 0.74 : italic ? size * 1.1 : size}px ${italic ? SERIF : SANS}`;

export function measure(ctx, runs, size, weight = 400) {
  let width = 0;
  for (const piece of runs) {
    ctx.font = fontOf(piece, size, weight);
    width += ctx.measureText(piece.text).width;
  }
  return width;
}

/** Runs that fit into a width: the end is cut, with an ellipsis in its place. */
export function fitted(ctx, runs, size, width) {
  if (measure(ctx, runs, size) <= width) return runs;
  const kept = runs.map((piece) => ({ ...piece }));
  while (kept.length > 0) {
    const last = kept[kept.length - 1];
    last.text = last.text.slice(0, -1).trimEnd();
    if (last.text === '') kept.pop();
    const shown = [...kept, run('…')];
    if (measure(ctx, shown, size) <= width) return shown;
  }
  return [];
}

/** Draws runs at (x, y) on the baseline; align "left", "right" or "center". */
export function draw(ctx, runs, x, y, { size, color, align = 'left', weight = 400 }) {
  const width = measure(ctx, runs, size, weight);
  let left = x - (align === 'right' ? width : align === 'center' ? width / 2 : 0);
  ctx.fillStyle = color;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  for (const piece of runs) {
    ctx.font = fontOf(piece, size, weight);
    const raise = piece.level === 'sup' ? 0.38 * size : piece.level === 'sub' ? -0.2 * size : 0;
    ctx.fillText(piece.text, left, y - raise);
    left += ctx.measureText(piece.text).width;
  }
  return width;
}
