/** The words for what a VM waits for and what was decided, and the group each belongs to. */

/**
 * What VMs wait for, in groups that can be told apart by colour; the most urgent first.
 * The colour itself is the custom property `--wait-<id>`.
 */
export const GROUPS = [
  { id: 'room', label: 'short of room', hint: 'The ledger granted less than was asked: the node has no more.' },
  { id: 'trouble', label: 'trouble', hint: 'A request failed and is asked again, or a permit lapsed.' },
  { id: 'veto', label: 'vetoed', hint: 'The monitor in the guest refused to shrink.' },
  { id: 'max', label: 'at maximum', hint: 'The load asks for more than the VM may ever have.' },
  { id: 'moving', label: 'moving', hint: 'A migration is under way; nothing is granted meanwhile.' },
  { id: 'blind', label: 'unknown', hint: 'No metrics yet, or the node is not ready or its books incomplete.' },
  { id: 'working', label: 'scaling', hint: 'A permit, patch, driver or monitor is awaited.' },
  { id: 'off', label: 'not scaled', hint: 'Nobody scales it, or another runner does.' },
  { id: 'settled', label: 'settled', hint: 'It has what it asks for.' },
];

const WAITING = {
  NOTHING: ['settled', 'settled', 'has what it asks for'],
  METRICS: ['blind', 'metrics', 'no metrics yet'],
  CLAIM: ['working', 'claim', 'the runner is claiming the VM'],
  SESSION: ['working', 'session', 'no session with the ledger yet'],
  NODE: ['blind', 'node', 'the node is not ready, or its books are incomplete'],
  PERMIT: ['working', 'permit', 'the ledger was asked'],
  ROOM: ['room', 'room', 'short of room on the node'],
  RETRY: ['trouble', 'backing off', 'backing off after a failure'],
  PERMIT_LAPSED: ['trouble', 'permit lapsed', 'the permit was not put to use in time'],
  PATCH: ['working', 'patch', 'the patch is under way'],
  DRIVER: ['working', 'driver', 'the driver has not applied the size'],
  MONITOR: ['working', 'monitor', 'the monitor was asked'],
  VETO: ['veto', 'veto', 'the monitor refused to shrink'],
  MIGRATION: ['moving', 'migration', 'is being moved'],
  MAX: ['max', 'maximum', 'is at its maximum'],
  SUPERSEDED: ['off', 'superseded', 'another runner speaks for it'],
  STOPPED: ['off', 'stopped', 'its runner stopped'],
};

/** The group of one VM. A word from a newer process counts as work under way. */
export function groupOf(vm) {
  if (!vm.autoscaled) {
    return 'off';
  }
  return WAITING[vm.waiting]?.[0] ?? 'working';
}

/** One word for a badge. */
export function waitingWord(vm) {
  return vm.autoscaled ? (WAITING[vm.waiting]?.[1] ?? vm.waiting.toLowerCase()) : 'not scaled';
}

/** A sentence without its full stop. */
export function waitingSentence(vm) {
  return vm.autoscaled ? (WAITING[vm.waiting]?.[2] ?? vm.waiting.toLowerCase()) : 'nobody scales it';
}

const KINDS = {
  SCALED_UP: ['scaled up', 'up'],
  SCALED_DOWN: ['scaled down', 'down'],
  DENIED: ['denied', 'room'],
  VETOED: ['vetoed', 'veto'],
  CRIED: ['cried', 'trouble'],
  SUPERSEDED: ['superseded', 'off'],
  CONFIG_REFUSED: ['config refused', 'trouble'],
  MOVING: ['moving', 'moving'],
  MOVED: ['moved', 'moving'],
  ADOPTED: ['adopted', 'moving'],
  NOT_MOVED: ['not moved', 'trouble'],
  NOBODY_MOVES: ['nobody moves', 'trouble'],
  INCOMPLETE: ['incomplete', 'blind'],
  NOT_READY: ['not ready', 'blind'],
  GROWTH_STOPPED: ['growth stopped', 'blind'],
  UNDER_PRESSURE: ['pressure', 'veto'],
  CALM: ['calm', 'settled'],
};

/** The word for what was decided, what a VM waited for, or how a node stood. */
export function kindWord(kind) {
  return KINDS[kind]?.[0] ?? WAITING[kind]?.[1] ?? kind.toLowerCase().replaceAll('_', ' ');
}

/** The tone of its badge: the custom property `--tone-<id>`. */
export function kindTone(kind) {
  return KINDS[kind]?.[1] ?? WAITING[kind]?.[0] ?? 'off';
}

/** The decisions that can be chosen from a list, in its order. */
export const DECISION_FILTERS = [
  { id: 'up', label: 'up', kinds: ['SCALED_UP', 'CRIED'] },
  { id: 'down', label: 'down', kinds: ['SCALED_DOWN'] },
  { id: 'denied', label: 'denied', kinds: ['DENIED'] },
  { id: 'vetoed', label: 'vetoed', kinds: ['VETOED'] },
  { id: 'moves', label: 'moves', kinds: ['MOVING', 'MOVED', 'ADOPTED', 'NOT_MOVED', 'NOBODY_MOVES'] },
  { id: 'other', label: 'other', kinds: null },
];

/** The filter that a kind falls under. */
export function filterOf(kind) {
  return (DECISION_FILTERS.find((filter) => filter.kinds?.includes(kind)) ?? DECISION_FILTERS.at(-1)).id;
}
