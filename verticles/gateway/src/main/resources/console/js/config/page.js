/** The config in force, and links to dump and profile. */
import { getJson, profile } from '../api.js';
import { html, nothing, render } from '../lib.js';
import { ago } from '../time.js';
import { empty, failure } from '../ui/bits.js';

const SECONDS_MAX = 300;

/**
 * Keys by the first word of their path, in their order.
 *
 * @param {{key: string, value: string, default: string, live: boolean}[]} keys
 * @returns {Map<string, object[]>}
 */
export function bySection(keys) {
  const sections = new Map();
  for (const each of keys) {
    const [section] = each.key.split('.', 1);
    sections.set(section, [
      ...(sections.get(section) ?? []),
      { ...each, name: each.key.slice(section.length + 1) || section },
    ]);
  }
  return sections;
}

function differs(each) {
  return each.value !== each.default;
}

function row(each) {
  return html`<tr ?data-set=${differs(each)}>
    <th scope="row" class="mono">${each.name}</th>
    <td class="mono">${each.value}</td>
    <td class="note">${differs(each) ? html`default <span class="mono">${each.default || 'none'}</span>` : nothing}</td>
    <td class="note right">${each.live ? html`<span title="A change takes effect without a restart.">live</span>` : nothing}</td>
  </tr>`;
}

function about({ version, roles, startedAt }) {
  return html`<span class="muted">version ${version}, roles ${roles.join(', ')}, up for ${ago(startedAt)}</span>`;
}

export class ConfigPage {
  title = 'Config';
  #keys = null;
  #error = null;
  #text = '';
  #setOnly = false;
  #recording = null;
  #abort = new AbortController();

  constructor(host, app) {
    this.host = host;
    this.app = app;
    app.keys.page({
      f: ['filter', () => this.host.querySelector('.toolbar input').focus()],
      d: ['only what differs from its default', () => this.#set(() => (this.#setOnly = !this.#setOnly))],
    });
    this.#load();
  }

  update() {
    render(this.#template(), this.host);
  }

  close() {
    this.#abort.abort();
    if (this.#recording?.href) {
      URL.revokeObjectURL(this.#recording.href);
    }
  }

  async #load() {
    try {
      this.#keys = (await getJson('api/config', this.#abort.signal)).keys;
      this.#error = null;
    } catch (error) {
      this.#error = error.message;
    }
    this.app.redraw();
  }

  #set(change) {
    change();
    this.app.redraw();
  }

  async #record(event) {
    event.preventDefault();
    const seconds = Math.min(SECONDS_MAX, Math.max(1, Number(new FormData(event.target).get('seconds')) || 30));
    this.#set(() => (this.#recording = { until: Date.now() + seconds * 1000 }));
    try {
      const kept = await profile(seconds, this.#abort.signal);
      const name = `sluice-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.jfr`;
      this.#recording = { href: URL.createObjectURL(kept), name };
    } catch (error) {
      this.#recording = { error: error.message };
    }
    this.app.redraw();
  }

  #template() {
    const { process } = this.app.fleet;
    return html`<article class="detail config">
      <header class="detail-head"><h1>Config in force</h1>${process ? about(process) : nothing}</header>
      <div class="columns">
        <div class="main-column">
          <div class="toolbar">
            <input type="search" placeholder="Key or value" aria-label="Only keys or values with this text" .value=${this.#text}
              @input=${(event) => this.#set(() => (this.#text = event.target.value))}>
            <button type="button" aria-pressed=${this.#setOnly}
              @click=${() => this.#set(() => (this.#setOnly = !this.#setOnly))}>not the default</button>
          </div>
          ${this.#error ? failure(this.#error, () => this.#load()) : nothing}
          ${this.#keys ? this.#sections() : this.#error ? nothing : empty('Loading.')}
        </div>
        <aside class="side-column" aria-label="Dump and profile">
          <section class="panel"><h2>State of the process</h2>
            <p class="small">The state of all its parts as one JSON document: sessions, reservations, goals, queues. It has no secrets.</p>
            <p><a class="button" href="dump" target="_blank" rel="noopener">Open the dump</a></p></section>
          <section class="panel"><h2>Profile</h2>
            <p class="small">A Java flight recording, for JDK Mission Control. One at a time; it costs the process little.</p>
            <form class="inline" @submit=${(event) => this.#record(event)}>
              <label>for <input type="number" name="seconds" min="1" max=${SECONDS_MAX} value="30"> s</label>
              <button ?disabled=${Boolean(this.#recording?.until)}>Record</button></form>
            ${this.#recorded()}
            <p class="small muted">In a terminal: <code>sluice profile --seconds 30</code></p></section>
        </aside>
      </div>
    </article>`;
  }

  #sections() {
    const sought = this.#text.toLowerCase();
    const wanted = this.#keys.filter(
      (each) =>
        (!this.#setOnly || differs(each)) && (!sought || `${each.key} ${each.value}`.toLowerCase().includes(sought)),
    );
    if (wanted.length === 0) {
      return empty(this.#keys.length ? 'No key matches.' : 'The process reports no config.');
    }
    return [...bySection(wanted)].map(
      ([section, keys]) => html`<section class="panel"><h2 class="mono">${section}</h2>
        <table class="facts keys" aria-label="Keys of ${section}">${keys.map(row)}</table></section>`,
    );
  }

  #recorded() {
    const recording = this.#recording;
    if (!recording) {
      return nothing;
    }
    if (recording.error) {
      return failure(recording.error);
    }
    return recording.href
      ? html`<p role="status"><a class="button" href=${recording.href} download=${recording.name}>Save ${recording.name}</a></p>`
      : html`<p role="status" class="num">Recording, ${Math.max(0, Math.ceil((recording.until - Date.now()) / 1000))} s to go</p>`;
  }
}
