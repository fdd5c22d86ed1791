/** The contents of the map and their order: fleet and filters in, an arrangement with its keys out. */
import { ended, fullness } from '../summary.js';
import { groupOf } from '../words.js';
import { arrange, arrangeToFit, DENSITIES } from './layout.js';

const BY_NAME = new Intl.Collator('en', { numeric: true }).compare;
const STRAYS = '';

/**
 * @typedef {{text: string, group: string, sort: 'name'|'pressure'|'fill', density: string}} MapSettings
 * `group` fades the VMs of other groups, `density` is empty if the map chooses it.
 */

export class Plot {
  /** @param {import('../fleet.js').Fleet} fleet */
  constructor(fleet, settings, width, screenHeight) {
    this.fleet = fleet;
    this.text = settings.text.toLowerCase();
    this.group = settings.group;
    this.arrivals = arrivals(fleet);
    const nodes = this.#nodes(settings.sort);
    const density = DENSITIES.find((each) => each.id === settings.density);
    this.arrangement = density ? arrange(nodes, width, density) : arrangeToFit(nodes, width, screenHeight);
    this.cardIndex = new Map(this.arrangement.cards.map((card, index) => [card.name, index]));
  }

  /** Keys of the VMs on a card, in their order. */
  residents(card) {
    return card.name === STRAYS ? this.fleet.strays() : this.fleet.vmsOn(card.name);
  }

  /** The VM in a slot; undefined for one that is arriving, and for the head. */
  vmIn(card, slot) {
    return this.fleet.vms.get(this.residents(card)[slot]);
  }

  /** The key of the VM that will arrive in a slot. */
  arrivalIn(card, slot) {
    return this.arrivals.get(card.name)?.[slot - this.residents(card).length];
  }

  /** Whether a VM does not match the filter. */
  faded(card, vm) {
    const other = this.group && groupOf(vm) !== this.group;
    return Boolean(
      other || (this.text && !card.name.toLowerCase().includes(this.text) && !vm.key.toLowerCase().includes(this.text)),
    );
  }

  /** The place of a node or a VM; null if it is not on the map. */
  placeOf(node, key) {
    const card = this.cardIndex.get(node);
    if (card === undefined) {
      return null;
    }
    const slot = key ? this.residents(this.arrangement.cards[card]).indexOf(key) : -1;
    return key && slot < 0 ? null : { card, slot };
  }

  /** The place reserved for a VM that moves to a node. */
  arrivalPlace(node, key) {
    const card = this.cardIndex.get(node);
    const index = this.arrivals.get(node)?.indexOf(key) ?? -1;
    return card === undefined || index < 0
      ? null
      : { card, slot: this.residents(this.arrangement.cards[card]).length + index };
  }

  #nodes(sort) {
    const nodes = [...this.fleet.nodes.values()]
      .filter((node) => this.#wanted(node.name, this.fleet.vmsOn(node.name)))
      .sort(ORDERS[sort] ?? ORDERS.name)
      .map((node) => ({
        name: node.name,
        slots: this.fleet.vmsOn(node.name).length + (this.arrivals.get(node.name)?.length ?? 0),
      }));
    const strays = this.fleet.strays();
    return strays.length > 0 && this.#wanted(STRAYS, strays)
      ? [...nodes, { name: STRAYS, slots: strays.length }]
      : nodes;
  }

  #wanted(name, keys) {
    return (
      !this.text || name.toLowerCase().includes(this.text) || keys.some((key) => key.toLowerCase().includes(this.text))
    );
  }
}

const ORDERS = {
  name: (one, other) => BY_NAME(one.name, other.name),
  fill: (one, other) => fullness(other) - fullness(one) || BY_NAME(one.name, other.name),
  pressure: (one, other) =>
    other.underPressure - one.underPressure || fullness(other) - fullness(one) || BY_NAME(one.name, other.name),
};

/** Keys of the VMs that are moving to each node. */
function arrivals(fleet) {
  const byNode = new Map();
  for (const migration of fleet.migrations) {
    if (!ended(migration) && migration.to && fleet.vms.get(migration.vm)?.node !== migration.to) {
      byNode.set(migration.to, [...(byNode.get(migration.to) ?? []), migration.vm]);
    }
  }
  return byNode;
}
