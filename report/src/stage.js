// SPDX-License-Identifier: BSD-3-Clause
// What all three.js pictures share: a renderer with a flat canvas for writing above it, their size, and the keys.
import { Scene, WebGLRenderer } from 'three';
import { el } from './dom.js';

export class Stage {
  /** Throws when the browser has no WebGL. */
  constructor(panel) {
    Object.assign(this, { panel, asked: false, turned: false });
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.overlay = el('canvas.overlay');
    this.overlay.style.touchAction = 'pan-y'; // the page must scroll
    this.ctx = this.overlay.getContext('2d');
    panel.holder.classList.add('space');
    panel.holder.append(this.renderer.domElement, this.overlay);
    this.scene = new Scene();
  }

  /** Makes both canvases as large as their holder; false while it has no size. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.panel.holder;
    if (!width || !height) return false;
    const ratio = Math.min(window.devicePixelRatio, 3);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height);
    Object.assign(this.overlay, { width: width * ratio, height: height * ratio });
    Object.assign(this.overlay.style, { width: `${width}px`, height: `${height}px` });
    Object.assign(this, { width, height, ratio });
    return true;
  }

  /** Draws the scene and leaves a clean canvas above it. */
  renderScene() {
    this.renderer.render(this.scene, this.camera);
    this.ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.ctx.clearRect(0, 0, this.width, this.height);
  }

  /** Draws once before the next frame, however often it is asked. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.render(); });
  }

  changed() {
    this.controls.update();
    this.turned = true;
    this.ask();
  }

  /** A point of the scene in pixels. */
  project(point) {
    const p = point.clone().project(this.camera);
    return [((p.x + 1) / 2) * this.width, ((1 - p.y) / 2) * this.height];
  }

  /** Focus and keys: arrows call move(right, down), + and - zoom by a factor, 0 goes home. */
  listenToKeys(move, factor) {
    const { holder } = this.panel;
    holder.addEventListener('pointerdown', () => holder.focus({ preventScroll: true }));
    this.overlay.addEventListener('dblclick', () => this.home());
    const nearer = () => this.zoom(factor);
    holder.addEventListener('keydown', (event) => {
      const act = {
        ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
        '+': nearer, '=': nearer, '-': () => this.zoom(1 / factor), 0: () => this.home(), Home: () => this.home(), Escape: () => holder.blur(),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target !== holder) return;
      event.preventDefault();
      act();
    });
  }

  /** The wheel zooms only when the picture has the focus or Ctrl is held: zoom(event, direction). */
  listenToWheel(zoom, options = {}) {
    const { holder } = this.panel;
    holder.addEventListener('wheel', (event) => {
      if (options.capture) event.stopPropagation(); // the controls would take every turn of the wheel
      if (!(event.ctrlKey || event.metaKey || document.activeElement === holder)) return;
      event.preventDefault();
      zoom(event, Math.sign(event.deltaY));
    }, { passive: false, ...options });
  }
}
