/** The fleet in a few numbers. */
import { GROUPS, groupOf } from './words.js';

/** How full a node is, in its fuller kind: reserved and asked for and refused, by what it has. */
export function fullness(node) {
  return Math.max(
    ...[0, 1].map((kind) =>
      node.total[kind] > 0 ? (node.reserved[kind] + node.capacityPressure[kind]) / node.total[kind] : 0,
    ),
  );
}

/** What is wrong with a node, in a word for a badge and the tone of it; null where nothing is. */
export function nodeState(node) {
  if (node.broken > 0) {
    return {
      word: `${node.broken} broken`,
      tone: 'room',
      hint: 'Its books are inconsistent: a defect of the program.',
    };
  }
  if (!node.complete) {
    return { word: 'incomplete', tone: 'off', hint: 'Not all that it holds is known yet; nothing is granted there.' };
  }
  if (node.readiness !== 'READY') {
    const growth = node.readiness === 'GROWTH_STOPPED' ? ' No VM there is granted growth.' : '';
    return { word: 'not ready', tone: 'off', hint: `Nothing new is held there, and nobody is moved away.${growth}` };
  }
  if (node.underPressure) {
    return { word: 'pressure', tone: 'veto', hint: 'VMs should leave it.' };
  }
  return null;
}

export function ended(migration) {
  return migration.phase === 'SUCCEEDED' || migration.phase === 'FAILED';
}

/** Sums over all nodes and VMs. Looks at each of them once: twenty thousand take about a millisecond. */
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
