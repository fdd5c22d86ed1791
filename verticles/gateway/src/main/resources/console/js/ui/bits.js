/** The small parts of every page. */
import { html, nothing } from '../lib.js';
import { nodeHref, vmHref } from '../router.js';
import { nodeState } from '../summary.js';
import { amount } from '../units.js';
import { groupOf, kindTone, kindWord, waitingSentence, waitingWord } from '../words.js';

/** @param {{tab?: boolean, short?: boolean}} how tab: whether the Tab key stops there; short: without its namespace */
export function vmLink(key, { tab = true, short = false } = {}) {
  return html`<a href=${vmHref(key)} tabindex=${tab ? 0 : -1} title=${key}>${short ? key.slice(key.indexOf('/') + 1) : key}</a>`;
}

export function nodeLink(name, { tab = true } = {}) {
  return name
    ? html`<a href=${nodeHref(name)} tabindex=${tab ? 0 : -1}>${name}</a>`
    : html`<span class="faint">none</span>`;
}

/** A word with the colour of a tone, and a hint on hover. */
export function badge(tone, word, hint = '') {
  return html`<span class="badge" data-tone=${tone} title=${hint}>${word}</span>`;
}

/** What a VM waits for. */
export function waitBadge(vm) {
  return badge(groupOf(vm), waitingWord(vm), waitingSentence(vm));
}

export function stateBadge(node) {
  const state = nodeState(node);
  return state ? badge(state.tone, state.word, state.hint) : nothing;
}

export function kindBadge(kind) {
  return badge(kindTone(kind), kindWord(kind));
}

/** How often a decision was made in a row, if more than once. */
export function repeats(entry) {
  return entry.repeats ? html`<span class="muted num">${entry.repeats}</span>` : nothing;
}

/** A node, and the one that a VM moves to. */
export function way({ node, toNode }) {
  return toNode
    ? html`${nodeLink(node)} <span class="arrow" aria-label="to">\u2192</span> ${nodeLink(toNode)}`
    : nodeLink(node);
}

/** From one size to another; one size if it does not change. */
export function change(from, to) {
  const stays = !from || !to || (from[0] === to[0] && from[1] === to[1]);
  if (stays) {
    return (from ?? to) ? html`<span class="num change">${amount(from ?? to)}</span>` : nothing;
  }
  const arrow = html`<span class="arrow" aria-label="to">\u2192</span>`;
  return html`<span class="num change">${amount(from)} ${arrow} ${amount(to)}</span>`;
}

/** A failure in words, with a button to retry if that is possible. */
export function failure(error, again) {
  return html`<div class="notice" role="alert">
    <p>${error}</p>${again ? html`<button type="button" @click=${again}>Try again</button>` : nothing}
  </div>`;
}

export function empty(text) {
  return html`<p class="empty">${text}</p>`;
}

/** A line of small columns; the last one is the newest. */
export function sparkline(counts, label) {
  const most = Math.max(4, ...counts);
  const step = 100 / counts.length;
  const column = (value, index) => `M${(index + 0.15) * step} 20v${(-18 * value) / most - 1}h${step * 0.7}v20z`;
  const path = counts.map((value, index) => (value ? column(value, index) : '')).join('');
  return html`<svg class="spark" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label=${label}>
    <path d=${path}></path>
  </svg>`;
}

/** A choice among a few, as joined buttons. */
export function choice(label, options, chosen, choose) {
  return html`<div class="choice" role="group" aria-label=${label}>
    ${options.map(
      ([id, text]) => html`
      <button type="button" aria-pressed=${id === chosen} @click=${() => choose(id)}>${text}</button>`,
    )}
  </div>`;
}

/** A share of a whole as a bar of the text's height. */
export function meter(part, whole, tone = '') {
  const share = whole > 0 ? Math.min(1, part / whole) : 0;
  return html`<span class="meter" data-tone=${tone} aria-hidden="true"><span .style=${`width:${(share * 100).toFixed(1)}%`}></span></span>`;
}
