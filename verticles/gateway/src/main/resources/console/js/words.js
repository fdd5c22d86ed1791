/** The words for what a VM waits for and for decisions, and the group of each. */

/**
 * What VMs wait for, in groups with colours of their own; the most urgent first.
 * The colour itself is the custom property `--wait-<id>`.
 */
export const GROUPS = [
  { id: 'room', label: 'short of room', hint: 'The ledger granted less than was requested: the node has no more.' },
  { id: 'trouble', label: 'trouble', hint: 'A request failed and is repeated, or a permit lapsed.' },
  { id: 'denied', label: 'downscale denied', hint: 'The monitor in the guest denied the downscale.' },
  { id: 'max', label: 'at maximum', hint: 'The load needs more than the maximum of the VM.' },
  { id: 'moving', label: 'moving', hint: 'A migration is under way; nothing is granted meanwhile.' },
  { id: 'blind', label: 'unknown', hint: 'No metrics yet, or the node is not ready or its ledger is incomplete.' },
  { id: 'working', label: 'scaling', hint: 'A permit, patch, driver or monitor is awaited.' },
  { id: 'off', label: 'not scaled', hint: 'It is not scaled, or another runner serves it.' },
  { id: 'settled', label: 'at goal', hint: 'It has its goal.' },
];

const WAITING = {
  NOTHING: ['settled', 'at goal', 'has its goal'],
  METRICS: ['blind', 'metrics', 'no metrics yet'],
  CLAIM: ['working', 'claim', 'the runner is claiming the VM'],
  SESSION: ['working', 'session', 'no session with the ledger yet'],
  NODE: ['blind', 'node', 'the node is not ready, or its ledger is incomplete'],
  PERMIT: ['working', 'permit', 'waits for the reply of the ledger'],
  ROOM: ['room', 'room', 'short of room on the node'],
  RETRY: ['trouble', 'backing off', 'backing off after a failure'],
  PERMIT_LAPSED: ['trouble', 'permit lapsed', 'the permit was not used in time'],
  PATCH: ['working', 'patch', 'the patch is under way'],
  DRIVER: ['working', 'driver', 'the driver has not applied the size'],
  MONITOR: ['working', 'monitor', 'waits for the reply of the monitor'],
  DENIED_DOWNSCALE: ['denied', 'denied downscale', 'the monitor denied the downscale'],
  MIGRATION: ['moving', 'migration', 'is being moved'],
  MAX: ['max', 'maximum', 'is at its maximum'],
  SUPERSEDED: ['off', 'superseded', 'another runner serves it'],
  STOPPED: ['off', 'stopped', 'its runner stopped'],
};

/** The group of one VM. An unknown word of a newer process counts as work under way. */
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
  return vm.autoscaled ? (WAITING[vm.waiting]?.[2] ?? vm.waiting.toLowerCase()) : 'it is not scaled';
}

const KINDS = {
  SCALED_UP: ['scaled up', 'up'],
  SCALED_DOWN: ['scaled down', 'down'],
  DENIED: ['denied', 'room'],
  DOWNSCALE_DENIED: ['downscale denied', 'denied'],
  UPSCALE_REQUESTED: ['upscale requested', 'trouble'],
  SUPERSEDED: ['superseded', 'off'],
  CONFIG_REFUSED: ['config refused', 'trouble'],
  MOVING: ['moving', 'moving'],
  MOVED: ['moved', 'moving'],
  ADOPTED: ['adopted', 'moving'],
  NOT_MOVED: ['not moved', 'trouble'],
  NONE_MOVES: ['none moves', 'trouble'],
  WAITS: ['waits', 'room'],
  PLACED: ['placed', 'working'],
  NOT_PLACED: ['not placed', 'trouble'],
  INCOMPLETE: ['incomplete', 'blind'],
  NOT_READY: ['not ready', 'blind'],
  GROWTH_STOPPED: ['growth stopped', 'blind'],
  UNDER_PRESSURE: ['pressure', 'denied'],
  CALM: ['calm', 'settled'],
};

/** The word for a decision, for what a VM waited for, or for a node's state. */
export function kindWord(kind) {
  return KINDS[kind]?.[0] ?? WAITING[kind]?.[1] ?? kind.toLowerCase().replaceAll('_', ' ');
}

/** The tone of its badge: the custom property `--tone-<id>`. */
export function kindTone(kind) {
  return KINDS[kind]?.[1] ?? WAITING[kind]?.[0] ?? 'off';
}

/** The filters of the list of decisions, in their order. */
export const DECISION_FILTERS = [
  { id: 'up', label: 'up', kinds: ['SCALED_UP', 'UPSCALE_REQUESTED'] },
  { id: 'down', label: 'down', kinds: ['SCALED_DOWN'] },
  { id: 'denied', label: 'denied', kinds: ['DENIED'] },
  { id: 'denied-downscales', label: 'downscales denied', kinds: ['DOWNSCALE_DENIED'] },
  { id: 'moves', label: 'moves', kinds: ['MOVING', 'MOVED', 'ADOPTED', 'NOT_MOVED', 'NONE_MOVES'] },
  { id: 'other', label: 'other', kinds: null },
];

/** The filter that a kind falls under. */
export function filterOf(kind) {
  return (DECISION_FILTERS.find((filter) => filter.kinds?.includes(kind)) ?? DECISION_FILTERS.at(-1)).id;
}
