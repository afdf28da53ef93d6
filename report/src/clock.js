// SPDX-License-Identifier: BSD-3-Clause
// The time shown by all plots of a page: the hand of the play slider, and the time under the pointer.
const listeners = new Set();

export const clock = {
  now: null, // of the slider; null before it was touched
  hover: null, // under the pointer in one of the plots
  set(change, source) {
    Object.assign(clock, change);
    for (const listener of listeners) listener(source);
  },
  listen(listener) { listeners.add(listener); },
};
