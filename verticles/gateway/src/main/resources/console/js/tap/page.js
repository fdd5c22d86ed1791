/** Every message on the bus, live. */
import { html, nothing, render } from '../lib.js';
import { Link } from '../link.js';
import { settle, vmHref } from '../router.js';
import { absolute, clock } from '../time.js';
import { choice, nodeLink } from '../ui/bits.js';
import { Table } from '../ui/table.js';
import { bytes, count, micros } from '../units.js';
import { json } from './json.js';

const KEPT_MAX = 500;
const RETYPE_MS = 300;
const KINDS = [
  ['', 'all'],
  ['request', 'requests'],
  ['reply', 'replies'],
  ['event', 'events'],
];
const FIELDS = [
  ['vm', 'VM, such as default/web-*'],
  ['node', 'node'],
  ['address', 'address, such as ledger.*'],
];
const ARROWS = { out: '\u2192', in: '\u2190' };

function time(message) {
  const thousandths = String(new Date(message.at).getMilliseconds()).padStart(3, '0');
  return html`<span class="num" title=${absolute(message.at)}>${clock(message.at)}<span class="faint">.${thousandths}</span></span>`;
}

const COLUMNS = [
  { id: 'at', label: 'time', width: '108px', cell: time },
  {
    id: 'kind',
    label: 'kind',
    width: '78px',
    cell: (message) => html`<span class="tap-kind" data-kind=${message.kind}>${message.kind}</span>`,
  },
  {
    id: 'direction',
    label: '',
    width: '52px',
    cell: (message) =>
      html`<span aria-hidden="true">${ARROWS[message.direction] ?? ''}</span> <span class="muted">${message.direction}</span>`,
  },
  {
    id: 'address',
    label: 'address',
    width: 'minmax(150px,1.2fr)',
    cell: (message) => html`<span class="mono">${message.address}</span>`,
  },
  {
    id: 'vm',
    label: 'VM',
    width: 'minmax(120px,1.2fr)',
    cell: (message) =>
      message.vm.includes('/') ? html`<a href=${vmHref(message.vm)} tabindex="-1">${message.vm}</a>` : message.vm,
  },
  {
    id: 'node',
    label: 'node',
    width: 'minmax(80px,.8fr)',
    cell: (message) => (message.node ? nodeLink(message.node, { tab: false }) : nothing),
  },
  { id: 'bytes', label: 'bytes', width: '70px', right: true, cell: (message) => bytes(message.bytes) },
  { id: 'latency', label: 'latency', width: '78px', right: true, cell: (message) => micros(message.latencyMicros) },
  {
    id: 'failed',
    label: 'failed',
    width: 'minmax(70px,1fr)',
    cell: (message) => html`<span class="bad" title=${message.failed ?? ''}>${message.failed ?? ''}</span>`,
  },
];

/** The process in which the message passed; only in a Hazelcast cluster. */
const PROCESS = {
  id: 'process',
  label: 'process',
  width: '74px',
  cell: (message) => html`<span class="mono" title=${message.process ?? ''}>${message.process ?? ''}</span>`,
};

export class TapPage {
  title = 'Tap';
  #kept = [];
  #arrived = 0;
  #waiting = [];
  #dropped = 0;
  #missing = [];
  #clustered = false;
  #missed = 0;
  #total = 0;
  #paused = false;
  #chosen = null;
  #timer = 0;
  #table = null;
  #link = null;

  constructor(host, app, route) {
    this.host = host;
    this.app = app;
    this.filters = Object.fromEntries(
      ['vm', 'node', 'address', 'kind'].map((name) => [name, route.query.get(name) ?? '']),
    );
    app.keys.page({
      p: ['pause, continue', () => this.#pause()],
      x: ['clear', () => this.#clear()],
      f: ['filter', () => this.host.querySelector('.toolbar input').focus()],
    });
    this.#open();
  }

  update() {
    render(this.#template(), this.host);
    this.#table ??= new Table(this.host.querySelector('.tap-list'), {
      label: 'Messages, newest first',
      keyOf: (message) => String(message.id),
      rowHeight: 27,
      columns: this.#clustered ? [COLUMNS[0], PROCESS, ...COLUMNS.slice(1)] : COLUMNS,
      empty: 'No message has matched yet.',
      tone: (message) => (message.failed ? 'bad' : ''),
      follow: (message) => this.#choose(message),
      open: (message) => this.#choose(message),
    });
    this.#table.update(this.#kept, this.#arrived);
    this.#arrived = 0;
  }

  close() {
    clearTimeout(this.#timer);
    this.#link.close();
    this.#table?.close();
  }

  #open() {
    const query = new URLSearchParams(Object.entries(this.filters).filter(([, value]) => value)).toString();
    this.#link?.close();
    this.#link = new Link(
      `api/tap${query ? `?${query}` : ''}`,
      {
        event: (name, data) => this.#take(name, data),
        state: () => this.app.redraw(),
      },
      { quiet: true },
    );
    this.#link.open();
  }

  #take(name, data) {
    if (name === 'message') {
      this.#hear(data);
    } else if (name === 'dropped') {
      this.#drop(data);
    } else if (name === 'members') {
      this.#missing = data.members.filter(({ reason }) => reason);
      this.app.redraw();
    }
  }

  #hear(message) {
    if (message.process && !this.#clustered) {
      this.#clustered = true;
      this.#table?.close();
      this.#table = null;
    }
    message.id = ++this.#total;
    if (this.#paused) {
      this.#waiting.unshift(message);
      this.#missed += this.#waiting.length > KEPT_MAX ? 1 : 0;
      this.#waiting.length = Math.min(this.#waiting.length, KEPT_MAX);
    } else {
      this.#keep([message]);
    }
    this.app.redraw();
  }

  #keep(messages) {
    this.#kept = [...messages, ...this.#kept].slice(0, KEPT_MAX);
    this.#arrived += messages.length;
  }

  #drop({ dropped }) {
    this.#dropped = dropped;
    this.app.redraw();
  }

  #pause() {
    this.#paused = !this.#paused;
    if (!this.#paused) {
      this.#keep(this.#waiting);
      this.#waiting = [];
      this.#missed = 0;
    }
    this.app.redraw();
  }

  #clear() {
    this.#kept = [];
    this.#waiting = [];
    this.#missed = 0;
    this.#chosen = null;
    this.app.redraw();
  }

  #choose(message) {
    this.#chosen = message;
    this.app.redraw();
  }

  #filter(name, value) {
    this.filters[name] = value.trim();
    settle(this.filters);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#clear();
      this.#open();
    }, RETYPE_MS);
  }

  #template() {
    const { phase, error } = this.#link.state;
    return html`<div class="tap">
      <h1 class="unseen">Tap</h1>
      <div class="toolbar" role="search" aria-label="Which messages">
        ${FIELDS.map(
          ([
            name,
            hint,
          ]) => html`<input type="search" placeholder=${hint} aria-label="Only this ${name}" .value=${this.filters[name]}
          @input=${(event) => this.#filter(name, event.target.value)}>`,
        )}
        ${choice('Kind', KINDS, this.filters.kind, (kind) => {
          this.#filter('kind', kind);
          this.app.redraw();
        })}
        <span class="spring"></span>
        <button type="button" aria-pressed=${this.#paused} @click=${() => this.#pause()}>${this.#paused ? 'Continue' : 'Pause'}</button>
        <button type="button" @click=${() => this.#clear()}>Clear</button>
      </div>
      <p class="tap-state num" role="status">${this.#state(phase, error)}</p>
      <div class="tap-list"></div>
      <section class="tap-detail" aria-label="The chosen message">${this.#detail()}</section>
    </div>`;
  }

  #state(phase, error) {
    const parts = [];
    if (phase !== 'live') {
      parts.push(
        html`<span class="bad">${phase === 'connecting' && !error ? 'opening the tap' : `no tap: ${error}`}</span>`,
      );
    } else {
      parts.push(
        this.#paused
          ? html`<b>paused</b>, ${count(this.#waiting.length)} waiting${this.#missed ? `, ${count(this.#missed)} more not kept` : ''}`
          : 'live',
      );
    }
    parts.push(html`${count(this.#kept.length)} of at most ${KEPT_MAX} kept`);
    parts.push(
      this.#dropped
        ? html`<b class="bad">${count(this.#dropped)} dropped</b>: more messages than this tap could take`
        : 'none dropped',
    );
    if (this.#missing.length) {
      parts.push(
        html`<b class="bad">no messages from: ${this.#missing.map(({ id, reason }) => `${id} (${reason})`).join(', ')}</b>`,
      );
    }
    return parts.map((part, index) => html`${index ? ' \u00b7 ' : ''}${part}`);
  }

  #detail() {
    const message = this.#chosen;
    if (!message) {
      return html`<p class="empty">Choose a message to see its content.</p>`;
    }
    const facts = [message.kind, message.direction, bytes(message.bytes), absolute(message.at)];
    if (message.process) {
      facts.push(`in ${message.process}`);
    }
    if (message.latencyMicros !== null) {
      facts.push(`reply after ${micros(message.latencyMicros)}`);
    }
    return html`<header><h2 class="mono">${message.address}</h2>
        <span class="muted">${facts.join(', ')}</span></header>
      ${message.failed ? html`<p class="bad">${message.failed}</p>` : nothing}
      ${json(message.body)}`;
  }
}
