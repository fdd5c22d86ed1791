/** One node: its total, its reservations, the order in which VMs would leave it, and why. */
import { pathOf } from '../api.js';
import { html, nothing, render } from '../lib.js';
import { drawBar } from '../map/bars.js';
import { readPalette } from '../map/palette.js';
import { settle } from '../router.js';
import { ended } from '../summary.js';
import { onTheme } from '../theme.js';
import { ago } from '../time.js';
import { empty, failure, nodeLink, stateBadge, vmLink } from '../ui/bits.js';
import { Poll } from '../ui/poll.js';
import { Why } from '../ui/why.js';
import { bytes, count, cpu, ofWhole, percent } from '../units.js';
import { gpuTable } from './gpus.js';
import { reservationTable, ranking } from './reservations.js';

const EVERY_MS = 5000;
const KINDS = [
  ['CPU', cpu],
  ['memory', bytes],
];

/** Field, label, key of its colour, and description. */
const NUMBERS = [
  ['total', 'total', '', 'what it can grant'],
  ['watermark', 'watermark', 'mark', 'above this, VMs should leave'],
  ['reserved', 'reserved', 'bar', 'the sum of its charges'],
  ['held', 'of it held', 'held', 'not bound yet'],
  ['buffer', 'of it buffer', 'buffer', 'may be in use, and is not reported yet'],
  ['logical', 'above the watermark', 'over', 'logical pressure'],
  ['capacityPressure', 'requested and refused', 'refused', 'capacity pressure'],
  ['accountedPressure', 'leaving', 'leaving', 'accounted pressure: what migrations will take away'],
  ['slack', 'slack', '', 'buffers, and what is left below the watermark'],
  ['migrating', 'migrating', '', 'charges of VMs that are moving'],
];

export class NodePage {
  #detail = null;
  #error = null;
  #table = null;
  #pressed = false;

  constructor(host, app, route) {
    this.host = host;
    this.app = app;
    this.name = route.params.name;
    this.title = this.name;
    this.palette = readPalette();
    this.offTheme = onTheme(() => {
      this.palette = readPalette();
      app.redraw();
    });
    const at = Number(route.query.get('at')) || null;
    const hooks = { at, chosen: (picked) => settle({ at: picked ? String(picked) : '' }), changed: () => app.redraw() };
    this.why = new Why(`node/${pathOf(this.name)}`, 'node', hooks);
    this.poll = new Poll(() => `api/nodes/${pathOf(this.name)}`, EVERY_MS, {
      answer: (detail) => this.#hear(detail, null),
      refused: (error) => this.#hear(error.status === 404 ? null : this.#detail, error.message),
    });
  }

  update() {
    const live = this.app.fleet.nodes.get(this.name);
    if (live?.underPressure !== this.#pressed) {
      this.#pressed = live?.underPressure;
      this.why.stale();
      this.poll.soon();
    }
    const node = live || this.#detail ? { ...this.#detail?.node, ...live } : null;
    render(node ? this.#template(node) : this.#unknown(), this.host);
    if (node) {
      this.#drawBars(node);
    }
    if (this.#detail) {
      this.#table ??= reservationTable(this.host.querySelector('.reservations'), () => this.#detail?.node.total);
      this.#table.update(this.#detail.reservations);
    }
  }

  close() {
    this.poll.close();
    this.why.close();
    this.offTheme();
    this.#table?.close();
  }

  #hear(detail, error) {
    this.#detail = detail;
    this.#error = error;
    this.app.redraw();
  }

  #unknown() {
    return html`<article class="detail"><h1>${this.name}</h1>
      ${this.#error ? failure(this.#error, () => this.poll.now()) : empty('Loading.')}
    </article>`;
  }

  #template(node) {
    const reservations = this.#detail?.reservations ?? [];
    return html`<article class="detail">
      <header class="detail-head">
        <nav class="crumbs" aria-label="Breadcrumbs"><a href="#/">Fleet</a> <span>/</span></nav>
        <h1>${this.name}</h1>${stateBadge(node)}
        <span class="muted">${count(this.app.fleet.vmsOn(this.name).length)} VMs</span>
      </header>
      ${this.why.sentence()}
      ${this.#error ? failure(this.#error, () => this.poll.now()) : nothing}
      <div class="columns">
        <div class="main-column">
          <section class="panel" aria-label="Reserved"><h2>Reserved</h2>
            ${KINDS.map(([label], kind) => this.#bar(node, label, kind))}</section>
          ${this.#detail?.gpus?.devices.length ? gpuTable(this.#detail.gpus) : nothing}
          <section class="panel"><h2>Reservations</h2>
            ${this.#detail?.reservationsKnown === false ? html`<p class="bad">The ledger does not reply: unknown.</p>` : nothing}
            <div class="reservations" .style=${`height:${Math.min(460, 46 + Math.max(2, reservations.length) * 30)}px`}></div></section>
          ${this.why.template()}
        </div>
        <aside class="side-column" aria-label="Numbers">
          <section class="panel"><h2>Numbers</h2>${this.#numbers(node)}</section>
          ${this.#movements()}
          ${this.#detail ? ranking(this.#detail.ranking ?? [], reservations, this.#detail.rankingKnown !== false) : nothing}
        </aside>
      </div>
    </article>`;
  }

  #bar(node, label, kind) {
    return html`<div class="big-bar">
      <span>${label}</span>
      <canvas role="img" aria-label="${label}: ${percent(node.reserved[kind], node.total[kind])} reserved"></canvas>
      <span class="num"><b>${percent(node.reserved[kind], node.total[kind])}</b>
        <span class="muted">${ofWhole(kind, node.reserved[kind], node.total[kind])}</span></span>
    </div>`;
  }

  #drawBars(node) {
    this.host.querySelectorAll('.big-bar canvas').forEach((canvas, kind) => {
      const width = canvas.clientWidth;
      const height = canvas.clientHeight;
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
      const pen = canvas.getContext('2d');
      pen.scale(devicePixelRatio, devicePixelRatio);
      drawBar(pen, this.palette, node, kind, { x: 0, y: 4, width, height: height - 8 });
    });
  }

  #numbers(node) {
    return html`<table class="facts">
      <tr><th></th><th scope="col" class="right">CPU</th><th scope="col" class="right">memory</th></tr>
      ${NUMBERS.filter(([field]) => node[field]).map(
        ([field, label, key, hint]) => html`<tr title=${hint}>
        <th scope="row"><i class="key" data-key=${key} aria-hidden="true"></i>${label}</th>
        ${KINDS.map(([, text], kind) => html`<td class="num">${text(node[field][kind])}</td>`)}
      </tr>`,
      )}
    </table>`;
  }

  #movements() {
    const here = this.app.fleet.migrations.filter(
      (each) => !ended(each) && (each.from === this.name || each.to === this.name),
    );
    return here.length === 0
      ? nothing
      : html`<section class="panel"><h2>Moving</h2><ul class="plain-list">${here.map(
          (each) => html`<li>
          ${vmLink(each.vm)}
          ${each.from === this.name ? html`to ${each.to ? nodeLink(each.to) : 'a node that is not chosen yet'}` : html`from ${nodeLink(each.from)}`}
          <span class="muted">${each.phase.toLowerCase()}, for ${ago(each.sinceMs)}</span></li>`,
        )}</ul></section>`;
  }
}
