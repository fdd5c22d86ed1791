/** The reservations of a node, and the order in which VMs would leave it. */
import { html, nothing } from '../lib.js';
import { go, vmHref } from '../router.js';
import { ago } from '../time.js';
import { badge, empty, meter, vmLink } from '../ui/bits.js';
import { Table } from '../ui/table.js';
import { amount, bytes, cpu, number } from '../units.js';

/** The key of a reservation's VM; empty for a pod without one. */
function vmKeyOf(reservation) {
  if (!reservation.vm) {
    return '';
  }
  return reservation.vm.includes('/') ? reservation.vm : `${reservation.namespace}/${reservation.vm}`;
}

const FLAGS = [
  ['migrating', 'leaving', 'It is moving away.', 'moving'],
  ['migrationTarget', 'arriving', 'A migration brings it here.', 'moving'],
  ['held', 'held', 'It is held, and not bound yet.', 'off'],
  ['found', 'no hold', 'Its pod arrived without a hold; it is reserved at its maximum until a request of its agent.', 'blind'],
  ['recovered', 'recovered', 'It was recovered after a loss of ledger state, at its maximum.', 'blind'],
];

function flags(reservation) {
  const known = FLAGS.filter(([field]) => reservation[field]).map(([, word, hint, tone]) => badge(tone, word, hint));
  if (reservation.buffer?.[0] || reservation.buffer?.[1]) {
    known.push(badge('blind', 'buffer', `${amount(reservation.buffer)} may be in use, and are not reported yet.`));
  }
  return known;
}

/** The VM or the pod of a reservation. */
export function named(reservation, { tab = false } = {}) {
  const key = vmKeyOf(reservation);
  return key
    ? vmLink(key, { tab })
    : html`<span class="muted" title="A pod without a VM">${reservation.namespace}/${reservation.name}</span>`;
}

const share = (kind, text, total) => (reservation) =>
  html`${meter(reservation.reserved[kind], total()[kind])} ${text(reservation.reserved[kind])}`;
const some = (field) => (reservation) =>
  reservation[field]?.[0] || reservation[field]?.[1] ? amount(reservation[field]) : html`<span class="faint">0</span>`;

export function reservationTable(host, totalOf) {
  const total = () => totalOf() ?? [0, 0];
  return new Table(host, {
    label: 'Reservations',
    keyOf: (reservation) => reservation.pod,
    open: (reservation) => vmKeyOf(reservation) && go(vmHref(vmKeyOf(reservation))),
    sort: { id: 'cpu', up: false },
    empty: 'There are no reservations on this node.',
    columns: [
      {
        id: 'name',
        label: 'VM or pod',
        width: 'minmax(130px,1.6fr)',
        cell: (reservation) => named(reservation),
        sort: (reservation) => vmKeyOf(reservation) || `${reservation.namespace}/${reservation.name}`,
      },
      {
        id: 'cpu',
        label: 'CPU',
        width: '80px',
        right: true,
        cell: share(0, cpu, total),
        sort: (reservation) => reservation.reserved[0],
        first: 'down',
      },
      {
        id: 'memory',
        label: 'memory',
        width: '100px',
        right: true,
        cell: share(1, bytes, total),
        sort: (reservation) => reservation.reserved[1],
        first: 'down',
      },
      {
        id: 'requested',
        label: 'requested',
        width: '100px',
        right: true,
        cell: some('requested'),
        sort: (reservation) => reservation.requested?.[0] ?? 0,
        first: 'down',
      },
      {
        id: 'pressure',
        label: 'refused',
        width: '100px',
        right: true,
        cell: some('pressure'),
        sort: (reservation) => reservation.pressure[0],
        first: 'down',
      },
      {
        id: 'max',
        label: 'maximum',
        width: '100px',
        right: true,
        cell: some('max'),
        sort: (reservation) => reservation.max[0],
        first: 'down',
      },
      {
        id: 'load',
        label: 'load',
        width: '46px',
        right: true,
        cell: (reservation) => (reservation.load1 === null || reservation.load1 === undefined ? '\u2013' : number(reservation.load1, 2)),
        sort: (reservation) => reservation.load1 ?? -1,
        first: 'down',
      },
      {
        id: 'age',
        label: 'age',
        width: '52px',
        right: true,
        cell: (reservation) => (reservation.createdAt ? ago(reservation.createdAt) : '\u2013'),
        sort: (reservation) => -(reservation.createdAt ?? 0),
      },
      { id: 'flags', label: '', width: 'minmax(110px,1.2fr)', cell: flags },
    ],
  });
}

/** The VMs that could leave, in their order, and folded those that could not. */
export function ranking(ranks, reservations, known) {
  const keys = new Map(reservations.map((reservation) => [reservation.pod, vmKeyOf(reservation) || reservation.name]));
  const name = (rank) => {
    const key = keys.get(rank.pod) ?? rank.vm ?? rank.pod;
    return key.includes('/') ? vmLink(key) : key;
  };
  const first = ranks.filter((rank) => rank.candidate);
  const rest = ranks.filter((rank) => !rank.candidate);
  const line = (rank) => html`<li>${name(rank)} <span class="muted">${rank.reason}</span></li>`;
  return html`<section class="panel ranking"><h2>Order of leaving</h2>
    ${first.length ? html`<ol>${first.map(line)}</ol>` : empty(known ? 'No VM could leave.' : 'No process replies with the ranking.')}
    ${rest.length ? html`<details><summary>${rest.length} would not leave</summary><ul>${rest.map(line)}</ul></details>` : nothing}
  </section>`;
}
