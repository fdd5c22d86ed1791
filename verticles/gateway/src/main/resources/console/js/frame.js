/** The head of every page, and the banner over a page whose data is old. */
import { html, nothing, render } from './lib.js';
import { switchTheme, theme } from './theme.js';
import { clock, duration } from './time.js';

const PAGES = [
  ['overview', '#/', 'Fleet', 'g o'],
  ['pods', '#/pods', 'Pods', 'g p'],
  ['gangs', '#/gangs', 'Gangs', 'g g'],
  ['workers', '#/workers', 'Workers', 'g w'],
  ['tap', '#/tap', 'Tap', 'g t'],
  ['cluster', '#/cluster', 'Cluster', 'g m'],
  ['config', '#/config', 'Config', 'g c'],
];
const BELONGS = { vm: 'overview', node: 'overview', pod: 'pods' };
const THEMES = { system: ['\u25d0', 'as in the system'], light: ['\u2600', 'light'], dark: ['\u263e', 'dark'] };
const WORDS = { connecting: 'connecting', live: 'live', lost: 'connection lost', locked: 'locked', closed: 'closed' };

export class Frame {
  /** @param {{top: HTMLElement, banner: HTMLElement, help: () => void, retry: () => void}} parts */
  constructor(parts) {
    this.parts = parts;
  }

  update(page, link, fleet) {
    render(this.#head(page, link), this.parts.top);
    render(this.#banner(link, fleet), this.parts.banner);
    document.body.toggleAttribute('data-stale', link.phase !== 'live' && fleet.known);
    document.body.dataset.link = link.phase;
  }

  #head(page, link) {
    const [sign, words] = THEMES[theme()];
    return html`
      <a class="brand" href="#/" aria-label="Sluice, the fleet">
        <img src="assets/favicon.svg" alt="" width="22" height="22"><span>Sluice</span></a>
      <nav aria-label="Pages">${PAGES.map(
        ([id, href, label, key]) => html`
        <a href=${href} title="${label} (${key})" aria-current=${(BELONGS[page] ?? page) === id ? 'page' : nothing}>${label}</a>`,
      )}</nav>
      <div class="search"></div>
      <span class="link-state" data-phase=${link.phase}><i aria-hidden="true"></i>${WORDS[link.phase]}</span>
      <button type="button" class="icon" title="Theme: ${words} (t)" aria-label="Theme: ${words}" @click=${switchTheme}>${sign}</button>
      <button type="button" class="icon" title="Keys (?)" aria-label="Keys" @click=${this.parts.help}>?</button>`;
  }

  #banner(link, fleet) {
    if (link.phase === 'locked') {
      return html`<div class="banner"><b>Login needed</b> <span>${link.error}.</span>
        <button type="button" @click=${this.parts.retry}>Log in</button></div>`;
    }
    if (link.phase === 'live' || (link.phase === 'connecting' && !link.error)) {
      return nothing;
    }
    const old = fleet.known
      ? html`The data is of ${clock(link.since)}, ${duration(Date.now() - link.since)} old.`
      : nothing;
    const next =
      link.phase === 'connecting'
        ? 'Retrying now.'
        : `Next try in ${Math.max(1, Math.ceil((link.retryAt - Date.now()) / 1000))} s.`;
    return html`<div class="banner"><b>Connection lost</b> <span>${link.error}.</span> <span>${old}</span> <span class="num">${next}</span>
      <button type="button" @click=${this.parts.retry}>Try now</button></div>`;
  }
}
