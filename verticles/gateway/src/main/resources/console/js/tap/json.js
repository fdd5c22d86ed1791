/** A decoded message as text with coloured parts; always text, never markup. */
import { html } from '../lib.js';

const DEPTH_MAX = 12;
const ITEMS_MAX = 200;
const TEXT_MAX = 4000;

function scalar(value) {
  if (value === null) {
    return html`<span class="j-null">null</span>`;
  }
  if (typeof value === 'string') {
    const text = value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}\u2026 (${value.length} characters)` : value;
    return html`<span class="j-text">"${text}"</span>`;
  }
  return html`<span class="j-number">${String(value)}</span>`;
}

function isShort(value) {
  return Array.isArray(value) && value.length <= 4 && value.every((item) => item === null || typeof item !== 'object');
}

function inner(value, indent, depth) {
  if (value === null || typeof value !== 'object') {
    return scalar(value);
  }
  if (depth > DEPTH_MAX) {
    return html`<span class="j-null">\u2026</span>`;
  }
  const list = Array.isArray(value);
  const [open, close] = list ? '[]' : '{}';
  const entries = list ? value.map((item) => [null, item]) : Object.entries(value);
  if (entries.length === 0) {
    return html`${open}${close}`;
  }
  if (isShort(value)) {
    return html`[${value.map((item, index) => html`${index ? ', ' : ''}${scalar(item)}`)}]`;
  }
  const deeper = `\n${indent}  `;
  const shown = entries.slice(0, ITEMS_MAX);
  const line = ([name, item], index) => {
    const label = name === null ? '' : html`<span class="j-name">${name}</span>: `;
    return html`${deeper}${label}${inner(item, `${indent}  `, depth + 1)}${index < shown.length - 1 ? ',' : ''}`;
  };
  const left = entries.length - shown.length;
  const more = left > 0 ? html`${deeper}<span class="j-null">\u2026 ${left} more</span>` : '';
  return html`${open}${shown.map(line)}${more}${`\n${indent}`}${close}`;
}

/** @param {any} value any JSON value */
export function json(value) {
  return html`<pre class="json" tabindex="0" aria-label="Decoded message">${inner(value ?? null, '', 0)}</pre>`;
}
