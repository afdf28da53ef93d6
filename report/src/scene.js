// SPDX-License-Identifier: BSD-3-Clause
// The panel of a scene: it plays and scrubs with the plots, turns or moves under the hand, and is saved as picture or film.
import { Panel } from './panel.js';
import { clock } from './clock.js';
import { button, el, icon } from './dom.js';
import { SceneView, writeTime } from './sceneview.js';
import { player } from './player.js';
import { canFilm, download, film } from './film.js';
import { colours, onTheme } from './theme.js';
import { html, number, plain, symbol } from './rich.js';
import { TIME } from './timeplot.js';
import { indexAt } from './data.js';

const MOST_ENTRIES = 12;

class SceneStage {
  constructor(panel, scene) {
    Object.assign(this, { panel, scene, view: new SceneView(scene), asked: false });
    this.canvas = el('canvas.overlay');
    this.canvas.style.touchAction = 'pan-y'; // the page must scroll
    this.ctx = this.canvas.getContext('2d');
    panel.holder.classList.add('space');
    panel.holder.append(this.canvas);
    new ResizeObserver(() => this.fit()).observe(panel.holder);
    this.pointers = new Map();
    this.listen();
    this.fit();
  }

  get camera() { return this.view.camera; }

  frame() {
    const now = clock.hover ?? clock.now;
    return now === null ? 0 : indexAt(this.scene.t, now);
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.panel.holder;
    if (!width || !height) return;
    const ratio = Math.min(window.devicePixelRatio, 3);
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    Object.assign(this, { width, height, ratio });
    this.render();
  }

  /** Draws once before the next frame, however often it is asked. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.render(); });
  }

  render() {
    if (!this.width) return;
    const k = this.frame();
    this.ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.ctx.clearRect(0, 0, this.width, this.height);
    this.view.paint(this.ctx, this.width, this.height, k);
    const { azimuth, elevation, zoom, pan, moved } = this.camera;
    this.panel.root.dataset.frame = String(k);
    this.panel.setView({ x: [azimuth, elevation, zoom, ...pan], y: [] }, moved);
    this.panel.readout.innerHTML = clock.now === null && clock.hover === null ? ''
      : `<span>${html([...TIME, ...plain(' = '), ...number(this.scene.t[k], 4)])}</span>`;
  }

  /** The same on another surface, in units of the canvas. */
  vector(surface) {
    const { ratio, width, height } = this;
    surface.beginPath();
    surface.rect(0, 0, width * ratio, height * ratio);
    surface.clip();
    surface.scale(ratio);
    this.view.paint(surface, width, height, this.frame());
  }

  home() { this.camera.home(); this.ask(); }

  /** With the hand: a plane scene moves, one in space turns, with Shift or the other button it moves. */
  drag(dx, dy, move) {
    if (this.scene.dimension === 2 || move) this.camera.move(dx, dy);
    else this.camera.turn(-dx * 0.009, dy * 0.009);
    this.ask();
  }

  listen() {
    const { canvas, pointers } = this;
    const { holder } = this.panel;
    const apart = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    canvas.addEventListener('pointerdown', (event) => {
      holder.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const was = pointers.size === 2 ? apart() : 0;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (pointers.size === 1) this.drag(event.clientX - before.x, event.clientY - before.y, event.shiftKey || event.buttons === 2);
      else if (pointers.size === 2 && was > 0) { this.camera.magnify(apart() / was); this.ask(); }
    });
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, ({ pointerId }) => pointers.delete(pointerId));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('dblclick', () => this.home());
    holder.addEventListener('wheel', (event) => {
      if (!(event.ctrlKey || event.metaKey || document.activeElement === holder)) return;
      event.preventDefault();
      const area = canvas.getBoundingClientRect();
      this.camera.magnify(Math.exp(-Math.sign(event.deltaY) * 0.12), event.clientX - area.left, event.clientY - area.top);
      this.ask();
    }, { passive: false });
    holder.addEventListener('keydown', (event) => {
      const act = {
        ArrowLeft: () => this.drag(-14, 0), ArrowRight: () => this.drag(14, 0), ArrowUp: () => this.drag(0, -14), ArrowDown: () => this.drag(0, 14),
        '+': () => this.camera.magnify(1.2), '=': () => this.camera.magnify(1.2), '-': () => this.camera.magnify(1 / 1.2),
        0: () => this.camera.home(), Home: () => this.camera.home(), Escape: () => holder.blur(),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target !== holder) return;
      event.preventDefault();
      act();
      this.ask();
    });
  }
}

/** The button that films: the same picture on paper, with the time, in even numbers of pixels. */
function filmButton(stage, file) {
  let going = false;
  const press = button('Save as film (WebM)', 'film', async () => {
    if (going) { going = false; return; }
    const { scene, view } = stage;
    const canvas = document.createElement('canvas');
    const [width, height] = [stage.width, stage.height].map((pixels) => 2 * Math.floor(pixels / 2));
    Object.assign(canvas, { width: 2 * width, height: 2 * height });
    const ctx = canvas.getContext('2d');
    const paint = (share) => {
      const first = scene.t[0];
      const now = first + share * (scene.t[scene.count - 1] - first);
      const k = indexAt(scene.t, now);
      ctx.setTransform(2, 0, 0, 2, 0, 0);
      ctx.fillStyle = colours().paper;
      ctx.fillRect(0, 0, width, height);
      view.paint(ctx, width, height, k);
      writeTime(ctx, scene.t[k], width - 90, 20);
    };
    const set = (on) => {
      going = on;
      press.replaceChildren(icon(on ? 'stop' : 'film'));
      press.title = on ? 'Filming; press to stop' : 'Save as film (WebM)';
      press.setAttribute('aria-label', press.title);
    };
    set(true);
    const blob = await film(canvas, Math.min(Math.max(scene.count / 60, 3), 20), paint, () => going);
    set(false);
    stage.ask();
    if (blob) download(blob, file);
  }, { 'data-do': 'film' });
  return press;
}

/** scene: as readScene() gives it; t: the times of the page, through which the slider runs. */
export function scenePanel({ scene, t, file }) {
  const panel = new Panel({ id: 'scene', title: 'Scene', size: 'tall', file });
  if (scene.error) {
    panel.empty(`The scene cannot be drawn: ${scene.error}.`);
    return panel;
  }
  const space = scene.dimension === 3;
  panel.holder.setAttribute('aria-label', `Scene. Arrows ${space ? 'turn' : 'move'}, plus and minus zoom, 0 resets.`);
  const stage = new SceneStage(panel, scene);
  if (t.length > 1 && t[t.length - 1] > t[0]) panel.legend.before(player(t));
  const named = stage.view.traces.filter(({ name }) => name);
  if (named.length > 1 && named.length <= MOST_ENTRIES) {
    for (const item of named) {
      panel.entry({
        runs: symbol(item.name), colour: () => stage.view.hue(item), tip: 'Show or hide the path',
        toggle: (on) => { if (on) stage.view.hidden.delete(item.name); else stage.view.hidden.add(item.name); stage.ask(); },
      });
    }
  }
  panel.setNote([space ? 'Drag to turn, with Shift to move.' : 'Drag to move.', 'Click and turn the wheel to zoom.']);
  panel.onReset = () => stage.home();
  panel.canvas = () => { stage.render(); return stage.canvas; };
  panel.offerVector((ctx) => stage.vector(ctx));
  if (canFilm()) panel.addTool(filmButton(stage, `${file}-scene.webm`));
  clock.listen(() => stage.ask());
  onTheme(() => { stage.ask(); panel.paintLegend(); });
  return panel;
}
