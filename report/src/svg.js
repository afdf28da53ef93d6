// SPDX-License-Identifier: BSD-3-Clause
// A drawing surface with the methods of a canvas that writes SVG: what is drawn on it can be scaled and set in print.
import { escape } from './dom.js';

const short = (x) => String(Math.round(x * 100) / 100);

export class SvgSurface {
  constructor() {
    Object.assign(this, {
      parts: [], defs: [], stack: [], path: '', clips: 0,
      fillStyle: '#000', strokeStyle: '#000', lineWidth: 1, lineJoin: 'miter', lineCap: 'butt', globalAlpha: 1, dash: [],
      font: '10px sans-serif', textAlign: 'left', textBaseline: 'alphabetic', offset: [0, 0], size: 1, clipped: '',
    });
    this.ruler = document.createElement('canvas').getContext('2d');
  }

  state() {
    const { fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, dash, font, textAlign, offset, size, clipped } = this;
    return { fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, dash, font, textAlign, offset, size, clipped };
  }

  save() { this.stack.push(this.state()); }
  restore() { Object.assign(this, this.stack.pop()); }
  translate(x, y) { this.offset = [this.offset[0] + x * this.size, this.offset[1] + y * this.size]; }

  /** All lengths that follow are so many times as long. */
  scale(factor) { this.size *= factor; }

  at(x, y) { return `${short(x * this.size + this.offset[0])} ${short(y * this.size + this.offset[1])}`; }
  long(x) { return short(x * this.size); }
  beginPath() { this.path = ''; }
  moveTo(x, y) { this.path += `M${this.at(x, y)}`; }
  lineTo(x, y) { this.path += `${this.path ? 'L' : 'M'}${this.at(x, y)}`; }
  closePath() { if (this.path) this.path += 'Z'; }
  rect(x, y, width, height) { this.path += `M${this.at(x, y)}h${this.long(width)}v${this.long(height)}h${this.long(-width)}Z`; }
  arc(x, y, r, from, to) { this.ellipse(x, y, r, r, 0, from, to); }

  /** Whole ellipses only: nothing here draws less. */
  ellipse(x, y, a, b, angle) {
    const [dx, dy] = [a * Math.cos(angle), a * Math.sin(angle)];
    const arc = (px, py) => `A${this.long(a)} ${this.long(b)} ${short((angle * 180) / Math.PI)} 1 1 ${this.at(px, py)}`;
    this.path += `M${this.at(x - dx, y - dy)}${arc(x + dx, y + dy)}${arc(x - dx, y - dy)}Z`;
  }

  clip() {
    const id = `clip${++this.clips}`;
    this.defs.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath>`);
    this.clipped = ` clip-path="url(#${id})"`;
  }

  setLineDash(dash) { this.dash = dash; }

  paint(style) { return typeof style === 'string' ? escape(style) : style.url; }
  alpha() { return this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : ''; }

  fill() { if (this.path) this.parts.push(`<path d="${this.path}" fill="${this.paint(this.fillStyle)}"${this.alpha()}${this.clipped}/>`); }

  stroke() {
    if (!this.path) return;
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.map((part) => this.long(part)).join(' ')}"` : '';
    this.parts.push(`<path d="${this.path}" fill="none" stroke="${this.paint(this.strokeStyle)}" stroke-width="${this.long(this.lineWidth)}" stroke-linejoin="${this.lineJoin}" stroke-linecap="${this.lineCap}"${dash}${this.alpha()}${this.clipped}/>`);
  }

  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }

  strokeRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }

  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  fillText(text, x, y) {
    const [, style, weight, size, family] = /^(italic )?(\d+ )?([\d.]+)px (.*)$/.exec(this.font) ?? [null, '', '', '10', 'sans-serif'];
    this.parts.push(`<text xml:space="preserve" x="${short(x * this.size + this.offset[0])}" y="${short(y * this.size + this.offset[1])}" font-size="${this.long(Number(size))}" font-family="${escape(family)}"${style ? ' font-style="italic"' : ''}${weight ? ` font-weight="${weight.trim()}"` : ''} fill="${this.paint(this.fillStyle)}">${escape(text)}</text>`);
  }

  createRadialGradient(x0, y0, r0, x1, y1, r1) {
    const id = `light${this.defs.length + 1}`;
    const stops = [];
    const at = this.defs.length;
    const [ox, oy] = this.offset;
    const k = this.size;
    this.defs.push('');
    return {
      url: `url(#${id})`,
      addColorStop: (share, colour) => {
        stops.push(`<stop offset="${share}" stop-color="${escape(colour)}"/>`);
        this.defs[at] = `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${short(x1 * k + ox)}" cy="${short(y1 * k + oy)}" r="${short(r1 * k)}" fx="${short(x0 * k + ox)}" fy="${short(y0 * k + oy)}" fr="${short(r0 * k)}">${stops.join('')}</radialGradient>`;
      },
    };
  }

  /** The picture; ratio: how many of its units a pixel of the page has. */
  text(width, height, ratio) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width / ratio)}" height="${short(height / ratio)}" viewBox="0 0 ${short(width)} ${short(height)}"><defs>${this.defs.join('')}</defs>${this.parts.join('\n')}</svg>\n`;
  }
}
