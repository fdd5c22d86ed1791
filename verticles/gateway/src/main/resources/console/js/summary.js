/** The fleet in a few numbers. */
import { GROUPS, groupOf } from './words.js';

/** How full a node is, in its fuller kind: reserved plus requested and refused, divided by its total. */
export function fullness(node) {
  return Math.max(
    ...[0, 1].map((kind) =>
      node.total[kind] > 0 ? (node.reserved[kind] + node.capacityPressure[kind]) / node.total[kind] : 0,
    ),
  );
}

/** The problem of a node, as a badge's word, tone and hint; null if there is none. */
export function nodeState(node) {
  if (node.broken > 0) {
    return {
      word: `${node.broken} broken`,
      tone: 'room',
      hint: 'Its ledger is inconsistent: an error of the program.',
    };
  }
  if (!node.complete) {
    return { word: 'incomplete', tone: 'off', hint: 'No full list of its pods has arrived yet; nothing is granted there.' };
  }
  if (node.readiness !== 'READY') {
    const growth = node.readiness === 'GROWTH_STOPPED' ? ' No VM there is granted growth.' : '';
    return { word: 'not ready', tone: 'off', hint: `Nothing new is held there, and no VM is moved away.${growth}` };
  }
  if (node.underPressure) {
    return { word: 'pressure', tone: 'denied', hint: 'VMs should leave it.' };
  }
  return null;
}

export function ended(migration) {
  return migration.phase === 'SUCCEEDED' || migration.phase === 'FAILED';
}

/** Sums over all nodes and VMs, in one pass: twenty thousand take about a millisecond. */
export function summarise(fleet, nowMs) {
  const sums = { total: [0, 0], reserved: [0, 0], watermark: [0, 0] };
  let underPressure = 0;
  let incomplete = 0;
  let broken = 0;
  for (const node of fleet.nodes.values()) {
    for (const [name, sum] of Object.entries(sums)) {
      sum[0] += node[name][0];
      sum[1] += node[name][1];
    }
    underPressure += node.underPressure ? 1 : 0;
    incomplete += node.complete ? 0 : 1;
    broken += node.broken > 0 ? 1 : 0;
  }
  const groups = new Map(GROUPS.map((group) => [group.id, 0]));
  for (const vm of fleet.vms.values()) {
    const group = groupOf(vm);
    groups.set(group, groups.get(group) + 1);
  }
  return {
    ...sums,
    nodes: fleet.nodes.size,
    vms: fleet.vms.size,
    underPressure,
    incomplete,
    broken,
    groups,
    moving: fleet.migrations.filter((migration) => !ended(migration)).length,
    denialsPerMinute: fleet.denials.perMinute(nowMs),
    denialSteps: fleet.denials.steps(nowMs, 60),
  };
}
