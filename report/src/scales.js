// SPDX-License-Identifier: BSD-3-Clause
// Which curves can share an axis: none of them may look like a flat line beside another that is not one.
import { extent } from './data.js';

const LEAST = 0.06; // of the axis that a curve that moves must span

/** Columns in groups with an axis each, in the order of their first columns. */
export function onCommonAxes(columns) {
  const groups = [];
  for (const column of columns) {
    const range = extent(column.values);
    const span = range ? range[1] - range[0] : 0;
    const moves = range && span > 1e-12 * Math.max(Math.abs(range[0]), Math.abs(range[1]));
    const fits = (group) => {
      if (!range) return true;
      const low = Math.min(group.low, range[0]);
      const high = Math.max(group.high, range[1]);
      return (!moves || span >= LEAST * (high - low)) && group.least >= LEAST * (high - low);
    };
    let group = groups.find(fits);
    if (!group) groups.push(group = { low: Infinity, high: -Infinity, least: Infinity, columns: [] });
    group.columns.push(column);
    if (!range) continue;
    Object.assign(group, { low: Math.min(group.low, range[0]), high: Math.max(group.high, range[1]) });
    if (moves) group.least = Math.min(group.least, span);
  }
  return groups.map(({ columns: members }) => members);
}
