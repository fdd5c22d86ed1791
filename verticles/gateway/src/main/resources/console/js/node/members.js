/** Who holds what on a node, and who would leave it first. */
import { html, nothing } from '../lib.js';
import { go, vmHref } from '../router.js';
import { ago } from '../time.js';
import { badge, empty, meter, vmLink } from '../ui/bits.js';
import { Table } from '../ui/table.js';
import { amount, bytes, cpu, number } from '../units.js';

/** The key of a member's VM; empty for a pod without one. */
function vmKeyOf(member) {
  if (!member.vm) {
    return '';
  }
  return member.vm.includes('/') ? member.vm : `${member.namespace}/${member.vm}`;
}

const FLAGS = [
  ['migrating', 'leaving', 'It is moving away.', 'moving'],
  ['migrationTarget', 'arriving', 'A migration brings it here.', 'moving'],
  ['held', 'held', 'It is held, and not bound yet.', 'off'],
  ['recovered', 'recovered', 'It was loaded and has not been heard from since.', 'blind'],
];

function flags(member) {
  const known = FLAGS.filter(([field]) => member[field]).map(([, word, hint, tone]) => badge(tone, word, hint));
  if (member.buffer?.[0] || member.buffer?.[1]) {
    known.push(badge('blind', 'buffer', `${amount(member.buffer)} may be in use, and were not told yet.`));
  }
  return known;
}

function named(member) {
  const key = vmKeyOf(member);
  return key
    ? vmLink(key, { tab: false })
    : html`<span class="muted" title="A pod without a VM">${member.namespace}/${member.name}</span>`;
}

const share = (kind, text, total) => (member) =>
  html`${meter(member.reserved[kind], total()[kind])} ${text(member.reserved[kind])}`;
const some = (field) => (member) =>
  member[field]?.[0] || member[field]?.[1] ? amount(member[field]) : html`<span class="faint">0</span>`;

export function memberTable(host, totalOf) {
  const total = () => totalOf() ?? [0, 0];
  return new Table(host, {
    label: 'Who holds what',
    keyOf: (member) => member.member,
    open: (member) => vmKeyOf(member) && go(vmHref(vmKeyOf(member))),
    sort: { id: 'cpu', up: false },
    empty: 'Nobody holds anything here.',
    columns: [
      {
        id: 'name',
        label: 'VM or pod',
        width: 'minmax(130px,1.6fr)',
        cell: named,
        sort: (member) => vmKeyOf(member) || `${member.namespace}/${member.name}`,
      },
      {
        id: 'cpu',
        label: 'CPU',
        width: '80px',
        right: true,
        cell: share(0, cpu, total),
        sort: (member) => member.reserved[0],
        first: 'down',
      },
      {
        id: 'memory',
        label: 'memory',
        width: '100px',
        right: true,
        cell: share(1, bytes, total),
        sort: (member) => member.reserved[1],
        first: 'down',
      },
      {
        id: 'requested',
        label: 'asked for',
        width: '100px',
        right: true,
        cell: some('requested'),
        sort: (member) => member.requested?.[0] ?? 0,
        first: 'down',
      },
      {
        id: 'pressure',
        label: 'refused',
        width: '100px',
        right: true,
        cell: some('pressure'),
        sort: (member) => member.pressure[0],
        first: 'down',
      },
      {
        id: 'max',
        label: 'maximum',
        width: '100px',
        right: true,
        cell: some('max'),
        sort: (member) => member.max[0],
        first: 'down',
      },
      {
        id: 'load',
        label: 'load',
        width: '46px',
        right: true,
        cell: (member) => (member.load1 === null || member.load1 === undefined ? '\u2013' : number(member.load1, 2)),
        sort: (member) => member.load1 ?? -1,
        first: 'down',
      },
      {
        id: 'age',
        label: 'age',
        width: '52px',
        right: true,
        cell: (member) => (member.createdAt ? ago(member.createdAt) : '\u2013'),
        sort: (member) => -(member.createdAt ?? 0),
      },
      { id: 'flags', label: '', width: 'minmax(110px,1.2fr)', cell: flags },
    ],
  });
}

/** Those who could leave, in their order, and folded away those who could not. */
export function ranking(ranks, members, known) {
  const keys = new Map(members.map((member) => [member.member, vmKeyOf(member) || member.name]));
  const name = (rank) => {
    const key = keys.get(rank.member) ?? rank.vm ?? rank.member;
    return key.includes('/') ? vmLink(key) : key;
  };
  const first = ranks.filter((rank) => rank.candidate);
  const rest = ranks.filter((rank) => !rank.candidate);
  const line = (rank) => html`<li>${name(rank)} <span class="muted">${rank.reason}</span></li>`;
  return html`<section class="panel ranking"><h2>Who would leave first</h2>
    ${first.length ? html`<ol>${first.map(line)}</ol>` : empty(known ? 'Nobody could leave.' : 'Nobody answers who ranks them.')}
    ${rest.length ? html`<details><summary>${rest.length} would not leave</summary><ul>${rest.map(line)}</ul></details>` : nothing}
  </section>`;
}
