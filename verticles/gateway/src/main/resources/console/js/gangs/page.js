/** The gangs: how many of their members are held and bound, why they wait, and the members of the chosen one. */
import { html, nothing, render } from '../lib.js';
import { podHref, settle } from '../router.js';
import { badge, empty, failure, nodeLink } from '../ui/bits.js';
import { Poll } from '../ui/poll.js';
import { Table } from '../ui/table.js';
import { count } from '../units.js';

const EVERY_MS = 2000;
const MEMBERS_MAX = 300;
const TONES = { pending: 'room', held: 'moving', binding: 'moving', failed: 'denied' };

const COLUMNS = [
  {
    id: 'gang',
    label: 'gang',
    width: 'minmax(160px,1.4fr)',
    cell: (gang) => html`<span title=${gang.apiGroup || 'declared by its members'}>${gang.gang}</span>`,
    sort: (gang) => gang.gang,
  },
  {
    id: 'phase',
    label: 'phase',
    width: '96px',
    cell: (gang) => gang.phase,
    sort: (gang) => gang.phase,
  },
  number('min', 'minimum', (gang) => gang.minMember),
  number('members', 'members', (gang) => gang.members.length),
  number('held', 'held', (gang) => gang.held),
  number('bound', 'bound', (gang) => gang.bound),
  {
    id: 'why',
    label: 'why it waits',
    width: 'minmax(220px,3fr)',
    cell: (gang) => html`<span title=${gang.reason}>${gang.reason}</span>`,
    sort: (gang) => (gang.reason ? 0 : 1),
  },
];

function number(id, label, value) {
  return {
    id,
    label,
    width: '78px',
    right: true,
    cell: (gang) => count(value(gang)),
    sort: value,
    first: 'down',
  };
}

const keyOf = (gang) => `${gang.gang} ${gang.apiGroup}`;

export class GangsPage {
  title = 'Gangs';
  #gangs = null;
  #error = null;
  #table = null;
  #chosen = '';

  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.poll = new Poll(() => 'api/gangs', EVERY_MS, {
      answer: (reply) => this.#hear(reply.gangs, null),
      refused: (error) => this.#hear(this.#gangs, error.message),
    });
    app.keys.page({ r: ['refresh', () => this.poll.now()] });
  }

  update(route) {
    this.#chosen = route ? (route.query.get('gang') ?? '') : this.#chosen;
    render(this.#template(), this.host);
    if (this.#gangs) {
      this.#table ??= new Table(this.host.querySelector('.gangs'), {
        label: 'Gangs',
        keyOf,
        open: (gang) => this.#choose(keyOf(gang)),
        sort: { id: 'why', up: true },
        empty: 'No gang is known. placement.gangs.enabled has pods start with their gang.',
        columns: COLUMNS,
      });
      this.#table.update(this.#gangs);
    }
  }

  close() {
    this.poll.close();
    this.#table?.close();
  }

  #choose(key) {
    this.#chosen = key;
    settle({ gang: key });
    this.app.redraw();
  }

  #hear(gangs, error) {
    this.#gangs = gangs;
    this.#error = error;
    this.app.redraw();
  }

  #template() {
    const gangs = this.#gangs;
    const waiting = gangs?.filter((gang) => gang.reason).length;
    const chosen = gangs?.find((gang) => keyOf(gang) === this.#chosen);
    return html`<article class="detail">
      <header class="detail-head"><h1>Gangs</h1>${gangs ? html`<span class="muted">${count(waiting)} of ${count(gangs.length)} ${waiting === 1 ? 'waits' : 'wait'}</span>` : nothing}</header>
      ${this.#error ? failure(this.#error, () => this.poll.now()) : nothing}
      ${gangs || this.#error ? nothing : empty('Loading.')}
      <section class="panel" ?hidden=${!gangs}><h2>Gangs</h2>
        <div class="gangs" .style=${`height:${Math.min(640, 46 + Math.max(2, gangs?.length ?? 0) * 30)}px`}></div>
        <p class="small muted">Enter, or a click, shows the members of a gang.</p></section>
      ${chosen ? this.#members(chosen) : nothing}
    </article>`;
  }

  #members(gang) {
    const namespace = gang.gang.slice(0, gang.gang.indexOf('/'));
    const more = gang.members.length - MEMBERS_MAX;
    return html`<section class="panel members"><h2>Members of ${gang.gang}</h2>
      <p class="now" aria-live="polite">${gang.reason || `${gang.phase}, ${count(gang.bound)} of ${count(gang.minMember)} that are needed are bound.`}</p>
      <table class="facts"><thead><tr><th scope="col">pod</th><th scope="col">is</th><th scope="col">node</th></tr></thead>
        <tbody>${gang.members.slice(0, MEMBERS_MAX).map(
          (member) => html`<tr><td>${
            member.step === 'pending' || member.step === 'held'
              ? html`<a href=${podHref(`${namespace}/${member.pod}`)}>${member.pod}</a>`
              : member.pod
          }</td><td>${badge(TONES[member.step] ?? 'settled', member.step)}</td><td>${nodeLink(member.node)}</td></tr>`,
        )}</tbody></table>
      ${more > 0 ? html`<p class="small muted">and ${count(more)} more</p>` : nothing}</section>`;
  }
}
