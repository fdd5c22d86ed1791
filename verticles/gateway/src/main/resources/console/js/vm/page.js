/** One VM: its size against its demand, what it waits for, and why. */
import { pathOf } from '../api.js';
import { html, nothing, render } from '../lib.js';
import { settle } from '../router.js';
import { ended } from '../summary.js';
import { ago, serverNow } from '../time.js';
import { badge, choice, empty, failure, nodeLink, waitBadge } from '../ui/bits.js';
import { Poll } from '../ui/poll.js';
import { Why } from '../ui/why.js';
import { waitingSentence } from '../words.js';
import { billPanel } from './bill.js';
import { Charts, SPANS } from './charts.js';
import { amounts, basis, inLedger, complaints, identity } from './facts.js';

const EVERY_MS = 5000;
const BILL_EVERY_MS = 10_000;

export class VmPage {
  #detail = null;
  #error = null;
  #bill = null;
  #charts = null;
  #span = '60';
  #state = '';

  constructor(host, app, route) {
    this.host = host;
    this.app = app;
    this.key = `${route.params.namespace}/${route.params.name}`;
    this.title = this.key;
    const at = Number(route.query.get('at')) || null;
    const hooks = { at, chosen: (picked) => settle({ at: picked ? String(picked) : '' }), changed: () => app.redraw() };
    this.why = new Why(`vm/${pathOf(this.key)}`, 'vm', hooks);
    this.poll = new Poll(() => `api/vms/${pathOf(this.key)}`, EVERY_MS, {
      answer: (detail) => this.#hear(detail, null),
      refused: (error) => this.#hear(error.status === 404 ? null : this.#detail, error.message),
    });
    this.billPoll = new Poll(() => `api/vms/${pathOf(this.key)}/bill`, BILL_EVERY_MS, {
      answer: (bill) => this.#takeBill(bill),
      refused: (error) => this.#takeBill({ known: false, reason: error.message }),
    });
  }

  update() {
    const vm = this.app.fleet.vms.get(this.key) ?? this.#detail?.vm;
    const state = vm && [vm.waiting, vm.node, vm.reason].join();
    if (state !== this.#state) {
      this.#state = state;
      this.why.stale();
      this.poll.soon();
    }
    render(vm ? this.#template(vm) : this.#unknown(), this.host);
    if (vm && this.#detail) {
      this.#charts ??= new Charts([...this.host.querySelectorAll('.chart canvas')]);
      this.#charts.update({ history: this.#detail.history, bounds: this.#detail.vm.bounds, vm }, Number(this.#span));
    }
  }

  close() {
    this.poll.close();
    this.billPoll.close();
    this.why.close();
    this.#charts?.close();
  }

  #hear(detail, error) {
    this.#detail = detail;
    this.#error = error;
    this.app.redraw();
  }

  #takeBill(bill) {
    this.#bill = bill;
    this.app.redraw();
  }

  #billed() {
    return billPanel(this.#bill, this.#detail?.history, this.#detail?.vm, serverNow());
  }

  #unknown() {
    return html`<article class="detail"><h1>${this.key}</h1>
      ${this.#error ? html`${failure(this.#error, () => this.poll.now())}${this.#billed()}` : empty('Loading.')}
    </article>`;
  }

  #template(vm) {
    const detail = this.#detail;
    return html`<article class="detail">
      <header class="detail-head">
        <nav class="crumbs" aria-label="Breadcrumbs"><a href="#/">Fleet</a> <span>/</span> ${nodeLink(vm.node)}</nav>
        <h1>${this.key}</h1>
        ${waitBadge(vm)}
        <span class="muted">${waitingSentence(vm)}${vm.waitingSince ? html`, for ${ago(vm.waitingSince)}` : nothing}</span>
        ${this.#movement()}
      </header>
      ${complaints(detail?.vm)}
      ${this.why.sentence()}
      ${[detail?.helps, detail?.target, detail?.stays].map((line) => (line ? html`<p class="now">${line}</p>` : nothing))}
      ${this.#error ? failure(this.#error, () => this.poll.now()) : nothing}
      <div class="columns">
        <div class="main-column">
          <section class="panel charts" aria-label="Size against demand">
            <header><h2>Size against demand</h2>${this.#keys()}
              ${choice('Time span', SPANS, this.#span, (span) => this.#show(span))}</header>
            <figure class="chart"><figcaption>CPU</figcaption><div><canvas role="img" aria-label="CPU"></canvas></div></figure>
            <figure class="chart"><figcaption>memory</figcaption><div><canvas role="img" aria-label="memory"></canvas></div></figure>
          </section>
          ${this.#billed()}
          ${this.why.template()}
        </div>
        <aside class="side-column" aria-label="Numbers">
          <section class="panel"><h2>Amounts</h2>${amounts(vm, detail?.vm.bounds)}
            ${vm.reason ? html`<p class="small">${vm.reason}</p>` : nothing}</section>
          ${detail ? html`${basis(detail.vm.basis, detail.vm.computeUnit)}${inLedger(detail.reservation)}` : nothing}
          ${identity(vm, detail?.vm)}
        </aside>
      </div>
    </article>`;
  }

  #movement() {
    const migration = this.app.fleet.migrations.find((each) => each.vm === this.key && !ended(each));
    if (!migration) {
      return nothing;
    }
    return html`<p class="moving-line">${badge('moving', 'moving')} ${nodeLink(migration.from)} \u2192
      ${migration.to ? nodeLink(migration.to) : 'a node that is not chosen yet'}
      <span class="muted">${migration.phase.toLowerCase()}, for ${ago(migration.sinceMs)}${
        migration.ours ? nothing : ', not created by Sluice'
      }</span></p>`;
  }

  #keys() {
    const keys = [
      ['size', 'size'],
      ['goal', 'goal'],
      ['demand', 'load, memory in use'],
      ['bound', 'bounds'],
    ];
    const line = (id) => html`<i class="line-key" data-key=${id} aria-hidden="true"></i>`;
    return html`<span class="chart-keys">${keys.map(([id, label]) => html`<span>${line(id)}${label}</span>`)}</span>`;
  }

  #show(span) {
    this.#span = span;
    this.app.redraw();
  }
}
