/** The dialogs over the page: the help for keys, and the login. */
import { login } from './api.js';
import { html, nothing, render } from './lib.js';

const KEY_WORDS = [
  ['arrow keys', 'between nodes, VMs and rows, where the map or a table has the focus'],
  ['Enter', 'open the item at the cursor'],
  ['Esc', 'leave a field, close this'],
];

export class Layer {
  #dialog = null;
  #loginError = '';

  /** @param {() => void} entered is called once a token was accepted */
  constructor(host, keys, entered) {
    this.host = host;
    this.keys = keys;
    this.entered = entered;
  }

  toggleHelp() {
    if (this.#dialog === 'help') {
      this.#close();
    } else if (!this.#dialog) {
      this.#show('help');
    }
  }

  askToken() {
    if (this.#dialog !== 'login') {
      this.#close();
      this.#show('login');
    }
  }

  #show(name) {
    this.#dialog = name;
    this.#render();
    this.host.querySelector('dialog').showModal();
  }

  /** The browser closes a dialog too, and its event may come when the next one is open. */
  #closed(event) {
    if (event.target === this.host.querySelector('dialog')) {
      this.#close();
    }
  }

  /** The page must not get the key too: it would show the help again. */
  #helpKey(event) {
    if (event.key === '?') {
      event.stopPropagation();
      this.#close();
    }
  }

  #close() {
    this.host.querySelector('dialog')?.close();
    this.#dialog = null;
    render(nothing, this.host);
  }

  #render() {
    render(this.#dialog === 'help' ? this.#help() : this.#login(), this.host);
  }

  #help() {
    const { everywhere, here } = this.keys.list();
    const list = (entries) =>
      entries.map(
        ([key, words]) => html`<dt>${key.split(' ').map((each) => html`<kbd>${each}</kbd> `)}</dt><dd>${words}</dd>`,
      );
    return html`<dialog class="help" aria-label="Keys" @close=${(event) => this.#closed(event)}
      @keydown=${(event) => this.#helpKey(event)}>
      <header><h2>Keys</h2><button type="button" @click=${() => this.#close()}>Close</button></header>
      <dl>${list(everywhere)}${KEY_WORDS.map(([key, words]) => html`<dt>${key}</dt><dd>${words}</dd>`)}</dl>
      ${here.length ? html`<h3>On this page</h3><dl>${list(here)}</dl>` : nothing}
    </dialog>`;
  }

  #login() {
    return html`<dialog class="login" aria-label="Login" @close=${(event) => this.#closed(event)}
      @cancel=${(event) => event.preventDefault()}>
      <form @submit=${(event) => this.#enter(event)}>
        <h2>Login</h2>
        <p class="muted">This console requires a token of its configured token file.</p>
        <label>Token <input type="password" name="token" autocomplete="current-password" required autofocus></label>
        <p class="bad" role="alert">${this.#loginError}</p>
        <button class="primary">Enter</button>
      </form>
    </dialog>`;
  }

  async #enter(event) {
    event.preventDefault();
    try {
      await login(new FormData(event.target).get('token'));
      this.#loginError = '';
      this.#close();
      this.entered();
    } catch (error) {
      this.#loginError = error.status === 401 || error.status === 403 ? 'This token is not accepted.' : error.message;
      this.#render();
    }
  }
}
