// SPDX-License-Identifier: BSD-3-Clause
// The plots of an optimum: inputs with their bounds, states, co-states, and how the solver converged.
import { plain, symbol } from './rich.js';
import { timePlot } from './timeplot.js';

const MOST_BOUNDS = 4; // inputs whose bounds are drawn

const names = (columns) => (columns.length > 4 ? [] : columns.flatMap(({ name }, k) => [...(k ? plain(', ') : []), ...symbol(name)]));

/** Dashed lines in the colour of the input. */
function boundsOf(columns, { bounds }) {
  if (columns.length > MOST_BOUNDS) return [];
  return columns.flatMap(({ name, values }, hue) => (bounds[name] ?? []).map((bound, k) => ({ bound, hue, name, values, word: k ? 'upper bound' : 'lower bound' })))
    .filter(({ bound }) => bound !== null)
    .map(({ bound, hue, name, values, word }) => ({ runs: symbol(name), values: values.map(() => bound), dash: true, hue, tint: 0.4, suffix: word }));
}

function curves(data, kind, id, title, word) {
  const columns = data.of(kind);
  if (!columns.length) return null;
  const bounds = kind === 'input' && data.optimum ? boundsOf(columns, data.optimum) : [];
  const label = names(columns);
  return timePlot({
    id, title, file: data.name, t: data.t, lone: columns.length + bounds.length === 1, label: label.length ? label : plain(word),
    curves: [...columns.map(({ name, values }, hue) => ({ runs: symbol(name), values, hue })), ...bounds],
  });
}

/** Infeasibility, the residual of the conditions of optimality, and that of bounds, by iteration. */
function convergence(data) {
  const history = data.optimum?.history ?? [];
  if (history.length < 2) return null;
  const words = [['infeasibility', 'infeasibility'], ['stationarity', 'optimality'], ['complementarity', 'bounds']];
  const list = words.map(([key, word]) => ({ runs: plain(word), values: history.map((row) => row[key] ?? null) })).filter(({ values }) => values.some(Boolean));
  if (!list.length) return null;
  return timePlot({ id: 'convergence', title: 'Convergence of the solver', file: data.name, t: history.map((_, k) => k), scale: 'log', curves: list, label: plain('residual'), abscissa: plain('iteration') });
}

export function optimum(data) {
  return [
    curves(data, 'input', 'inputs', 'Inputs', 'inputs'),
    curves(data, 'state', 'states', 'Auxiliary states', 'states'),
    curves(data, 'costate', 'costates', 'Co-states', 'co-states'),
    convergence(data),
  ];
}
