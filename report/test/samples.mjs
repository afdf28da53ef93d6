// SPDX-License-Identifier: BSD-3-Clause
// Sample data of the page, computed here with small integrators, and the odd shapes the page must survive.
//     node test/samples.mjs PAGE FOLDER     writes FOLDER/<name>.html for each sample
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SLOT = '__VARIA_DATA__';

// ---- Kepler ----

const gravity = ([x, y]) => { const r3 = (x * x + y * y) ** 1.5; return [-x / r3, -y / r3]; };
const keplerEnergy = ([x, y, vx, vy]) => (vx * vx + vy * vy) / 2 - 1 / Math.hypot(x, y);
const ellipse = (e) => [1 - e, 0, 0, Math.sqrt((1 + e) / (1 - e))];

function verlet([x, y, vx, vy], h) {
  const [ax, ay] = gravity([x, y]);
  const [wx, wy] = [vx + (h / 2) * ax, vy + (h / 2) * ay];
  const [X, Y] = [x + h * wx, y + h * wy];
  const [bx, by] = gravity([X, Y]);
  return [X, Y, wx + (h / 2) * bx, wy + (h / 2) * by];
}

/** Triple jump: from a symmetric method of order p to one of order p + 2. */
const jump = (method, p) => {
  const g = 1 / (2 - 2 ** (1 / (p + 1)));
  return (s, h) => method(method(method(s, g * h), (1 - 2 * g) * h), g * h);
};
const yoshida4 = jump(verlet, 2);
const yoshida6 = jump(yoshida4, 4);

const slope = ([x, y, vx, vy]) => [vx, vy, ...gravity([x, y])];
const plus = (s, k, h) => s.map((value, j) => value + h * k[j]);
function rk4(s, h) {
  const a = slope(s); const b = slope(plus(s, a, h / 2)); const c = slope(plus(s, b, h / 2)); const d = slope(plus(s, c, h));
  return s.map((value, j) => value + (h / 6) * (a[j] + 2 * b[j] + 2 * c[j] + d[j]));
}
const explicitEuler = (s, h) => plus(s, slope(s), h);

function run(method, state, h, steps, every, watch) {
  let s = state;
  const record = (k) => watch(k * h, s);
  record(0);
  for (let k = 1; k <= steps; ++k) {
    s = method(s, h);
    if (k % every === 0) record(k);
  }
  return s;
}

export function kepler() {
  const [h, steps, every] = [0.04, 3000, 1];
  const start = ellipse(0.6);
  const [e0, l0] = [keplerEnergy(start), start[0] * start[3] - start[1] * start[2]];
  const rows = [];
  run(verlet, start, h, steps, every, (t, [x, y, vx, vy]) =>
    rows.push([t, x, y, vx, vy, vx, vy, Math.hypot(x, y), keplerEnergy([x, y, vx, vy]) - e0, x * vy - y * vx - l0]));
  const names = [['x', 'q'], ['y', 'q'], ['x_dot', 'v'], ['y_dot', 'v'], ['x_p', 'p'], ['y_p', 'p'], ['radius', 'observe'], ['energy', 'energy_error'], ['rotation', 'momentum_error']];
  const last = rows[rows.length - 1];
  const crossings = rows.filter((r, k) => k > 0 && r[2] >= 0 && rows[k - 1][2] < 0);
  const apsides = rows.filter((r, k) => k > 0 && (r[1] * r[3] + r[2] * r[4]) * (rows[k - 1][1] * rows[k - 1][3] + rows[k - 1][2] * rows[k - 1][4]) < 0);
  const section = (name, title, list, x, y) => ({
    name, title, total: list.length, t: list.map((r) => r[0]), x, y,
    columns: names.slice(0, 7).map(([column, kind], k) => ({ name: column, kind, unit: '', values: list.map((r) => r[k + 1]) })),
  });
  return {
    sections: [section('y = 0', 'Poincaré section', crossings, 'x', 'x_p'), section('apsides', 'Poincaré section', apsides, 'x', 'y')],
    varia: '0.2.0', kind: 'run', title: 'Kepler ellipse', name: 'kepler',
    scenario: `title = "Kepler ellipse"

[system]
coordinates = ["x", "y"]
parameters  = { mu = 1.0, e = 0.6 }            # eccentricity of the ellipse
lagrangian  = "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)"

[system.symmetry]
rotation = { x = "-y", y = "x" }

[system.observe]
radius = "sqrt(x^2 + y^2)"

[start]
x = "1 - e"
y = 0
x_dot = 0
y_dot = "sqrt((1 + e)/(1 - e))"

[run]
method = "verlet"
step   = 4e-2
until  = 120
every  = 1

[output]
formats = ["h5", "csv"]
report  = true
`,
    summary: {
      varia: '0.2.0', scenario: 'kepler', method: 'verlet', order: 2, step: h, steps, t_end: 120, wall_seconds: 0.00231, steps_per_second: 1298701.3,
      structure: { separable: true, explicit: true, time_independent: true, cyclic: [] },
      final: { t: last[0], q: { x: last[1], y: last[2] }, v: { x: last[3], y: last[4] }, p: { x: last[5], y: last[6] }, lambda: [] },
      energy: { initial: e0, final: e0 + last[8], max_abs_error: Math.max(...rows.map((r) => Math.abs(r[8]))), max_rel_error: 2 * Math.max(...rows.map((r) => Math.abs(r[8]))), drift_per_time: -3.1e-10 },
      momenta: { rotation: { initial: l0, max_abs_error: Math.max(...rows.map((r) => Math.abs(r[9]))) } },
      observe: { radius: { initial: 0.4, final: last[7], min: 0.4, max: 1.6 } },
      events: [
        { when: 'y', name: 'y = 0', direction: 'up', action: 'record', after: 1, count: crossings.length, times: crossings.map((r) => r[0]) },
        { every: 6.28, name: 'year', action: 'stop', after: 40, count: 19, times: [] },
      ],
      constraints: { max_position: null, max_velocity: null }, newton: { mean_iterations: 0, max_iterations: 0, failures: 0 }, status: 'done', message: '',
    },
    verdicts: [
      { name: 'Energy', status: 'good', value: Math.max(...rows.map((r) => Math.abs(r[8]))).toExponential(1), text: 'The energy error stays bounded: no drift over 19 orbits.' },
      { name: 'Momentum: rotation', status: 'good', value: Math.max(...rows.map((r) => Math.abs(r[9]))).toExponential(1), text: 'Conserved up to round-off, as the symmetry demands.' },
      { name: 'Accuracy', status: 'note', value: '', text: 'The perihelion turns by about 5e-2 per orbit; a smaller step or a higher order lowers this.' },
      { name: 'Reversibility', status: 'good', value: '4.4e-14', text: 'Going back along the trajectory returns to the start.' },
    ],
    facts: [['Method', 'verlet, order 2, symmetric, explicit'], ['Lagrangian', 'separable, time independent'], ['Evaluation', 'native code'], ['Cost per step', '1 gradient of the potential'], ['Steps per second', '5.19e6'], ['Records', '3001, every step']],
    t: rows.map((r) => r[0]),
    columns: names.map(([name, kind], k) => ({ name, kind, unit: '', values: rows.map((r) => r[k + 1]) })),
    paths: [{ label: 'orbit', x: 'x', y: 'y', z: null }],
    phase: [{ label: 'x', q: 'x', p: 'x_p' }, { label: 'y', q: 'y', p: 'y_p' }],
    equations: equations(),
  };
}

/** Formulas as the program writes them, among them a sum that is longer than a line. */
const rateOf = (name) => `<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac><mover><mi>${name}</mi><mo lspace="0" rspace="0">˙</mo></mover>`;
const attraction = (name) => `<mo form="prefix">−</mo><mfrac><mrow><mi>μ</mi><mspace width="0.17em"></mspace><mi>${name}</mi></mrow><mrow><msup><mrow><mi>r</mi></mrow><mrow><mn>3</mn></mrow></msup></mrow></mfrac>`;
const equations = () => ({
  heading: 'Lagrangian',
  statement: { left: '<mi>L</mi>', terms: Array.from({ length: 30 }, (_, k) => `${k ? '<mo form="infix">+</mo>' : ''}<mfrac><mrow><msub><mi>x</mi><mrow><mn>${k + 1}</mn></mrow></msub></mrow><mrow><mn>2</mn></mrow></mfrac>`) },
  motion: ['x', 'y'].map((name) => ({ left: rateOf(name), terms: [attraction(name)] })),
  constraints: [{ left: '<mn>0</mn>', terms: ['<mi>x</mi>', '<mo form="infix">−</mo><mi>y</mi>'], note: 'hinge A.tip - B.base' }],
  parameters: [{ name: '<mi>μ</mi>', value: 1 }, { name: '<mi>e</mi>', value: 6e-7 }],
  definitions: ['r = sqrt(x^2 + y^2) < 1 & more'],
  note: 'The system has 40 degrees of freedom; the equations of the first 12 are shown.',
});

// ---- spherical pendulum on the unit sphere: RATTLE ----

function rattle(q, p, h, g) {
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const half = [p[0], p[1], p[2] - (h / 2) * g];
  let lambda = 0;
  let Q;
  for (let k = 0; k < 30; ++k) {
    Q = q.map((value, j) => value + h * (half[j] - (h / 2) * lambda * 2 * q[j]));
    const defect = dot(Q, Q) - 1;
    if (Math.abs(defect) < 1e-15) break;
    lambda += defect / (2 * h * h * dot(Q, q));
  }
  const P = half.map((value, j) => value - (h / 2) * lambda * 2 * q[j] - (j === 2 ? (h / 2) * g : 0));
  const mu = dot(Q, P);
  return { q: Q, p: P.map((value, j) => value - mu * Q[j]), lambda };
}

export function pendulum() {
  const [g, h, steps, every] = [9.81, 0.004, 6000, 2];
  const angle = 1.9;
  let state = { q: [Math.sin(angle), 0, -Math.cos(angle) - 0.55], p: [0, 2.35, 0], lambda: 0 };
  const length = Math.hypot(...state.q);
  state.q = state.q.map((value) => value / length);
  const energy = ({ q, p }) => (p[0] ** 2 + p[1] ** 2 + p[2] ** 2) / 2 + g * q[2];
  const spin = ({ q, p }) => q[0] * p[1] - q[1] * p[0];
  const [e0, l0] = [energy(state), spin(state)];
  const rows = [];
  for (let k = 0; k <= steps; ++k) {
    if (k % every === 0) {
      const { q, p, lambda } = state;
      rows.push([k * h, ...q, ...p, ...p, lambda, energy(state) - e0, spin(state) - l0, q[0] ** 2 + q[1] ** 2 + q[2] ** 2 - 1, 2 * (q[0] * p[0] + q[1] * p[1] + q[2] * p[2])]);
    }
    state = rattle(state.q, state.p, h, g);
  }
  rows[0][10] = rows[1][10];
  const names = [['x', 'q'], ['y', 'q'], ['z', 'q'], ['x_dot', 'v'], ['y_dot', 'v'], ['z_dot', 'v'], ['x_p', 'p'], ['y_p', 'p'], ['z_p', 'p'], ['lambda[1]', 'lambda'],
    ['energy', 'energy_error'], ['rotation', 'momentum_error'], ['phi[1]', 'constraint'], ['phi[1]_dot', 'constraint']];
  const most = (k) => Math.max(...rows.map((r) => Math.abs(r[k])));
  return {
    varia: '0.2.0', kind: 'run', title: 'Spherical pendulum', name: 'spherical_pendulum',
    scenario: `title = "Spherical pendulum"
[system]
coordinates = ["x", "y", "z"]
parameters  = { g = 9.81 }
lagrangian  = "(x_dot^2 + y_dot^2 + z_dot^2)/2 - g*z"
holonomic   = ["x^2 + y^2 + z^2 - 1"]
[system.symmetry]
rotation = { x = "-y", y = "x" }
[run]
method = "rattle"
step   = 0.004
until  = 24
`,
    summary: { varia: '0.2.0', scenario: 'spherical_pendulum', method: 'rattle', order: 2, step: h, steps, t_end: steps * h, wall_seconds: 0.0182, steps_per_second: 329670.3,
      energy: { initial: e0, final: e0 + rows[rows.length - 1][11], max_abs_error: most(11), max_rel_error: most(11) / Math.abs(e0), drift_per_time: 1.1e-9 },
      momenta: { rotation: { initial: l0, max_abs_error: most(12) } }, constraints: { max_position: most(13), max_velocity: most(14) },
      newton: { mean_iterations: 3.02, max_iterations: 4, failures: 0 }, status: 'done', message: '' },
    verdicts: [
      { name: 'Energy', status: 'good', value: most(11).toExponential(1), text: 'The energy error stays bounded.' },
      { name: 'Momentum: rotation', status: 'good', value: most(12).toExponential(1), text: 'Conserved up to round-off.' },
      { name: 'Constraint', status: 'good', value: most(13).toExponential(1), text: 'The bob stays on the sphere up to round-off; its velocity stays tangent.' },
    ],
    facts: [['Method', 'rattle, order 2, symmetric'], ['Constraints', '1 holonomic'], ['Evaluation', 'native code'], ['Newton iterations', '3.02 per step']],
    t: rows.map((r) => r[0]),
    columns: names.map(([name, kind], k) => ({ name, kind, unit: '', values: rows.map((r) => r[k + 1]) })),
    paths: [{ label: 'bob', x: 'x', y: 'y', z: 'z' }],
    phase: [{ label: 'z', q: 'z', p: 'z_p' }],
  };
}

// ---- comparison on the Kepler problem ----

export function compare() {
  const until = 40;
  const start = ellipse(0.3);
  const e0 = keplerEnergy(start);
  const reference = run(yoshida6, start, 0.0005, until / 0.0005, 1e9, () => {});
  // Seconds are a fixed price per call of the force: a sample must be the same on every machine.
  const methods = [['verlet', verlet, 1, true], ['yoshida(4)', yoshida4, 3, true], ['yoshida(6)', yoshida6, 9, true], ['rk4', rk4, 4, false], ['explicit_euler', explicitEuler, 1, false]];
  const rows = [];
  const energy = [];
  for (const [name, method, calls, variational] of methods) {
    for (const step of [0.1, 0.05, 0.025, 0.0125, 0.00625]) {
      const steps = Math.round(until / step);
      let worst = 0;
      const times = [];
      const values = [];
      const every = Math.max(1, Math.floor(steps / 400));
      const end = run(method, start, step, steps, every, (t, s) => { const d = keplerEnergy(s) - e0; worst = Math.max(worst, Math.abs(d)); times.push(t); values.push(d); });
      const error = Math.hypot(end[0] - reference[0], end[1] - reference[1]);
      rows.push({ method: name, variational, step, steps, seconds: steps * (3e-8 + calls * 2.2e-8) * (1 + 0.06 * Math.sin(7 * steps)), error, energy_error: worst, message: '' });
      if (step === 0.05 || (name === 'verlet' && step === 0.1)) energy.push({ method: name, step, t: times, values });
    }
  }
  Object.assign(rows[rows.length - 5], { error: null, energy_error: null, message: 'left the region: error beyond 1e3' });
  return {
    varia: '0.2.0', kind: 'compare', title: 'Kepler ellipse: five methods compared', name: 'kepler', scenario: 'title = "Kepler ellipse"\n[system]\ncoordinates = ["x", "y"]\n', summary: {},
    verdicts: [
      { name: 'Most accurate', status: 'good', value: 'yoshida(6)', text: 'Smallest error at every step, and the cheapest below an error of 1e-6.' },
      { name: 'Energy', status: 'note', value: '', text: 'rk4 and explicit_euler drift; the variational methods keep the error bounded.' },
    ],
    facts: [['Reference', 'yoshida(6) with step 5e-4'], ['Error', 'distance at t = 40']], t: [], columns: [], paths: [], phase: [],
    compare: { rows, energy },
  };
}

/** Energy error of two methods over the eccentricity and the step; one case failed. */
export function sweep() {
  const varied = [['e', true], ['method', false], ['step', true]].map(([name, numbers]) => ({ name, numbers, values: [] }));
  const columns = [{ name: 'energy.max_rel_error', values: [] }, { name: 'final.q.x', values: [] }];
  for (let i = 0; i < 10; ++i) {
    for (const [method, p] of [['verlet', 2], ['yoshida(4)', 4]]) {
      for (let j = 0; j < 6; ++j) {
        const [e, h] = [i / 10, 0.1 / 2 ** j];
        [e, method, h].forEach((value, k) => varied[k].values.push(value));
        const failed = i === 9 && j === 0;
        columns[0].values.push(failed ? null : h ** p * (0.01 + e * e / (1 - e) ** 2));
        columns[1].values.push(failed ? null : Math.cos(7 * e + h));
      }
    }
  }
  return {
    varia: '0.2.0', kind: 'sweep', title: 'Kepler ellipse: error over eccentricity and step', name: 'kepler', scenario: 'title = "Kepler ellipse"\n',
    facts: [['Cases', '120']], sweep: { varied, columns, failures: [{ case: 109, values: ['0.9', 'verlet', '0.1'], message: 'no convergence at t = 1e-2' }] },
  };
}

// ---- shapes that must not break the page ----

/** Empty, constant, one point, zeros, holes, huge and small, many columns, several bodies, hostile text. */
export function odd() {
  const t = Array.from({ length: 400 }, (_, k) => k * 1e-9);
  const column = (name, kind, f) => ({ name, kind, unit: 'm', values: t.map((_, k) => f(k)) });
  const base = { varia: '0.2.0', kind: 'run', title: 'Odd <b>shapes</b> </script><!-- & "quotes"', name: 'odd', scenario: 'x = "</script><script>throw 1</script>" # <!--' };
  return {
    nothing: {},
    null_parts: { kind: 'run', summary: null, verdicts: null, facts: null, t: null, columns: null, paths: null, phase: null, compare: null },
    no_records: { ...base, t: [], columns: [{ name: 'x', kind: 'q', unit: '', values: [] }, { name: 'energy', kind: 'energy_error', values: [] }], paths: [{ label: 'a', x: 'x', y: 'x' }] },
    one_point: { ...base, t: [0], columns: [{ name: 'x', kind: 'q', values: [1] }, { name: 'y', kind: 'q', values: [2] }, { name: 'E', kind: 'energy_error', values: [0] }], paths: [{ label: 'a', x: 'x', y: 'y' }] },
    shapes: {
      ...base,
      summary: { status: 'failed', message: 'no convergence at t = 1.2e-7 (step 17)', method: 'gauss(3)', step: 1e-9, steps: 123456789, wall_seconds: 7300, t_end: 4e-7 },
      verdicts: [{ name: 'Energy', status: 'bad', value: '1.2e+300', text: 'The energy grows without bound.' }, { name: 'Unknown', status: 'odd', value: '', text: '' }],
      t,
      columns: [column('x', 'q', (k) => 1e-9 * Math.cos(k / 40)), column('y', 'q', (k) => 1e-9 * Math.sin(k / 40)), column('X', 'q', (k) => 2e-9 + 1e-9 * Math.cos(k / 25)), column('Y', 'q', (k) => 1e-9 * Math.sin(k / 25)),
        column('constant', 'observe', () => 3), column('huge', 'observe', (k) => (k % 50 ? 1e300 * k : null)),
        column('energy', 'energy_error', () => 0), column('rotation', 'momentum_error', (k) => (k < 10 ? 0 : 1e-300 * k)), column('shift', 'momentum_error', (k) => 1e-16 * (k % 3)),
        ...Array.from({ length: 64 }, (_, j) => column(`q[${j + 1}]`, 'v', (k) => Math.sin(k / 30 + j / 10)))],
      paths: [{ label: 'one', x: 'x', y: 'y', z: null }, { label: 'two', x: 'X', y: 'Y', z: null }, { label: 'lost', x: 'nowhere', y: 'y' }],
      phase: [{ label: 'x', q: 'x', p: 'y' }],
    },
    empty_compare: { ...base, kind: 'compare', compare: { rows: [], energy: [] } },
    empty_sweep: { ...base, kind: 'sweep', sweep: {} },
    lone_sweep: { ...base, kind: 'sweep', sweep: { varied: [{ name: '</script>', numbers: false, values: ['a', '<b>'] }], columns: [{ name: 'x', values: [1, null] }], failures: [{ case: 2, message: '<i>' }] } },
    odd_sweep: { ...base, kind: 'sweep', sweep: { varied: [{ name: 'a', numbers: true, values: [1, 2, 3] }, { name: 'b', numbers: false, values: ['u', 'v', '<b>'] }], columns: [{ name: 'none', values: [null, null, null] }, { name: 'same', values: [0, 0, 0] }] } },
    odd_compare: { ...base, kind: 'compare', compare: { rows: [{ method: 'a', variational: true, step: 0.1, steps: 1, seconds: 0, error: 0, energy_error: 0 }, { method: 'b', variational: false, step: 0.1, steps: 1, seconds: 1, error: null, message: 'stopped' }], energy: [{ method: 'a', step: 0.1, t: [], values: [] }] } },
  };
}

/** The page with the data inside, as report_page() of the library makes it. */
export const page = (template, data) => template.replace(SLOT, () => JSON.stringify(data).replaceAll('<', '\\u003c'));

/** A mass from rest to rest, with a state, co-states, and bounds of the inputs on one side. */
export function optimum() {
  const t = Array.from({ length: 26 }, (_, k) => k * 0.08);
  const column = (name, kind, f) => ({ name, kind, unit: '', values: t.map(f) });
  return {
    varia: '0.2.0', kind: 'run', title: 'From rest to rest', name: 'optimum', scenario: '[control]\ninputs = ["u", "w"]\n',
    summary: { method: 'lobatto(3)', order: 4, step: 0.08, steps: 25, t_end: 2, status: 'done', message: '', optimum: { cost: 15, iterations: 6, status: 'solved' } },
    verdicts: [{ name: 'optimum', status: 'good', value: '15', text: 'The cost is at a local minimum.' }], facts: [['Optimum', 'cost 15']], t,
    columns: [
      column('x', 'q', (s) => 3 * s * s - s ** 3), column('x_p', 'p', (s) => 6 * s - 3 * s * s), column('u', 'input', (s) => 6 - 6 * s), column('w', 'input', (s) => Math.sin(s)),
      column('m', 'state', (s) => 2 - s / 4), column('J_x', 'costate', () => -6), column('J_x_p', 'costate', (s) => 6 * s - 6),
    ],
    optimum: {
      bounds: { u: [-20, 20], w: [null, 3] },
      history: [1, 0.1, 1e-3, 1e-7, 1e-13].map((x) => ({ cost: 15 + x, infeasibility: x, stationarity: x * x, complementarity: 0 })),
    },
  };
}

export const samples = () => ({ kepler: kepler(), pendulum: pendulum(), compare: compare(), sweep: sweep(), optimum: optimum() });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file, folder] = process.argv;
  if (!folder) throw new Error('usage: node test/samples.mjs PAGE FOLDER');
  const template = readFileSync(file, 'utf8');
  mkdirSync(folder, { recursive: true });
  const all = { ...samples(), ...Object.fromEntries(Object.entries(odd()).map(([name, data]) => [`odd_${name}`, data])) };
  for (const [name, data] of Object.entries(all)) writeFileSync(`${folder}/${name}.html`, page(template, data));
}
