// SPDX-License-Identifier: BSD-3-Clause
// A film of a scene, as the browser can make it: WebM by its own recorder. It takes as long as it plays.
import { el } from './dom.js';

const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const PER_SECOND = 30;

/** Whether this browser can. */
export function canFilm() {
  return typeof MediaRecorder !== 'undefined' && typeof HTMLCanvasElement.prototype.captureStream === 'function'
    && TYPES.some((type) => MediaRecorder.isTypeSupported(type));
}

export function download(blob, file) {
  const link = el('a', { href: URL.createObjectURL(blob), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Films paint(share), which draws the picture at a share of the time on the canvas, for so many seconds; a promise of the film.
 *  going() says whether to go on; without it the film ends early and is thrown away (null). */
export function film(canvas, seconds, paint, going) {
  return new Promise((done) => {
    const chunks = [];
    const recorder = new MediaRecorder(canvas.captureStream(PER_SECOND), {
      mimeType: TYPES.find((type) => MediaRecorder.isTypeSupported(type)), videoBitsPerSecond: 6e6,
    });
    recorder.ondataavailable = ({ data }) => { if (data.size) chunks.push(data); };
    recorder.onstop = () => done(going() ? new Blob(chunks, { type: 'video/webm' }) : null);
    paint(0);
    recorder.start();
    const start = performance.now();
    const step = () => {
      const share = Math.min((performance.now() - start) / (1000 * seconds), 1);
      paint(share);
      if (share < 1 && going()) requestAnimationFrame(step); else setTimeout(() => recorder.stop(), 2000 / PER_SECOND);
    };
    requestAnimationFrame(step);
  });
}
