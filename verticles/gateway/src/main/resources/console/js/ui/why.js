/** The explanation of a VM, node or pod, for now or for a time that the user picks. */
import { html, nothing, repeat } from '../lib.js';
import { absolute, ago, clock, duration, localInput } from '../time.js';
import { change, empty, failure, kindBadge, repeats, vmLink, way } from './bits.js';
import { Poll } from './poll.js';

const EVERY_MS = 5000;

/** How long a state lasted; for a decision, how long ago it was. */
function lasted({ at, until }) {
  return until ? html`for ${duration(until - at)}` : html`${ago(at)} ago`;
}

export class Why {
  #data = null;
  #error = null;
  #at = null;

  /**
   * @param {string} path below `api/why/`
   * @param {'vm'|'node'|'pod'} about what the page shows: VM and node are named in each row where they are not it
   * @param {{at: number|null, chosen: (at: number|null) => void, changed: () => void}} hooks
   */
  constructor(path, about, hooks) {
    this.path = path;
    this.about = about;
    this.hooks = hooks;
    this.#at = hooks.at;
    this.poll = new Poll(() => `api/why/${this.path}${this.#at ? `?at=${this.#at}` : ''}`, EVERY_MS, {
      answer: (data) => this.#hear(data, null),
      refused: (error) => this.#hear(this.#data, error.message),
    });
  }

  close() {
    this.poll.close();
  }

  /** Called when the VM or node has changed. */
  stale() {
    if (this.#at === null) {
      this.poll.soon();
    }
  }

  /** The state now, or at the picked time, in one sentence. */
  sentence() {
    const known = this.#data;
    const since = known?.since ? html` <span class="muted">for ${ago(known.since)}</span>` : nothing;
    return html`<p class="now" aria-live="polite">${known ? html`${known.now}${since}` : html`<span class="faint">loading</span>`}</p>`;
  }

  template() {
    return html`<section class="why" aria-label="Why">
      <header>
        <h2>Why</h2>
        <form class="at" @submit=${(event) => event.preventDefault()}>
          <label>as of <input type="datetime-local" step="1" .value=${this.#at === null ? '' : localInput(this.#at)}
            @change=${(event) => this.#pick(event.target.value ? new Date(event.target.value).getTime() : null)}></label>
          <button type="button" aria-pressed=${this.#at === null} @click=${() => this.#pick(null)}>now</button>
        </form>
      </header>
      ${this.#at === null ? nothing : html`<p class="past">As of ${absolute(this.#at)}</p>`}
      ${this.#error ? failure(this.#error, () => this.poll.now()) : nothing}
      ${this.#list(this.#data?.reasons ?? [])}
    </section>`;
  }

  #list(reasons) {
    if (reasons.length === 0) {
      return this.#data ? empty('There are no decisions in the time that is kept.') : nothing;
    }
    return html`<ol class="reasons">${repeat(
      reasons,
      (reason, index) => `${reason.at}/${reason.kind}/${index}`,
      (reason) => this.#row(reason),
    )}</ol>`;
  }

  #row(reason) {
    const vm = this.about === 'node' && reason.vm ? vmLink(reason.vm) : nothing;
    const isNamed = this.about === 'vm' || reason.toNode || (this.about === 'pod' && reason.node);
    const node = isNamed ? way(reason) : nothing;
    return html`<li>
      <button type="button" class="plain num" title="${absolute(reason.at)}: the state then"
        @click=${() => this.#pick(reason.at)}>${clock(reason.at)}</button>
      <span class="muted num">${lasted(reason)}</span>
      <span class="what">${kindBadge(reason.kind)} ${repeats(reason)} ${vm} ${node} ${change(reason.from, reason.to)}</span>
      <span class="reason">${reason.reason}</span>
    </li>`;
  }

  #pick(at) {
    this.#at = at;
    this.hooks.chosen(at);
    this.poll.now();
    this.hooks.changed();
  }

  #hear(data, error) {
    this.#data = data;
    this.#error = error;
    this.hooks.changed();
  }
}
