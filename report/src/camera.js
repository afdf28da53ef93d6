// SPDX-License-Identifier: BSD-3-Clause
// How a reader looks at a scene: from above on the plane, or from a direction that can be turned; without perspective.
const HOME = [-0.95, 0.42]; // azimuth and height of the eye
const MOST_HEIGHT = Math.PI / 2 - 0.02;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** To the right, up and to the eye. */
function directions(dimension, az, el) {
  if (dimension === 2) return { right: [1, 0, 0], up: [0, 1, 0], toEye: [0, 0, 1] };
  return {
    right: [-Math.sin(az), Math.cos(az), 0],
    up: [-Math.sin(el) * Math.cos(az), -Math.sin(el) * Math.sin(az), Math.cos(el)],
    toEye: [Math.cos(el) * Math.cos(az), Math.cos(el) * Math.sin(az), Math.sin(el)],
  };
}

export class Camera {
  /** bounds: the corners of the box that must be seen. */
  constructor(dimension, bounds) {
    Object.assign(this, { dimension, bounds, width: 1, height: 1 });
    this.home();
  }

  home() {
    [this.azimuth, this.elevation] = HOME;
    this.zoom = 1;
    this.pan = [0, 0];
    this.moved = false;
    this.aim();
  }

  aim() { Object.assign(this, directions(this.dimension, this.azimuth, this.elevation)); }

  resize(width, height) {
    Object.assign(this, { width, height });
    const [low, high] = this.bounds;
    this.centre = low.map((x, j) => (x + high[j]) / 2);
    const half = low.map((x, j) => (high[j] - x) / 2);
    const seen = directions(this.dimension, ...HOME); // turning does not change the scale
    const reach = (axis) => half[0] * Math.abs(axis[0]) + half[1] * Math.abs(axis[1]) + half[2] * Math.abs(axis[2]);
    const room = this.dimension === 2 ? [92, 76] : [48, 48];
    const fit = (pixels, edge, size) => (size > 0 ? Math.max(pixels - edge, 40) / (2 * size) : Infinity);
    const scale = Math.min(fit(width, room[0], reach(seen.right)), fit(height, room[1], reach(seen.up)));
    this.base = Number.isFinite(scale) ? scale : 40;
  }

  get scale() { return this.base * this.zoom; }

  /** [x, y, nearness] of a point in pixels. */
  project(point) {
    const p = [point[0] - this.centre[0], point[1] - this.centre[1], point[2] - this.centre[2]];
    return [
      this.width / 2 + this.pan[0] + this.scale * dot(this.right, p),
      this.height / 2 + this.pan[1] - this.scale * dot(this.up, p),
      dot(this.toEye, p),
    ];
  }

  /** A direction in pixels. */
  direction(v) { return [this.scale * dot(this.right, v), -this.scale * dot(this.up, v), dot(this.toEye, v)]; }

  /** The coordinates of a pixel of a plane scene. */
  plane(x, y) {
    return [this.centre[0] + (x - this.width / 2 - this.pan[0]) / this.scale, this.centre[1] - (y - this.height / 2 - this.pan[1]) / this.scale];
  }

  turn(around, over) {
    this.azimuth += around;
    this.elevation = Math.min(Math.max(this.elevation + over, -MOST_HEIGHT), MOST_HEIGHT);
    this.moved = true;
    this.aim();
  }

  move(dx, dy) {
    this.pan = [this.pan[0] + dx, this.pan[1] + dy];
    this.moved = true;
  }

  /** Nearer by a factor; the pixel (x, y) stays where it is. */
  magnify(factor, x = this.width / 2, y = this.height / 2) {
    const zoom = Math.min(Math.max(this.zoom * factor, 0.1), 100);
    const share = zoom / this.zoom;
    const [ox, oy] = [x - this.width / 2, y - this.height / 2];
    this.pan = [ox + (this.pan[0] - ox) * share, oy + (this.pan[1] - oy) * share];
    this.zoom = zoom;
    this.moved = true;
  }
}
