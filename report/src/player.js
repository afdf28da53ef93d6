// SPDX-License-Identifier: BSD-3-Clause
// The slider under a trajectory or a body: a point runs along it, and a hand through the plots against time.
import { clock } from './clock.js';
import { el, button, icon } from './dom.js';
import { html, number, plain, text } from './rich.js';
import { TIME } from './timeplot.js';
import { nearestAt } from './data.js';

const RECORDS_PER_SECOND = 60;

/** t: increasing times; stops: times between which the arrow keys step; atEnd: shows the last time at first. */
export function player(t, { stops = null, atEnd = false } = {}) {
  const [first, last] = [t[0], t[t.length - 1]];
  const duration = Math.min(Math.max(t.length / RECORDS_PER_SECOND, 8), 60); // seconds for the whole span
  let speed = 1;
  let playing = false;
  let before = 0;

  const slider = el('input', { type: 'range', min: 0, max: 1000, value: 0, step: 1, 'aria-label': 'Time' });
  const label = el('output.time');
  const state = (now) => {
    slider.value = String(Math.round(((now - first) / (last - first)) * 1000));
    slider.style.setProperty('--share', `${((now - first) / (last - first)) * 100}%`);
    label.innerHTML = `${html([...TIME, ...plain(' = ')])}<span>${html(number(now, 4))}</span>`;
    slider.setAttribute('aria-valuetext', `t = ${text(number(now, 4))}`);
  };
  const show = (now) => {
    state(now);
    clock.set({ now }, slider);
  };
  const press = button('Play', 'play', () => turn(!playing), { 'data-do': 'play' });
  function turn(on) {
    playing = on;
    press.replaceChildren(icon(on ? 'pause' : 'play'));
    press.setAttribute('aria-label', on ? 'Pause' : 'Play');
    press.title = on ? 'Pause' : 'Play';
    if (!on) return;
    if (clock.now === null || clock.now >= last) show(first);
    before = performance.now();
    requestAnimationFrame(tick);
  }
  function tick(time) {
    if (!playing) return;
    const now = clock.now + (((time - before) / 1000) * speed * (last - first)) / duration;
    before = time;
    show(Math.min(now, last));
    if (now >= last) turn(false); else requestAnimationFrame(tick);
  }
  slider.addEventListener('input', () => { turn(false); show(first + (slider.value / 1000) * (last - first)); });
  slider.addEventListener('keydown', (event) => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (!stops || !way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    turn(false);
    const now = clock.now ?? (atEnd ? last : first);
    show(stops[Math.min(Math.max(nearestAt(stops, now) + way, 0), stops.length - 1)]);
  });
  const rate = el('select', { 'aria-label': 'Speed', onchange: () => { speed = Number(rate.value); } },
    [['0.1', '×0.1'], ['0.25', '×0.25'], ['1', '×1'], ['4', '×4']].map(([value, text]) => el('option', { value, selected: value === '1' }, text)));
  state(atEnd ? last : first);
  return el('div.player', {}, press, slider, rate, label);
}
