// SPDX-License-Identifier: BSD-3-Clause
// Elements in one line.

/** el('p.muted', { title: 'x', onclick: f }, 'text', child): class names after dots; null children are left out. */
export function el(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'html') node.innerHTML = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const ICONS = {
  good: '<circle cx="8" cy="8" r="7"/><path d="M4.8 8.3l2.2 2.2 4.2-4.8"/>',
  note: '<path d="M8 1.6 15 14H1z"/><path d="M8 6.4v3.4M8 11.6v.6"/>',
  bad: '<circle cx="8" cy="8" r="7"/><path d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2"/>',
  reset: '<path d="M3 8a5 5 0 1 0 1.6-3.7M3 2.4v2.9h2.9"/>',
  save: '<path d="M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11"/>',
  play: '<path d="M4.5 2.8v10.4L13 8z" fill="currentColor"/>',
  pause: '<path d="M5 3v10M11 3v10" stroke-width="2.6"/>',
  stop: '<path d="M4 4h8v8H4z" fill="currentColor"/>',
  film: '<rect x="1.5" y="3.5" width="9" height="9" rx="1.5"/><path d="M10.5 7l4-2.4v6.8l-4-2.4"/>',
  theme: '<circle cx="8" cy="8" r="6.2"/><path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor"/>',
  vector: '<path d="M2.5 12.5C5 3 11 13 13.5 3.5"/><rect x="1" y="11" width="3" height="3" fill="currentColor"/><rect x="12" y="2" width="3" height="3" fill="currentColor"/>',
  copy: '<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 3.5v-1h-8v8h1"/>',
};

/** A 16 by 16 line drawing; decoration only, so hidden from screen readers. */
export function icon(name) {
  const holder = document.createElement('span');
  holder.className = 'icon';
  holder.innerHTML = `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${ICONS[name]}</svg>`;
  return holder;
}

export function button(label, iconName, onclick, properties = {}) {
  return el('button.tool', { type: 'button', title: label, 'aria-label': label, onclick, ...properties }, icon(iconName));
}

/** A row of choices of which one is on; pick(value) on a click. */
export function choices(label, options, current, pick) {
  const row = el('div.choices', { role: 'group', 'aria-label': label });
  const mark = (value) => {
    for (const item of row.children) item.setAttribute('aria-pressed', String(item.dataset.value === value));
  };
  for (const [value, text] of options) {
    row.append(el('button', { type: 'button', 'data-value': value, onclick: () => { mark(value); pick(value); } }, text));
  }
  mark(current);
  return row;
}

/** Text from data, made safe for innerHTML. */
export function escape(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
