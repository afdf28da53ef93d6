// SPDX-License-Identifier: BSD-3-Clause
// The surroundings of a plot: title, tools, plot area, legend, note; and the picture one can save.
import { el, button } from './dom.js';
import { colours, onTheme } from './theme.js';
import { draw, html, measure, plain, proseHtml, text as toText } from './rich.js';
import { SvgSurface } from './svg.js';
import { download } from './film.js';

export class Panel {
  /** size: "" for half a row, "tall" for two rows, "wide" for a row. */
  constructor({ id, title, caption = '', size = '', file = 'varia' }) {
    this.title = title;
    this.file = `${file}-${id}.png`;
    this.readout = el('span.readout', { 'aria-live': 'off' });
    this.tools = el('div.tools');
    this.holder = el('div.plot', { tabindex: 0, role: 'group', 'aria-label': `${title}. Plus and minus zoom, arrows move, 0 resets.` });
    this.legend = el('div.legend');
    this.note = el('p.remark');
    this.root = el(`figure.panel${size ? `.${size}` : ''}`, { 'data-plot': id },
      el('figcaption', {}, el('h3', {}, title), this.tools, caption ? el('p.caption', { html: caption }) : null),
      this.holder, this.readout, this.legend, this.note);
    this.resetButton = button('Reset the view (double click, or key 0)', 'reset', () => this.onReset?.(), { disabled: true, 'data-do': 'reset' });
    this.saveButton = button('Save as PNG', 'save', () => this.save(), { 'data-do': 'save' });
    this.tools.append(this.resetButton, this.saveButton);
    this.items = []; // legend entries: { runs, colour(), dash, shape }
  }

  /** paint(surface) draws the plot on a surface with the methods of a canvas: it can be saved as SVG, too. */
  offerVector(paint) {
    this.vector = paint;
    this.tools.append(button('Save as SVG', 'vector', () => this.saveVector(), { 'data-do': 'vector' }));
  }

  /** What the buttons do is done by the frame of a flat plot; after(): what follows a new theme. */
  hold(frame, after = () => {}) {
    this.onReset = () => frame.reset();
    this.canvas = () => frame.canvas();
    this.offerVector((ctx) => frame.vector(ctx));
    this.setView(frame.view, false);
    onTheme(() => { frame.redraw(); this.paintLegend(); after(); });
  }

  addTool(node) { this.tools.prepend(node); }

  setNote(lines) { this.note.textContent = lines.filter(Boolean).join(' '); }

  /** The same with the powers of ten in the text typeset. */
  setProse(lines) { this.note.innerHTML = proseHtml(lines.filter(Boolean).join(' ')); }

  /** States the range for readers of the page's structure, and wakes the reset button. */
  setView(view, zoomed) {
    this.root.dataset.x = view.x.join(' ');
    this.root.dataset.y = view.y.join(' ');
    this.resetButton.disabled = !zoomed;
  }

  empty(message) {
    this.holder.replaceWith(el('p.empty', {}, message));
    this.tools.remove();
  }

  /** One legend entry; a button when it can be switched off. Returns { value } to write numbers into. */
  entry({ runs, colour, dash = false, shape = 'line', toggle = null, suffix = '', tip = '' }) {
    const swatch = el(`span.swatch.${shape}${dash ? '.dash' : ''}`);
    const value = el('span.value');
    const label = el('span.label', { html: html(runs) });
    const node = toggle
      ? el('button.entry', { type: 'button', 'aria-pressed': 'true', title: tip || 'Show or hide' }, swatch, label)
      : el('span.entry', { title: tip }, swatch, label);
    if (suffix) node.append(el('span.suffix', {}, suffix));
    node.append(value);
    if (toggle) {
      node.addEventListener('click', () => {
        const on = node.getAttribute('aria-pressed') !== 'true';
        node.setAttribute('aria-pressed', String(on));
        toggle(on);
      });
    }
    const item = { runs: suffix ? [...runs, ...plain(` ${suffix}`)] : runs, colour, dash, swatch, node };
    this.items.push(item);
    this.legend.append(node);
    this.paintLegend();
    return { value, node };
  }

  paintLegend() {
    for (const { swatch, colour } of this.items) swatch.style.setProperty('--swatch', colour());
  }

  clearLegend() {
    this.items = [];
    this.legend.replaceChildren();
  }

  /** Where title, plot and legend entries stand: the size of the picture, and paint(ctx, plot), where plot(x, y) draws the plot. */
  composition(measuring, source) {
    const ratio = source.width / source.clientWidth;
    const shown = this.items.filter(({ node }) => node.getAttribute('aria-pressed') !== 'false');
    const [edge, size] = [20 * ratio, 13 * ratio];
    const place = []; // of the legend entries, row by row
    let [x, y] = [edge, edge + 34 * ratio + source.height + 18 * ratio];
    for (const item of shown) {
      const width = measure(measuring, item.runs, size) + 42 * ratio;
      if (x > edge && x + width > edge + source.width) { x = edge; y += 22 * ratio; }
      place.push({ item, x, y });
      x += width;
    }
    const width = source.width + 2 * edge;
    const height = (shown.length ? y : y - 18 * ratio) + edge;
    const paint = (ctx, plot) => {
      const { paper, ink, muted } = colours();
      ctx.fillStyle = paper;
      ctx.fillRect(0, 0, width, height);
      draw(ctx, plain(this.title), edge, edge + 14 * ratio, { size: 16 * ratio, color: ink, weight: 600 });
      plot(edge, edge + 34 * ratio);
      for (const { item, x: left, y: base } of place) {
        ctx.strokeStyle = item.colour();
        ctx.lineWidth = 2.5 * ratio;
        ctx.setLineDash(item.dash ? [5 * ratio, 3 * ratio] : []);
        ctx.beginPath();
        ctx.moveTo(left, base - 4 * ratio);
        ctx.lineTo(left + 18 * ratio, base - 4 * ratio);
        ctx.stroke();
        draw(ctx, item.runs, left + 24 * ratio, base, { size, color: muted });
      }
    };
    return { width, height, ratio, paint };
  }

  /** The plot with title and legend on one canvas. */
  picture() {
    const source = this.canvas();
    const canvas = document.createElement('canvas');
    const ctx = canvas.getContext('2d');
    const { width, height, paint } = this.composition(ctx, source);
    Object.assign(canvas, { width, height });
    const layers = this.layers?.() ?? [source];
    paint(ctx, (x, y) => layers.forEach((layer) => ctx.drawImage(layer, x, y, source.width, source.height)));
    return canvas;
  }

  /** The same as SVG. */
  vectorPicture() {
    const surface = new SvgSurface();
    const { width, height, ratio, paint } = this.composition(surface, this.canvas());
    paint(surface, (x, y) => {
      surface.save();
      surface.translate(x, y);
      this.vector(surface);
      surface.restore();
    });
    return surface.text(width, height, ratio);
  }

  save() { this.picture().toBlob((blob) => download(blob, this.file)); }

  saveVector() { download(new Blob([this.vectorPicture()], { type: 'image/svg+xml' }), this.file.replace(/\.png$/, '.svg')); }

  describe(text) { this.holder.setAttribute('aria-description', text); }
}

export { toText };
