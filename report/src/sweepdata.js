// SPDX-License-Identifier: BSD-3-Clause
// The table of a sweep made regular: varied quantities and columns have one value a row.

const list = (value) => (Array.isArray(value) ? value : []);

export function readSweep(raw) {
  if (!raw) return null;
  const varied = list(raw.varied).map((axis) => ({ name: String(axis.name), numbers: Boolean(axis.numbers), values: list(axis.values) }));
  const columns = list(raw.columns).map((column) => ({ name: String(column.name), values: list(column.values) }));
  const failures = list(raw.failures).map((row) => ({ ...row, values: list(row.values) }));
  return { varied, columns, failures, rows: varied.length ? varied[0].values.length : 0 };
}
