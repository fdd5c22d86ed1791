/** The fleet as text: every node or every VM in a row. */
import { html, nothing } from '../lib.js';
import { go, nodeHref, vmHref } from '../router.js';
import { nodeState } from '../summary.js';
import { ago } from '../time.js';
import { meter, nodeLink, stateBadge, vmLink, waitBadge } from '../ui/bits.js';
import { Table } from '../ui/table.js';
import { amount, count, ofWhole, percent } from '../units.js';
import { GROUPS, groupOf } from '../words.js';

const URGENCY = new Map(GROUPS.map((group, index) => [group.id, index]));

const used = (kind) => (node) => html`
  ${meter(node.reserved[kind], node.total[kind], node.reserved[kind] > node.watermark[kind] ? 'denied' : '')}
  <span class="pct">${percent(node.reserved[kind], node.total[kind])}</span>
  <span class="muted num">${ofWhole(kind, node.reserved[kind], node.total[kind])}</span>`;

const some = (field) => (node) =>
  node[field][0] || node[field][1] ? amount(node[field]) : html`<span class="faint">0</span>`;

const nodeColumns = (fleet) => [
  {
    id: 'name',
    label: 'node',
    width: 'minmax(130px,1.2fr)',
    cell: (node) => nodeLink(node.name, { tab: false }),
    sort: (node) => node.name,
  },
  {
    id: 'state',
    label: 'state',
    width: '100px',
    cell: stateBadge,
    sort: (node) => nodeState(node)?.word ?? '',
    first: 'down',
  },
  {
    id: 'vms',
    label: 'VMs',
    width: '60px',
    right: true,
    cell: (node) => count(fleet.vmsOn(node.name).length),
    sort: (node) => fleet.vmsOn(node.name).length,
    first: 'down',
  },
  {
    id: 'cpu',
    label: 'CPU reserved',
    width: 'minmax(250px,1.4fr)',
    cell: used(0),
    sort: (node) => node.reserved[0] / node.total[0],
    first: 'down',
  },
  {
    id: 'memory',
    label: 'memory reserved',
    width: 'minmax(260px,1.5fr)',
    cell: used(1),
    sort: (node) => node.reserved[1] / node.total[1],
    first: 'down',
  },
  {
    id: 'held',
    label: 'held',
    width: '104px',
    right: true,
    cell: some('held'),
    sort: (node) => node.held[0],
    first: 'down',
  },
  {
    id: 'buffer',
    label: 'buffer',
    width: '104px',
    right: true,
    cell: some('buffer'),
    sort: (node) => node.buffer[0],
    first: 'down',
  },
  {
    id: 'refused',
    label: 'refused',
    width: '104px',
    right: true,
    cell: some('capacityPressure'),
    sort: (node) => node.capacityPressure[0],
    first: 'down',
  },
  {
    id: 'leaving',
    label: 'leaving',
    width: '104px',
    right: true,
    cell: some('accountedPressure'),
    sort: (node) => node.accountedPressure[0],
    first: 'down',
  },
];

/** All nodes, or those with wanted names and some columns alone. */
export function nodeTable(host, fleet, { label = 'Nodes', wanted = null, columns = null, empty = 'No node matches.' } = {}) {
  const table = new Table(host, {
    label,
    columns: nodeColumns(fleet).filter((column) => !columns || columns.has(column.id)),
    keyOf: (node) => node.name,
    open: (node) => go(nodeHref(node.name)),
    sort: { id: 'name', up: true },
    empty,
  });
  return {
    update: ({ text }) => {
      const sought = text.toLowerCase();
      const matches = (name) => (!wanted || wanted(name)) && name.toLowerCase().includes(sought);
      table.update([...fleet.nodes.values()].filter((node) => matches(node.name)));
    },
    close: () => table.close(),
  };
}

const VM_COLUMNS = [
  {
    id: 'key',
    label: 'VM',
    width: 'minmax(180px,1.6fr)',
    cell: (vm) => vmLink(vm.key, { tab: false }),
    sort: (vm) => vm.key,
  },
  {
    id: 'node',
    label: 'node',
    width: 'minmax(110px,1fr)',
    cell: (vm) => nodeLink(vm.node, { tab: false }),
    sort: (vm) => vm.node,
  },
  { id: 'waiting', label: 'waits for', width: '120px', cell: waitBadge, sort: (vm) => URGENCY.get(groupOf(vm)) },
  {
    id: 'since',
    label: 'for',
    width: '80px',
    right: true,
    cell: (vm) => (vm.waitingSince ? ago(vm.waitingSince) : nothing),
    sort: (vm) => vm.waitingSince,
  },
  {
    id: 'size',
    label: 'size',
    width: '130px',
    right: true,
    cell: (vm) => amount(vm.size),
    sort: (vm) => vm.size[0],
    first: 'down',
  },
  {
    id: 'goal',
    label: 'goal',
    width: '130px',
    right: true,
    cell: (vm) => amount(vm.goal),
    sort: (vm) => vm.goal?.[0] ?? -1,
    first: 'down',
  },
  {
    id: 'permit',
    label: 'permit',
    width: '130px',
    right: true,
    cell: (vm) => amount(vm.permit),
    sort: (vm) => vm.permit?.[0] ?? -1,
    first: 'down',
  },
  {
    id: 'max',
    label: 'maximum',
    width: '130px',
    right: true,
    cell: (vm) => amount(vm.max),
    sort: (vm) => vm.max[0],
    first: 'down',
  },
  {
    id: 'reason',
    label: 'why',
    width: 'minmax(200px,2.4fr)',
    cell: (vm) => html`<span title=${vm.reason}>${vm.reason}</span>`,
  },
];

export function vmTable(host, fleet) {
  const table = new Table(host, {
    label: 'VMs',
    columns: VM_COLUMNS,
    keyOf: (vm) => vm.key,
    open: (vm) => go(vmHref(vm.key)),
    sort: { id: 'waiting', up: true },
    empty: 'No VM matches.',
  });
  return {
    update: ({ text, group }) => {
      const sought = text.toLowerCase();
      const wanted = (vm) =>
        (!group || groupOf(vm) === group) &&
        (!sought || vm.key.toLowerCase().includes(sought) || vm.node.toLowerCase().includes(sought));
      table.update([...fleet.vms.values()].filter(wanted));
    },
    close: () => table.close(),
  };
}
