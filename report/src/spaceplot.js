// SPDX-License-Identifier: BSD-3-Clause
// Trajectories in space: lines and the grid by three.js, numbers and marks on a flat canvas above it.
import { BufferGeometry, Color, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { Panel } from './panel.js';
import { clock } from './clock.js';
import { Stage } from './stage.js';
import { colours, onTheme, seriesColour, timeColour } from './theme.js';
import { draw, html, measure, number, plain } from './rich.js';
import { linearTicks } from './ticks.js';
import { endMarks, timeBar } from './planeplot.js';
import { TIME } from './timeplot.js';
import { extent, indexAt, widen } from './data.js';

const AXES = ['x', 'y', 'z'];
const SHADES = 48; // of a curve along the time, in SVG
const HOME = [1.5, -2.3, 1.75]; // direction from which one looks at first

/** Data coordinates to a box around the origin whose longest side is 2; the same scale on all axes. */
class Box {
  constructor(curves) {
    this.ranges = ['xs', 'ys', 'zs'].map((key) => extent(...curves.map((curve) => curve[key])));
    this.known = this.ranges.every(Boolean);
    if (!this.known) return;
    const longest = Math.max(...this.ranges.map(([low, high]) => high - low));
    // A flat trajectory still gets a box with some height.
    this.ranges = this.ranges.map((range) => {
      const [low, high] = widen(range, 0.04);
      const lack = Math.max(0, 0.35 * longest - (high - low)) / 2;
      return longest > 0 ? [low - lack, high + lack] : [low, high];
    });
    this.scale = 2 / Math.max(...this.ranges.map(([low, high]) => high - low));
    this.half = this.ranges.map(([low, high]) => ((high - low) * this.scale) / 2);
    this.ticks = this.ranges.map(([low, high], k) => linearTicks(low, high, Math.max(3, Math.round(this.half[k] * 4))));
  }

  to(k, value) { return (value - (this.ranges[k][0] + this.ranges[k][1]) / 2) * this.scale; }

  point(curve, j) { return new Vector3(this.to(0, curve.xs[j]), this.to(1, curve.ys[j]), this.to(2, curve.zs[j])); }
}

/** Grid lines on the side where axis k is at its low (-1) or high (+1) end. */
function gridSide(box, k, end) {
  const [a, b] = [0, 1, 2].filter((other) => other !== k);
  const points = [];
  const line = (along, across, at) => {
    for (const s of [-1, 1]) {
      const point = [0, 0, 0];
      point[k] = end * box.half[k];
      point[along] = s * box.half[along];
      point[across] = at;
      points.push(...point);
    }
  };
  // A line next to an edge would only double it.
  const inner = (axis) => box.ticks[axis].values.map((value) => box.to(axis, value)).filter((at) => Math.abs(at) < 0.94 * box.half[axis]);
  for (const at of inner(b)) line(a, b, at);
  for (const at of inner(a)) line(b, a, at);
  for (const s of [-1, 1]) { line(a, b, s * box.half[b]); line(b, a, s * box.half[a]); }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial());
  lines.userData = { axis: k, end };
  return lines;
}

class View extends Stage {
  constructor(panel, box, curves, labels) {
    super(panel);
    Object.assign(this, { box, curves, labels, shown: curves.map(() => true) });
    this.camera = new PerspectiveCamera(32, 1, 0.1, 40);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.overlay);
    this.controls.enableZoom = false; // the page must scroll; see the wheel below
    this.controls.enablePan = false;
    this.controls.addEventListener('change', () => { this.turned = true; this.ask(); });
    this.sides = new Group();
    for (const k of [0, 1, 2]) for (const end of [-1, 1]) this.sides.add(gridSide(box, k, end));
    this.scene.add(this.sides);
    this.lines = curves.map((curve) => this.line(curve));
    this.recolour();
    this.home();
    new ResizeObserver(() => this.resize()).observe(panel.holder);
    this.listen();
  }

  line(curve) {
    const known = curve.xs.map((_, j) => j).filter((j) => curve.xs[j] !== null && curve.ys[j] !== null && curve.zs[j] !== null);
    curve.known = known;
    if (known.length < 2) return null;
    const geometry = new LineGeometry();
    geometry.setPositions(known.flatMap((j) => this.box.point(curve, j).toArray()));
    const line = new Line2(geometry, new LineMaterial({ vertexColors: true, linewidth: known.length > 1500 ? 1.5 : 2 }));
    this.scene.add(line);
    return line;
  }

  recolour() {
    const n = this.curves.length;
    this.lines.forEach((line, k) => {
      const { known } = this.curves[k];
      line?.geometry.setColors(known.flatMap((_, j) => new Color(timeColour(k, n, j / (known.length - 1))).toArray()));
    });
    for (const side of this.sides.children) side.material.color.set(colours().line);
    this.ask();
  }

  home() {
    // As near as the box with its numbers still fits: these need 56 pixels at the sides and 44 above and below.
    const room = [1 - 112 / Math.max(this.width ?? 500, 224), 1 - 88 / Math.max(this.height ?? 500, 176)];
    let distance = 7;
    for (let k = 0; k < 6; ++k) {
      this.camera.position.set(...HOME).setLength(distance);
      this.controls.target.set(0, 0, 0);
      this.controls.update();
      this.camera.updateMatrixWorld();
      distance *= Math.max(...this.corners().map((p) => Math.max(Math.abs(p.x) / room[0], Math.abs(p.y) / room[1]))) ** 0.9;
    }
    this.turned = false;
    this.ask();
  }

  /** Corners of the box on the screen, from -1 to 1. */
  corners() {
    const [a, b, c] = this.box.half;
    return [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => new Vector3(x * a, y * b, z * c).project(this.camera))));
  }

  resize() {
    if (!this.fit()) return;
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
    if (!this.turned) this.home();
    this.ask();
  }

  listen() {
    this.listenToWheel((_, direction) => this.zoom(Math.exp(direction * 0.12)));
    this.listenToKeys((right, down) => this.turn(right * 0.12, down * 0.1), 0.85);
  }

  zoom(factor) {
    const length = Math.min(Math.max(this.camera.position.length() * factor, 1.2), 20);
    this.camera.position.setLength(length);
    this.changed();
  }

  turn(around, over) {
    const { x, y, z } = this.camera.position;
    const [length, flat] = [Math.hypot(x, y, z), Math.hypot(x, y)];
    const azimuth = Math.atan2(y, x) + around;
    const polar = Math.min(Math.max(Math.atan2(flat, z) + over, 0.05), Math.PI - 0.05);
    this.camera.position.set(Math.sin(polar) * Math.cos(azimuth), Math.sin(polar) * Math.sin(azimuth), Math.cos(polar)).multiplyScalar(length);
    this.changed();
  }

  render() {
    if (!this.width) return;
    const eye = this.camera.position;
    for (const side of this.sides.children) {
      const { axis, end } = side.userData;
      side.visible = end * eye.getComponent(axis) < this.box.half[axis]; // seen from inside only
    }
    this.lines.forEach((line, k) => { if (line) line.visible = this.shown[k]; });
    this.renderScene();
    AXES.forEach((_, k) => this.writeAxis(k));
    this.curves.forEach((curve, k) => this.shown[k] && this.mark(curve, k));
    const { x, y, z } = eye;
    this.panel.setView({ x: [x, y, z], y: [] }, this.turned);
  }

  /** The same on a surface that takes lines, for SVG, in units of the canvas. */
  vector(surface) {
    const { ctx } = this;
    this.render(); // which sides are seen
    surface.scale(this.ratio);
    this.ctx = surface;
    const line = (points) => {
      surface.beginPath();
      points.forEach((point, k) => surface[k ? 'lineTo' : 'moveTo'](...this.project(point)));
      surface.stroke();
    };
    surface.strokeStyle = colours().line;
    surface.lineWidth = 1;
    for (const { visible, geometry } of this.sides.children) {
      const places = geometry.getAttribute('position');
      const at = (k) => new Vector3().fromBufferAttribute(places, k);
      for (let k = 0; visible && k < places.count; k += 2) line([at(k), at(k + 1)]);
    }
    surface.lineJoin = surface.lineCap = 'round';
    surface.lineWidth = 1.5;
    this.curves.forEach((curve, k) => {
      const { known } = curve;
      for (let part = 0; this.shown[k] && part < SHADES; ++part) {
        const [first, last] = [part, part + 1].map((share) => Math.floor((share * (known.length - 1)) / SHADES));
        surface.strokeStyle = timeColour(k, this.curves.length, (part + 0.5) / SHADES);
        if (last > first) line(known.slice(first, last + 1).map((j) => this.box.point(curve, j)));
      }
    });
    AXES.forEach((_, k) => this.writeAxis(k));
    this.curves.forEach((curve, k) => this.shown[k] && this.mark(curve, k));
    this.ctx = ctx;
  }

  /** Numbers along the edge of the box that is nearest to the reader (floor) or outermost (upright). */
  writeAxis(k) {
    const { box, ctx } = this;
    const eye = this.camera.position;
    const corner = new Vector3(...box.half.map((half, j) => Math.sign(eye.getComponent(j) || 1) * half));
    corner.z = -box.half[2];
    if (k === 0) corner.x = 0;
    if (k === 1) corner.y = 0;
    if (k === 2) {
      corner.z = 0;
      const [one, two] = [corner.clone().setX(-corner.x), corner.clone().setY(-corner.y)];
      corner.copy(this.project(one)[0] < this.project(two)[0] ? one : two);
    }
    const at = (value) => { const p = corner.clone(); p.setComponent(k, value); return this.project(p); };
    const middle = this.project(new Vector3(0, 0, k === 2 ? 0 : -box.half[2]));
    const [low, high] = [at(-box.half[k]), at(box.half[k])];
    // Perpendicular to the edge, away from the middle of the box.
    let [nx, ny] = [-(high[1] - low[1]), high[0] - low[0]];
    const length = Math.hypot(nx, ny) || 1;
    const centre = at(0);
    const sign = Math.sign((centre[0] - middle[0]) * nx + (centre[1] - middle[1]) * ny) || 1;
    nx *= sign / length;
    ny *= sign / length;
    if (length < 40) return; // seen from the end
    const { muted, ink, line } = colours();
    const put = (runs, [x, y], off, color, size = 12) => {
      const align = nx < -0.5 ? 'right' : nx > 0.5 ? 'left' : 'center';
      const width = measure(ctx, runs, size);
      const before = align === 'right' ? width : align === 'left' ? 0 : width / 2; // of the text, left of its anchor
      const left = Math.min(Math.max(x + nx * off - before, 2), this.width - width - 2);
      draw(ctx, runs, left, y + ny * off + 0.36 * size, { size, color });
    };
    ctx.strokeStyle = line;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(...low);
    ctx.lineTo(...high);
    ctx.stroke();
    const { values, labels, factor } = box.ticks[k];
    const room = length / Math.max(1, values.length - 1);
    values.forEach((value, j) => {
      if (room < 26 && j % 2) return;
      put(labels[j], at(box.to(k, value)), 12, muted);
    });
    put([...this.labels[k], ...(factor ? [...plain(' × '), ...factor] : [])], centre, k === 2 ? 50 : 36, ink, 13);
  }

  mark(curve, k) {
    if (!curve.known.length) return;
    const { ctx } = this;
    const n = this.curves.length;
    const { paper, ink } = colours();
    const dot = (j, paint) => { const [x, y] = this.project(this.box.point(curve, j)); ctx.beginPath(); paint(x, y); ctx.fill(); ctx.stroke(); };
    ctx.lineWidth = 2;
    ctx.fillStyle = paper;
    ctx.strokeStyle = timeColour(k, n, n === 1 ? 0.25 : 1);
    dot(curve.known[0], (x, y) => ctx.arc(x, y, 5, 0, 7));
    ctx.fillStyle = timeColour(k, n, 1);
    ctx.strokeStyle = paper;
    dot(curve.known[curve.known.length - 1], (x, y) => ctx.rect(x - 4.5, y - 4.5, 9, 9));
    const now = clock.hover ?? clock.now;
    if (now === null) return;
    const j = indexAt(this.panel.times, now);
    if (curve.xs[j] === null || curve.ys[j] === null || curve.zs[j] === null) return;
    ctx.fillStyle = n === 1 ? ink : seriesColour(k, n);
    ctx.strokeStyle = paper;
    dot(j, (x, y) => ctx.arc(x, y, 6.5, 0, 7));
    if (k === 0 && clock.hover === null) {
      this.panel.readout.innerHTML = [[TIME, now], ...this.labels.map((label, a) => [label, curve[['xs', 'ys', 'zs'][a]][j]])]
        .map(([name, value]) => `<span>${html([...name, ...plain(' = '), ...number(value, 4)])}</span>`).join('');
    }
  }
}

/** curves: [{ runs, xs, ys, zs }] on the times t; labels of the three axes. Throws when the browser has no WebGL. */
export function spacePlot({ id, title, caption, file, size = '', t, curves, labels }) {
  const panel = new Panel({ id, title, caption, size, file });
  const box = new Box(curves);
  if (!t.length || !box.known) {
    panel.empty(t.length ? 'There are no values to draw.' : 'There are no records to draw.');
    return panel;
  }
  panel.times = t;
  panel.holder.setAttribute('aria-label', `${title}. Arrows turn, plus and minus zoom, 0 resets.`);
  const view = new View(panel, box, curves, labels);
  const n = curves.length;
  panel.legend.append(endMarks(), timeBar(t, n));
  if (n > 1) {
    curves.forEach(({ runs }, k) => panel.entry({ runs, colour: () => seriesColour(k, n), toggle: (on) => { view.shown[k] = on; view.ask(); } }));
  }
  panel.setNote(['Drag to turn.']);
  panel.onReset = () => view.home();
  panel.canvas = () => view.overlay;
  panel.offerVector((surface) => view.vector(surface));
  panel.layers = () => { view.render(); return [view.renderer.domElement, view.overlay]; };
  clock.listen(() => view.ask());
  onTheme(() => { view.recolour(); panel.paintLegend(); });
  return panel;
}
