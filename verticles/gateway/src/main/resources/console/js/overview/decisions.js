/** Recent decisions, the newest first; the list does not move while the pointer or the focus is in it. */
import { html, nothing, repeat } from '../lib.js';
import { change, empty, kindBadge, repeats, vmLink, way } from '../ui/bits.js';
import { ago } from '../time.js';
import { DECISION_FILTERS, filterOf } from '../words.js';

const SHOWN_MAX = 50;

export class Decisions {
  #only = new Set();
  #text = '';
  #heldAt = null;

  /** @param {() => void} changed requests a redraw */
  constructor(fleet, changed) {
    this.fleet = fleet;
    this.changed = changed;
  }

  template() {
    const all = this.fleet.decisions;
    const upTo = this.#heldAt ?? Infinity;
    const matching = all.filter((decision) => this.#matches(decision));
    const shown = matching
      .filter((decision) => decision.id <= upTo)
      .slice(-SHOWN_MAX)
      .reverse();
    const newer = matching.length - matching.filter((decision) => decision.id <= upTo).length;
    return html`<section class="decisions" aria-label="Recent decisions">
      <header>
        <h2>Decisions</h2>
        <span class="newer" aria-hidden="true">${newer ? `${newer} newer` : nothing}</span>
        <input type="search" placeholder="VM, node or reason" aria-label="Show decisions with this text" .value=${this.#text}
          @input=${(event) => this.#set(() => (this.#text = event.target.value))}>
        <div class="chips" role="group" aria-label="Kinds of decisions">
          ${DECISION_FILTERS.map(
            (filter) => html`
            <button type="button" aria-pressed=${this.#only.has(filter.id)}
              @click=${() => this.#toggle(filter.id)}>${filter.label}</button>`,
          )}
        </div>
      </header>
      <ol tabindex="0" aria-label="Decisions, newest first" @pointerenter=${() => this.#hold()} @pointerleave=${() => this.#release()}
          @focusin=${() => this.#hold()} @focusout=${() => this.#release()}>
        ${shown.length === 0 ? empty(all.length ? 'No decision matches.' : 'There are no decisions yet.') : nothing}
        ${repeat(shown, (decision) => decision.id, row)}
      </ol>
    </section>`;
  }

  #matches(decision) {
    const text = this.#text.toLowerCase();
    return (
      (this.#only.size === 0 || this.#only.has(filterOf(decision.kind))) &&
      (!text || [decision.vm, decision.node, decision.reason].some((field) => field?.toLowerCase().includes(text)))
    );
  }

  #toggle(id) {
    this.#set(() => this.#only.delete(id) || this.#only.add(id));
  }

  #set(change) {
    change();
    this.changed();
  }

  #hold() {
    this.#heldAt ??= this.fleet.decisions.at(-1)?.id ?? 0;
  }

  #release() {
    this.#set(() => (this.#heldAt = null));
  }
}

function row(decision) {
  return html`<li>
    <span class="when num">${ago(decision.at)}</span>
    <span class="what">
      ${kindBadge(decision.kind)}
      ${repeats(decision)}
      ${decision.vm ? vmLink(decision.vm, { short: true }) : nothing}
      <span class="where">${way(decision)}</span>
    </span>
    <span class="reason" title=${decision.reason}>${change(decision.from, decision.to)} ${decision.reason}</span>
  </li>`;
}
