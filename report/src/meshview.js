// SPDX-License-Identifier: BSD-3-Clause
// A mesh on the screen: coloured faces, lines and the camera by three.js, writing on a flat canvas above it. A plane mesh
// is seen from above and can be moved; a mesh in space can be turned. All lengths are scaled to a body of size 2.
import {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, LineBasicMaterial, LineSegments, LinearFilter, Mesh, MOUSE, OrthographicCamera,
  PerspectiveCamera, Ray, ShaderMaterial, TOUCH, Triangle, Vector2, Vector3,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { Stage } from './stage.js';
import { colours, current, mix } from './theme.js';
import { mapBytes } from './colormap.js';
import { roomFor } from './colourbar.js';

const FIELD_OF_VIEW = 26;
const VERTEX = `
attribute float share;
varying float v;
varying vec3 eye;
void main() {
  v = share;
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  eye = p.xyz;
  gl_Position = projectionMatrix * p;
}`;
const FRAGMENT = `
uniform sampler2D map;
uniform vec3 none;
uniform float relief;
varying float v;
varying vec3 eye;
void main() {
  vec3 c = v < -0.001 ? none : texture2D(map, vec2((clamp(v, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  vec3 n = normalize(cross(dFdx(eye), dFdy(eye)));
  float light = 0.76 + 0.26 * max(dot(n, normalize(vec3(-0.22, 0.5, 0.84))), 0.0);
  gl_FragColor = vec4(c * mix(1.0, light, relief), 1.0);
}`;

/** Directions in which the outermost points of the body are looked for, one of each opposite pair. */
const DIRECTIONS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1], [1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]];

/** Centre and scale of the shapes, their sides, and the outermost points of all of them (scaled). */
export function boundsOf(shapes) {
  const found = [];
  for (const [a, b, c] of DIRECTIONS) {
    let [low, high, first, last] = [Infinity, -Infinity, null, null];
    for (const x of shapes) {
      for (let k = 0; k < x.length; k += 3) {
        const far = a * x[k] + b * x[k + 1] + c * x[k + 2];
        if (far < low) { low = far; first = [x, k]; }
        if (far > high) { high = far; last = [x, k]; }
      }
    }
    found.push(...[first, last].map(([x, k]) => [x[k], x[k + 1], x[k + 2]]));
  }
  const range = [0, 1, 2].map((k) => [found[2 * k][k], found[2 * k + 1][k]]);
  const centre = range.map(([low, high]) => low / 2 + high / 2);
  const size = Math.max(...range.map(([low, high]) => high - low));
  const scale = size > 0 ? 2 / size : 1;
  return { centre, scale, sides: range.map(([low, high]) => (high - low) * scale), points: found.map((p) => new Vector3(...p.map((v, k) => (v - centre[k]) * scale))) };
}

/** Direction from which a body in space is seen at first: its longer horizontal side runs across the screen. */
const homeOf = ([a, b]) => new Vector3(...(a >= b ? [1.05, -2.3, 1.2] : [2.3, -1.05, 1.2])).normalize();

/** Width over height of the picture of what has these bounds. */
export function aspectOf(dimension, { sides, points }) {
  if (dimension === 2) return sides[0] / Math.max(sides[1], 1e-9);
  const from = homeOf(sides);
  const right = new Vector3(0, 0, 1).cross(from).normalize();
  const up = from.clone().cross(right);
  const span = (axis) => { const at = points.map((p) => p.dot(axis)); return Math.max(...at) - Math.min(...at); };
  return span(right) / Math.max(span(up), 1e-9);
}

export class MeshView extends Stage {
  /** solid; bounds of what is ever shown; paint(ctx, view): writing above the mesh. Throws when the browser has no WebGL. */
  constructor(panel, solid, bounds, paint) {
    super(panel);
    Object.assign(this, { solid, bounds, paint, flat: solid.dimension === 2, hit: null });
    this.build();
    this.look();
    this.recolour();
    this.home();
    new ResizeObserver(() => this.resize()).observe(panel.holder);
    this.listen();
  }

  // ---- what is drawn ----

  build() {
    const { solid, flat } = this;
    this.texture = new DataTexture(mapBytes('field'), 256, 1);
    Object.assign(this.texture, { minFilter: LinearFilter, magFilter: LinearFilter });
    this.place = new Float32Array(3 * solid.nodes); // scaled positions of the nodes
    const faces = new BufferGeometry();
    faces.setAttribute('position', new BufferAttribute(new Float32Array(9 * solid.count), 3));
    faces.setAttribute('share', new BufferAttribute(new Float32Array(3 * solid.count).fill(-1), 1));
    // Faces lie a little behind their edges; in the plane the order of drawing decides.
    this.faces = new Mesh(faces, new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, side: DoubleSide, depthTest: !flat, polygonOffset: true, polygonOffsetFactor: 1.2, polygonOffsetUnits: 2,
      uniforms: { map: { value: this.texture }, none: { value: new Vector3() }, relief: { value: flat ? 0 : 1 } },
    }));
    const edges = new BufferGeometry();
    edges.setAttribute('position', new BufferAttribute(this.place, 3));
    edges.setIndex(new BufferAttribute(new Uint32Array(solid.edges), 1));
    this.edges = new LineSegments(edges, new LineBasicMaterial({ transparent: true, depthTest: !flat, depthWrite: false }));
    this.outline = this.lines(1.3);
    this.ghostFaces = new Mesh(new BufferGeometry(), new ShaderMaterial({
      vertexShader: VERTEX, side: DoubleSide, transparent: true, depthTest: false, depthWrite: false,
      fragmentShader: 'uniform vec4 colour; void main() { gl_FragColor = colour; }', uniforms: { colour: { value: null } },
    }));
    this.ghostLines = this.lines(1.1);
    this.ghostLines.material.depthTest = false;
    [this.ghostFaces, this.ghostLines, this.faces, this.edges, this.outline].forEach((part, k) => {
      Object.assign(part, { renderOrder: k, frustumCulled: false });
      this.scene.add(part);
    });
    // The ghost comes first and below all; what three.js sorts as opaque would come before it.
    this.faces.material.transparent = true;
    this.showGhost(false);
  }

  lines(linewidth) {
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(new Float32Array(3 * Math.max(2, this.solid.outline.length)));
    return new LineSegments2(geometry, new LineMaterial({ linewidth, transparent: true, depthTest: !this.flat, depthWrite: false }));
  }

  fillLines(lines, place) {
    const { data } = lines.geometry.attributes.instanceStart;
    this.solid.outline.forEach((node, k) => data.array.set(place.subarray(3 * node, 3 * node + 3), 3 * k));
    data.needsUpdate = true;
  }

  scaled(x, place) {
    const { centre, scale } = this.bounds;
    for (let k = 0; k < x.length; ++k) place[k] = (x[k] - centre[k % 3]) * scale;
    return place;
  }

  corners(place, target) {
    this.solid.triangles.forEach((node, k) => {
      for (let i = 0; i < 3; ++i) target[3 * k + i] = place[3 * node + i];
    });
    return target;
  }

  /** Puts the nodes at x. */
  setShape(x) {
    const { position } = this.faces.geometry.attributes;
    this.corners(this.scaled(x, this.place), position.array);
    position.needsUpdate = true;
    this.edges.geometry.attributes.position.needsUpdate = true;
    this.fillLines(this.outline, this.place);
    this.ask();
  }

  /** The shape x as a ghost behind the body. */
  setGhost(x) {
    const place = this.scaled(x, new Float32Array(x.length));
    this.ghostFaces.geometry.setAttribute('position', new BufferAttribute(this.corners(place, new Float32Array(9 * this.solid.count)), 3));
    this.fillLines(this.ghostLines, place);
  }

  showGhost(on) { this.ghostFaces.visible = this.ghostLines.visible = on; this.ask(); }

  /** Colours the faces: share(value) of each value per node or triangle, negative for none; null: no field. */
  setValues(field, values, share) {
    const { array } = this.faces.geometry.attributes.share;
    if (!field) array.fill(-1);
    else if (field.per === 'triangle') values.forEach((value, k) => array.fill(share(value), 3 * k, 3 * k + 3));
    else {
      const nodes = Float32Array.from(values, share);
      this.solid.triangles.forEach((node, k) => { array[k] = nodes[node]; });
    }
    this.faces.geometry.attributes.share.needsUpdate = true;
    this.texture.image.data = mapBytes(field?.map ?? 'field');
    this.texture.needsUpdate = true;
    this.ask();
  }

  recolour() {
    const { muted, paper } = colours();
    const dark = current() === 'dark';
    const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
    this.faces.material.uniforms.none.value.set(...rgb(mix(muted, paper, dark ? 0.3 : 0.6)));
    this.ghostFaces.material.uniforms.colour.value = [...rgb(muted), this.flat ? 0.13 : 0.09];
    this.ghostLines.material.color = new Color(muted);
    this.ghostLines.material.opacity = 0.75;
    this.edges.material.color = new Color('#0a0e18');
    this.outline.material.color = new Color(dark ? '#05070b' : '#0a0e18');
    this.outline.material.opacity = 0.8;
    this.ask();
  }

  // ---- camera ----

  look() {
    this.camera = this.flat ? new OrthographicCamera(-1, 1, 1, -1, 0.1, 20) : new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 100);
    if (!this.flat) this.camera.up.set(0, 0, 1);
    const controls = new OrbitControls(this.camera, this.overlay);
    Object.assign(controls, { enableRotate: !this.flat, screenSpacePanning: true, minZoom: 0.05, maxZoom: 500, minDistance: 0.05, maxDistance: 60, rotateSpeed: 0.8 });
    if (this.flat) {
      controls.mouseButtons.LEFT = MOUSE.PAN;
      controls.touches.ONE = TOUCH.PAN;
    }
    controls.addEventListener('change', () => { this.turned = true; this.ask(); });
    this.controls = controls;
  }

  /** Pixels for one unit of the scaled body, at the middle of the view. */
  perUnit() {
    if (this.flat) return (this.height / 2) * this.camera.zoom;
    return this.height / (2 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * this.camera.position.distanceTo(this.controls.target));
  }

  /** The first view: everything that is ever drawn fits into the room that the writing leaves. */
  home() {
    if (!this.width) return;
    const { left, right, top, bottom } = roomFor(this.width, this.flat);
    const [freeWidth, freeHeight] = [Math.max(60, this.width - left - right), Math.max(60, this.height - top - bottom)];
    const middle = [left + freeWidth / 2, top + freeHeight / 2];
    const { camera, controls } = this;
    camera.setViewOffset(this.width, this.height, this.width / 2 - middle[0], this.height / 2 - middle[1], this.width, this.height);
    const from = this.flat ? new Vector3(0, 0, 1) : homeOf(this.bounds.sides);
    const target = new Vector3();
    let distance = this.flat ? 5 : 7;
    camera.zoom = 1;
    for (let k = 0; k < 10; ++k) {
      camera.position.copy(from).multiplyScalar(distance).add(target);
      camera.lookAt(target);
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
      const at = this.bounds.points.map((point) => this.project(point));
      const [xs, ys] = [0, 1].map((i) => at.map((p) => p[i]));
      const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const pixel = 1 / (this.flat ? (this.height / 2) * camera.zoom : this.height / (2 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * distance));
      const axis = (i) => new Vector3().setFromMatrixColumn(camera.matrixWorld, i);
      target.addScaledVector(axis(0), ((x0 + x1) / 2 - middle[0]) * pixel).addScaledVector(axis(1), (middle[1] - (y0 + y1) / 2) * pixel);
      const fill = Math.max((x1 - x0) / freeWidth, (y1 - y0) / freeHeight, 1e-6);
      if (this.flat) camera.zoom /= fill; else distance = Math.min(Math.max(distance * fill, 0.5), 50);
    }
    camera.position.copy(from).multiplyScalar(distance).add(target);
    camera.updateProjectionMatrix();
    controls.target.copy(target);
    controls.update();
    this.turned = false;
    this.ask();
  }

  resize() {
    if (!this.fit()) return;
    const { width, height } = this;
    if (this.flat) Object.assign(this.camera, { left: -width / height, right: width / height });
    else this.camera.aspect = width / height;
    if (!this.turned) this.home();
    const { left, right, top, bottom } = roomFor(width, this.flat);
    this.camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  listen() {
    this.listenToWheel((event, direction) => {
      const box = this.panel.holder.getBoundingClientRect();
      this.zoom(Math.exp(direction * 0.15), [event.clientX - box.left, event.clientY - box.top]);
    }, { capture: true });
    this.listenToKeys((right, down) => (this.flat ? this.shift(right * 60, down * 60) : this.turn(right * 0.12, down * 0.1)), 0.8);
    this.overlay.addEventListener('pointermove', (event) => {
      const box = this.overlay.getBoundingClientRect();
      this.pointer = event.pointerType === 'mouse' && !event.buttons ? [event.clientX - box.left, event.clientY - box.top] : null;
      this.ask();
    });
    this.overlay.addEventListener('pointerleave', () => { this.pointer = null; this.ask(); });
  }

  /** Moves the view by pixels to the right and down. */
  shift(x, y) {
    const pixel = 1 / this.perUnit();
    const way = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0).multiplyScalar(x * pixel)
      .addScaledVector(new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1), -y * pixel);
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.changed();
  }

  /** Brings the body nearer by a factor; what is under the pixel `at` stays there. */
  zoom(factor, at = null) {
    const { left, right, top, bottom } = roomFor(this.width, this.flat);
    const middle = [left + (this.width - left - right) / 2, top + (this.height - top - bottom) / 2];
    const [x, y] = at ? [at[0] - middle[0], at[1] - middle[1]] : [0, 0];
    const { camera, controls } = this;
    const before = this.perUnit();
    if (this.flat) camera.zoom = Math.min(Math.max(camera.zoom / factor, 0.05), 500);
    else {
      const way = camera.position.clone().sub(controls.target);
      camera.position.copy(controls.target).add(way.setLength(Math.min(Math.max(way.length() * factor, 0.05), 60)));
    }
    camera.updateProjectionMatrix();
    const share = this.perUnit() / before - 1;
    this.shift(x * share, y * share);
  }

  turn(around, over) {
    const way = this.camera.position.clone().sub(this.controls.target);
    const length = way.length();
    const azimuth = Math.atan2(way.y, way.x) + around;
    const polar = Math.min(Math.max(Math.acos(way.z / length) + over, 0.02), Math.PI - 0.02);
    way.set(Math.sin(polar) * Math.cos(azimuth), Math.sin(polar) * Math.sin(azimuth), Math.cos(polar)).multiplyScalar(length);
    this.camera.position.copy(this.controls.target).add(way);
    this.changed();
  }

  // ---- drawing ----

  render() {
    if (!this.width) return;
    const { camera, controls, ctx } = this;
    if (!this.flat) {
      const distance = camera.position.length(); // the body lies around the origin, within the length of its diagonal
      camera.near = Math.max(distance - 2.2, 0.01);
      camera.far = distance + 2.2;
      camera.updateProjectionMatrix();
    }
    this.edges.material.opacity = 0.45 * Math.min(Math.max((this.spacing() - 2) / 20, 0), 1);
    this.renderScene();
    this.hit = this.pointer ? this.pick(...this.pointer) : null;
    if (this.hit) this.frameHit();
    this.paint(ctx, this);
    this.panel.setView({ x: [...camera.position.toArray(), ...controls.target.toArray()], y: [camera.zoom] }, this.turned);
  }

  /** Usual distance of the lines in pixels: where they are closer than a few, they would only blacken the body. */
  spacing() {
    const { edges } = this.solid;
    if (!edges.length) return 0;
    const every = 2 * Math.max(1, Math.floor(edges.length / 1000));
    let [sum, n] = [0, 0];
    for (let k = 0; k + 1 < edges.length; k += every, ++n) {
      const [a, b] = [3 * edges[k], 3 * edges[k + 1]];
      sum += Math.hypot(...[0, 1, 2].map((i) => this.place[a + i] - this.place[b + i]));
    }
    return (sum / n) * this.perUnit();
  }

  /** The triangle at a pixel: { triangle, weights of its corners } or null. */
  pick(x, y) {
    const { camera, place } = this;
    const at = new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height);
    const near = new Vector3(at.x, at.y, -1).unproject(camera);
    const ray = new Ray(near, new Vector3(at.x, at.y, 1).unproject(camera).sub(near).normalize());
    const corners = [new Vector3(), new Vector3(), new Vector3()];
    const point = new Vector3();
    let best = null;
    for (let j = 0; j < this.solid.count; ++j) {
      corners.forEach((corner, k) => corner.fromArray(place, 3 * this.solid.triangles[3 * j + k]));
      if (!ray.intersectTriangle(...corners, false, point)) continue;
      const distance = this.flat ? -j : point.distanceToSquared(near); // in the plane the last one is on top
      if (!best || distance < best.distance) best = { distance, triangle: j, weights: Triangle.getBarycoord(point, ...corners, new Vector3()).toArray() };
    }
    return best;
  }

  frameHit() {
    const { ctx } = this;
    const corners = [0, 1, 2].map((k) => this.project(new Vector3().fromArray(this.place, 3 * this.solid.triangles[3 * this.hit.triangle + k])));
    ctx.beginPath();
    corners.forEach((corner, k) => ctx[k ? 'lineTo' : 'moveTo'](...corner));
    ctx.closePath();
    ctx.lineJoin = 'round';
    for (const [width, colour] of [[4, '#0a0e18'], [2, '#ffffff']]) {
      ctx.lineWidth = width;
      ctx.strokeStyle = colour;
      ctx.stroke();
    }
  }
}
