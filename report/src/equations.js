// SPDX-License-Identifier: BSD-3-Clause
// The Lagrangian and the equations of motion as MathML. Every term of a sum is a formula of its own, so that lines end between them.
import { el } from './dom.js';
import { html, number } from './rich.js';

const math = (inner) => `<math displaystyle="true">${inner}</math>`;

function equation({ left = '', terms = [], note = '' }) {
  const parts = [`${left}<mo form="infix">=</mo>`, ...terms].map(math).join(' ');
  return el('div.equation', { tabindex: 0 }, el('p', { html: parts }), note ? el('span.remark', {}, note) : null);
}

const group = (title, rows) => (rows?.length ? [el('h3', {}, title), ...rows.map(equation)] : []);

function parameters(list) {
  if (!list?.length) return null;
  return el('p.with', { html: `with ${list.map(({ name, value }) => `<span>${math(name)} = ${html(number(value, 6))}</span>`).join(', ')}` });
}

function definitions(lines) {
  return lines?.length ? [el('h3', {}, 'Definitions'), ...lines.map((line) => el('p.definition', {}, el('code', {}, line)))] : [];
}

export function equations(data) {
  if (!data) return null;
  const { statement, motion, constraints, note } = data;
  const rows = [
    ...(statement ? [equation(statement), parameters(data.parameters)] : []),
    ...group('Equations of motion', motion), ...group('Constraints', constraints), ...definitions(data.definitions),
    note ? el('p.remark', {}, note) : null,
  ];
  return el('section.equations', {}, el('h2', {}, data.heading ?? 'Equations of motion'), rows.filter(Boolean));
}
