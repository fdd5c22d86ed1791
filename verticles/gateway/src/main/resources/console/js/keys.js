/** The keyboard: single keys and `g` followed by another; ignored while the user types in a field. */

const SECOND_KEY_MS = 1500;

/** @typedef {Object<string, [string, () => void]>} Bindings by key or `g` and key, with a description */

export class Keys {
  /** @type {Bindings} */
  #everywhere = {};
  /** @type {Bindings} */
  #here = {};
  #prefixUntil = 0;

  constructor() {
    addEventListener('keydown', (event) => this.#press(event));
  }

  everywhere(bindings) {
    Object.assign(this.#everywhere, bindings);
  }

  /** Sets the bindings of the present page: they replace those of the page before. */
  page(bindings) {
    this.#here = bindings;
  }

  /** All keys for the help, with their descriptions. */
  list() {
    const entries = (bindings) => Object.entries(bindings).map(([key, [words]]) => [key, words]);
    return { everywhere: entries(this.#everywhere), here: entries(this.#here) };
  }

  #press(event) {
    if (event.key === 'Escape' && isTyping(event.target)) {
      event.target.blur();
      return;
    }
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isTyping(event.target) ||
      document.querySelector('dialog[open]')
    ) {
      return;
    }
    const prefixed = event.timeStamp < this.#prefixUntil;
    this.#prefixUntil = 0;
    if (event.key === 'g' && !prefixed) {
      this.#prefixUntil = event.timeStamp + SECOND_KEY_MS;
      return;
    }
    const key = prefixed ? `g ${event.key}` : event.key;
    const binding = this.#here[key] ?? this.#everywhere[key];
    if (binding) {
      event.preventDefault();
      binding[1]();
    }
  }
}

function isTyping(element) {
  return element instanceof HTMLElement && element.matches('input, textarea, select, [contenteditable]');
}
