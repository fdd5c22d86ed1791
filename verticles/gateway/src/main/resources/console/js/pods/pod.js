/** One pod that waits: which nodes cannot take it, by reason, and the decisions about it. */
import { pathOf } from '../api.js';
import { html, nothing, render } from '../lib.js';
import { settle } from '../router.js';
import { absolute, ago } from '../time.js';
import { empty, failure, nodeLink, vmLink } from '../ui/bits.js';
import { Poll } from '../ui/poll.js';
import { Why } from '../ui/why.js';
import { amount, bytes, count, cpu } from '../units.js';
import { vmKeyOf } from './page.js';

const EVERY_MS = 2000;
/** Groups of more nodes are folded. */
const OPEN_MAX = 20;

export class PodPage {
  #detail = null;
  #error = null;
  #why = null;

  constructor(host, app, route) {
    this.host = host;
    this.app = app;
    this.key = `${route.params.namespace}/${route.params.name}`;
    this.title = route.params.name;
    const at = Number(route.query.get('at')) || null;
    this.hooks = { at, chosen: (picked) => settle({ at: picked ? String(picked) : '' }), changed: () => app.redraw() };
    this.poll = new Poll(() => `api/pods/${pathOf(this.key)}`, EVERY_MS, {
      answer: (detail) => this.#hear(detail, null),
      refused: (error) => this.#hear(error.status === 404 ? null : this.#detail, error.message),
    });
    app.keys.page({ r: ['refresh', () => this.poll.now()] });
  }

  update() {
    render(this.#template(), this.host);
  }

  close() {
    this.poll.close();
    this.#why?.close();
  }

  #hear(detail, error) {
    this.#detail = detail;
    this.#error = error;
    if (detail?.decided) {
      this.#why ??= new Why(`pod/${pathOf(this.key)}`, 'pod', this.hooks);
    }
    this.app.redraw();
  }

  #template() {
    const pod = this.#detail;
    return html`<article class="detail">
      <header class="detail-head">
        <nav class="crumbs" aria-label="Breadcrumbs"><a href="#/pods">Pods</a> <span>/</span></nav>
        <h1>${this.key}</h1>
        ${pod?.vm ? html`<span class="muted">runs the VM ${vmLink(vmKeyOf(pod), { short: true })}</span>` : nothing}
      </header>
      ${this.#error ? failure(this.#error, () => this.poll.now()) : nothing}
      ${pod ? html`<p class="now" aria-live="polite">${pod.now}</p>` : this.#error ? nothing : empty('Loading.')}
      ${pod?.helps ? html`<p class="now">${pod.helps}</p>` : nothing}
      <div class="columns">
        <div class="main-column">${pod ? this.#nodes(pod) : nothing}${this.#why?.template() ?? nothing}</div>
        ${pod ? this.#numbers(pod) : nothing}
      </div>
    </article>`;
  }

  #nodes(pod) {
    return html`<section class="panel obstacles"><h2>Nodes</h2>
      ${pod.nodes ? nothing : empty('No node is known.')}
      ${pod.groups.map((group) => this.#group(`cannot take it: ${group.reason}`, group, true))}
      ${pod.fit.count ? this.#group('could take it by the ledger', pod.fit, false) : nothing}
      <p class="small muted">By the last sums of each node's ledger. The rules of the scheduler come on top.</p></section>`;
  }

  #group(words, group, isShort) {
    const more = group.count - group.nodes.length;
    return html`<details ?open=${group.count <= OPEN_MAX}>
      <summary><b class="num">${count(group.count)}</b> ${words}</summary>
      <table class="facts"><thead><tr><th scope="col">node</th>
        ${isShort ? html`<th scope="col" class="right">short of CPU</th><th scope="col" class="right">short of memory</th><th scope="col">of other kinds</th>` : html`<th scope="col" class="right">score</th>`}</tr></thead>
        <tbody>${group.nodes.map(
          (node) => html`<tr><td>${nodeLink(node.name)}</td>
          ${isShort ? html`<td class="num">${cpu(node.shortBy[0])}</td><td class="num">${bytes(node.shortBy[1])}</td><td>${node.shortOf}</td>` : html`<td class="num">${node.score}</td>`}</tr>`,
        )}</tbody></table>
      ${more > 0 ? html`<p class="small muted">and ${count(more)} more</p>` : nothing}
    </details>`;
  }

  #numbers(pod) {
    return html`<aside class="side-column" aria-label="Numbers"><section class="panel"><h2>Numbers</h2>
      <table class="facts">
        <tr title="Since it was created"><th scope="row">waits for</th><td class="num" title=${absolute(pod.createdAt)}>${ago(pod.createdAt)}</td></tr>
        <tr><th scope="row">size</th><td class="num">${amount(pod.amounts)}</td></tr>
        <tr title="What of it counts on a node"><th scope="row">after overcommit</th><td class="num">${amount(pod.charge)}</td></tr>
        <tr><th scope="row">nodes</th><td class="num">${count(pod.nodes)}</td></tr>
        <tr><th scope="row">of them could take it</th><td class="num">${count(pod.fit.count)}</td></tr>
      </table></section></aside>`;
  }
}
