/** The processes of the Hazelcast cluster, their state and their assignments. */
import { html, nothing, render } from '../lib.js';
import { absolute, clock, duration } from '../time.js';
import { badge, empty, failure, meter } from '../ui/bits.js';
import { Poll } from '../ui/poll.js';
import { count, micros } from '../units.js';

const EVERY_MS = 2000;
const STATES = {
  READY: ['working', 'ready', 'All its parts are ready.'],
  WAITING: ['denied', 'waits', 'A part of it is not ready.'],
  SILENT: ['room', 'silent', 'It does not reply over the bus.'],
};
const HEADS = ['process', 'state', 'roles', 'ledger', 'VMs', 'round trip', 'up for', 'version'];
const RIGHT = new Set(['VMs', 'round trip', 'up for']);
/** Unknown to a process without ledger state. */
const SAFE = new Map([
  [true, 'all safe'],
  [false, 'some are missing'],
  [null, 'unknown to this process'],
]);
const NONE = html`<span class="faint">\u2013</span>`;

function stateOf(member) {
  return badge(...(STATES[member.state] ?? ['off', member.state, '']));
}

/** The problems of a process, a line for each. */
function troubles(member) {
  const lines = member.waits.map(({ part, sentence }) => html`<li><b>${part}</b> ${sentence}</li>`);
  if (member.state === 'SILENT') {
    const since = member.silentMs === null ? '' : ` for ${duration(member.silentMs)}`;
    lines.unshift(
      html`<li>does not reply${since}${member.reason ? `: ${member.reason}` : ''}${
        lines.length ? '; in its last reply:' : ''
      }</li>`,
    );
  }
  return lines;
}

function counted(member) {
  return member.counts.map(({ what, number }) => `${count(number)} ${what}`).join(', ');
}

/** One process, and below it its problems. */
function process(member, vms) {
  const lines = troubles(member);
  return html`<tbody data-state=${member.state}>
    <tr>
      <th scope="row"><span class="mono" title=${member.id}>${member.name || 'this process'}</span>
        ${member.self && member.name ? badge('settled', 'this one', 'It serves this page.') : nothing}
        <div class="mono muted small" title=${member.joinedAt ? `member since ${absolute(member.joinedAt)}` : ''}>${member.endpoint}</div></th>
      <td>${stateOf(member)}</td>
      <td>${member.roles.join(', ') || NONE}<div class="muted small">${counted(member)}</div></td>
      <td>${member.ledger ? 'yes' : html`<span class="muted">no</span>`}</td>
      <td class="num right">${vms.has(member.id) ? count(vms.get(member.id)) : NONE}</td>
      <td class="num right">${member.roundTripMicros === null ? NONE : micros(member.roundTripMicros)}</td>
      <td class="num right">${member.uptimeMs === null ? NONE : duration(member.uptimeMs)}</td>
      <td class="mono">${member.version || NONE}</td>
    </tr>
    ${lines.length ? html`<tr class="troubles"><td colspan=${HEADS.length}><ul>${lines}</ul></td></tr>` : nothing}
  </tbody>`;
}

export class ClusterPage {
  title = 'Cluster';
  #cluster = null;
  #error = null;

  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.poll = new Poll(() => 'api/cluster', EVERY_MS, {
      answer: (cluster) => this.#hear(cluster, null),
      refused: (error) => this.#hear(this.#cluster, error.message),
    });
    app.keys.page({ r: ['refresh', () => this.poll.now()] });
  }

  update() {
    render(this.#template(), this.host);
  }

  close() {
    this.poll.close();
  }

  #hear(cluster, error) {
    this.#cluster = cluster;
    this.#error = error;
    this.app.redraw();
  }

  #template() {
    const cluster = this.#cluster;
    return html`<article class="detail cluster">
      <header class="detail-head"><h1>Cluster</h1>${cluster?.clustered ? this.#summary(cluster) : nothing}</header>
      ${this.#error ? failure(this.#error, () => this.poll.now()) : nothing}
      ${cluster ? this.#body(cluster) : this.#error ? nothing : empty('Loading.')}
    </article>`;
  }

  #summary({ members, ready }) {
    const answering = members.filter((member) => member.state !== 'SILENT').length;
    return html`<span class=${ready ? '' : 'bad'} title=${ready ? '' : 'A process is not ready, or no permit is granted.'}>${ready ? 'ready' : 'not ready'}</span>
      <span class="muted">${answering} of ${members.length} reply</span>`;
  }

  #body(cluster) {
    if (!cluster.clustered) {
      return html`<p class="alone">This process is alone: it is in no Hazelcast cluster.</p>`;
    }
    const vms = new Map(cluster.shares.agent.filter(({ vms: held }) => held !== null).map(({ id, vms: held }) => [id, held]));
    return html`<div class="columns">
      <div class="main-column">
        <section class="panel"><h2>Processes</h2>
          <div class="members" tabindex="0" role="region" aria-label="Processes">
            <table><thead><tr>${HEADS.map((head) => html`<th scope="col" class=${RIGHT.has(head) ? 'right' : ''}>${head}</th>`)}</tr></thead>
            ${cluster.members.map((member) => process(member, vms))}</table></div></section>
        ${this.#notes(cluster.notes)}
      </div>
      <aside class="side-column" aria-label="Cluster">${this.#grants(cluster)}${this.#shares(cluster, vms)}</aside>
    </div>`;
  }

  #grants({ grants, ledgers, partitionsSafe }) {
    return html`<section class="panel grants"><h2>Permits</h2>
      <p>${grants.allowed ? badge('working', 'granted') : badge('room', 'not granted')}
        ${grants.allowed ? nothing : html`<span>${grants.sentence}</span>`}</p>
      <table class="facts" aria-label="Ledger processes and replicas">
        <tr><th scope="row">ledger processes</th><td class="num ${ledgers.present < ledgers.configured ? 'bad' : ''}">${ledgers.present} of ${ledgers.configured} present</td></tr>
        <tr><th scope="row">replicas</th><td class="num ${partitionsSafe === false ? 'bad' : ''}">${SAFE.get(partitionsSafe)}</td></tr>
      </table></section>`;
  }

  #shares({ members, shares }, vms) {
    const all = [...vms.values()].reduce((sum, held) => sum + held, 0);
    const names = new Map(members.map(({ id, name }) => [id, name]));
    return html`<section class="panel shares"><h2>Assignments</h2>
      <table class="facts" aria-label="Assignments">
        <tr><th scope="row">pressure</th><td class="num mono">${shares.pressure ? (names.get(shares.pressure) ?? shares.pressure) : html`<span class="muted">none</span>`}</td></tr>
        ${shares.agent.map(
          ({ id }) => html`<tr><th scope="row">VMs of <span class="mono">${names.get(id) ?? id}</span></th>
            <td class="num">${vms.has(id) ? html`${meter(vms.get(id), all)} ${count(vms.get(id))}` : html`<span class="muted">not reported yet</span>`}</td></tr>`,
        )}
      </table>
      ${shares.agent.length ? nothing : html`<p class="small muted">No process runs the role agent.</p>`}</section>`;
  }

  #notes(notes) {
    return html`<section class="panel notes"><h2>What happened</h2>
      ${
        notes.length
          ? html`<ol>${notes.map(({ at, sentence }) => html`<li><time class="num muted" datetime=${new Date(at).toISOString()} title=${absolute(at)}>${clock(at)}</time> <span>${sentence}</span></li>`)}</ol>`
          : empty('No process joined or left since this process joined.')
      }</section>`;
  }
}
