/** The pods that wait for a node. */
import { html, nothing, render } from '../lib.js';
import { go, podHref } from '../router.js';
import { ago } from '../time.js';
import { empty, failure, vmLink } from '../ui/bits.js';
import { Poll } from '../ui/poll.js';
import { Table } from '../ui/table.js';
import { amount, count } from '../units.js';

const EVERY_MS = 2000;
const NONE = html`<span class="faint">\u2013</span>`;

const COLUMNS = [
  {
    id: 'name',
    label: 'pod',
    width: 'minmax(150px,1.2fr)',
    cell: (pod) => html`<a href=${podHref(pod.key)} tabindex="-1" title=${pod.key}>${pod.key}</a>`,
    sort: (pod) => pod.key,
  },
  {
    id: 'vm',
    label: 'VM',
    width: 'minmax(90px,.8fr)',
    cell: (pod) => (pod.vm ? vmLink(vmKeyOf(pod), { tab: false, short: true }) : NONE),
    sort: (pod) => pod.vm,
  },
  {
    id: 'since',
    label: 'waits for',
    width: '80px',
    right: true,
    cell: (pod) => ago(pod.createdAt),
    sort: (pod) => -pod.createdAt,
    first: 'down',
  },
  {
    id: 'charge',
    label: 'needs',
    width: '120px',
    right: true,
    cell: (pod) => html`<span title="Before overcommit: ${amount(pod.amounts)}">${amount(pod.charge)}</span>`,
    sort: (pod) => pod.charge[0],
    first: 'down',
  },
  {
    id: 'why',
    label: 'why',
    width: 'minmax(220px,3.5fr)',
    cell: (pod) => html`<span title=${pod.now}>${pod.now}</span>`,
  },
];

export function vmKeyOf(pod) {
  return `${pod.key.slice(0, pod.key.indexOf('/'))}/${pod.vm}`;
}

export class PodsPage {
  title = 'Pods';
  #list = null;
  #error = null;
  #table = null;

  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.poll = new Poll(() => 'api/pods', EVERY_MS, {
      answer: (list) => this.#hear(list, null),
      refused: (error) => this.#hear(this.#list, error.message),
    });
    app.keys.page({ r: ['refresh', () => this.poll.now()] });
  }

  update() {
    render(this.#template(), this.host);
    if (this.#list?.known) {
      this.#table ??= new Table(this.host.querySelector('.pods'), {
        label: 'Pods that wait',
        keyOf: (pod) => pod.uid,
        open: (pod) => go(podHref(pod.key)),
        sort: { id: 'since', up: false },
        empty: 'No pod waits for a node.',
        columns: COLUMNS,
      });
      this.#table.update(this.#list.pods);
    }
  }

  close() {
    this.poll.close();
    this.#table?.close();
  }

  #hear(list, error) {
    this.#list = list;
    this.#error = error;
    this.app.redraw();
  }

  #template() {
    const list = this.#list;
    return html`<article class="detail">
      <header class="detail-head"><h1>Pods</h1>${list?.known ? html`<span class="muted">${count(list.total)} ${list.total === 1 ? 'waits' : 'wait'} for a node</span>` : nothing}
        ${
          list && list.withoutHold !== null
            ? html`<span class=${list.withoutHold ? 'bad' : 'muted'} title="Pods that reached a node without a hold of the ledger, since its processes were started. The ledger logs the name of each."
                >${count(list.withoutHold)} arrived without a hold</span>`
            : nothing
        }</header>
      ${this.#error ? failure(this.#error, () => this.poll.now()) : nothing}
      ${list ? this.#body(list) : this.#error ? nothing : empty('Loading.')}
    </article>`;
  }

  #body(list) {
    const more = list.total - list.pods.length;
    return html`<section class="panel"><h2>Pods that wait</h2>
      <div class="pods" ?hidden=${!list.known} .style=${`height:${Math.min(640, 46 + Math.max(2, list.pods.length) * 30)}px`}></div>
      ${list.known ? nothing : html`<p class="bad">No process replies with the pods that wait.</p>`}
      ${more > 0 ? html`<p class="small muted">${count(more)} more wait, all created later than these.</p>` : nothing}</section>`;
  }
}
