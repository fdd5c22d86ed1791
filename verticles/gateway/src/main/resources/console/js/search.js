/** The field in the head that finds any node or VM. */
import { html, nothing, render } from './lib.js';
import { go, nodeHref, vmHref } from './router.js';
import { waitBadge } from './ui/bits.js';

const FOUND_MAX = 12;

/** Nodes and VMs whose name has the text; those that begin with it first. At most so many. */
export function find(fleet, text, most = FOUND_MAX) {
  const sought = text.trim().toLowerCase();
  if (!sought) {
    return [];
  }
  const first = [];
  const rest = [];
  const look = (name, found) => {
    const at = name.toLowerCase().indexOf(sought);
    if (at >= 0) {
      (at === 0 || name[at - 1] === '/' ? first : rest).push(found);
    }
  };
  for (const name of fleet.nodes.keys()) {
    look(name, { node: name });
  }
  for (const [key, vm] of fleet.vms) {
    look(key, { vm });
    if (first.length >= most) {
      break;
    }
  }
  return [...first, ...rest].slice(0, most);
}

export class Search {
  #found = [];
  #active = 0;
  #open = false;

  constructor(host, fleet) {
    this.host = host;
    this.fleet = fleet;
    this.#render();
  }

  focus() {
    this.#input.focus();
    this.#input.select();
  }

  get #input() {
    return this.host.querySelector('input');
  }

  #render() {
    const shown = this.#open && this.#input?.value.trim();
    render(
      html`
      <input type="search" role="combobox" aria-label="Find a node or VM" placeholder="Find a node or VM"
        aria-expanded=${Boolean(shown)} aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false"
        aria-activedescendant=${shown && this.#found.length ? `found-${this.#active}` : nothing}
        @input=${() => this.#type()} @keydown=${(event) => this.#key(event)}
        @focus=${() => this.#type()} @blur=${() => this.#close()}>
      <kbd aria-hidden="true">/</kbd>
      <ul id="found" role="listbox" aria-label="Found" ?hidden=${!shown}>
        ${shown && this.#found.length === 0 ? html`<li class="empty">No node or VM has this name.</li>` : nothing}
        ${this.#found.map(
          (found, index) => html`
          <li id="found-${index}" role="option" aria-selected=${index === this.#active}
            @pointerdown=${(event) => event.preventDefault()} @click=${() => this.#go(found)}>
            <span class="faint">${found.node ? 'node' : 'VM'}</span> <span>${found.node ?? found.vm.key}</span>
            ${found.vm ? html`<span class="on">${found.vm.node}</span>${waitBadge(found.vm)}` : nothing}
          </li>`,
        )}
      </ul>`,
      this.host,
    );
  }

  #type() {
    this.#open = true;
    this.#active = 0;
    this.#found = find(this.fleet, this.#input.value);
    this.#render();
  }

  #close() {
    this.#open = false;
    this.#render();
  }

  #key(event) {
    const last = this.#found.length - 1;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      this.#active = Math.min(last, Math.max(0, this.#active + (event.key === 'ArrowDown' ? 1 : -1)));
      this.#render();
    } else if (event.key === 'Enter' && this.#found[this.#active]) {
      event.preventDefault();
      this.#go(this.#found[this.#active]);
    }
  }

  #go(found) {
    this.#input.value = '';
    this.#input.blur();
    go(found.node ? nodeHref(found.node) : vmHref(found.vm.key));
  }
}
