/** The state of the whole fleet in this browser: one full state, then changes. */
import { setServerTime } from './time.js';

const DECISIONS_MAX = 300;
const BUCKET_MS = 10_000;
const BUCKETS_MAX = 60;

/** How often something happened in the last ten minutes, counted in steps of ten seconds. */
export class Rate {
  #counts = new Map();

  add(atMs) {
    const bucket = Math.floor(atMs / BUCKET_MS);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    if (this.#counts.size > BUCKETS_MAX) {
      this.#counts.delete(Math.min(...this.#counts.keys()));
    }
  }

  perMinute(nowMs) {
    return this.steps(nowMs, 6).reduce((sum, each) => sum + each, 0);
  }

  /** Returns the counts of the last steps, the newest last. */
  steps(nowMs, many) {
    const newest = Math.floor(nowMs / BUCKET_MS);
    return Array.from({ length: many }, (_, index) => this.#counts.get(newest - many + 1 + index) ?? 0);
  }
}

/** The VMs of one node, in the order of their keys; sorted again only after a VM was added or removed. */
class Residents {
  #keys = new Set();
  #sorted = null;

  add(key) {
    this.#keys.add(key);
    this.#sorted = null;
  }

  remove(key) {
    this.#keys.delete(key);
    this.#sorted = null;
  }

  get size() {
    return this.#keys.size;
  }

  get sorted() {
    this.#sorted ??= [...this.#keys].sort();
    return this.#sorted;
  }
}

const NOBODY = [];

export class Fleet {
  /** @type {Map<string, object>} */
  nodes = new Map();
  /** @type {Map<string, object>} */
  vms = new Map();
  migrations = [];
  /** The newest last; each with a number `id` of its own. */
  decisions = [];
  process = null;
  at = 0;
  denials = new Rate();
  /** Increases whenever a node or VM is added, removed or moved: the map is arranged again then. */
  structure = 0;
  /** Increases with every change. */
  version = 0;

  #residents = new Map();
  #lastDecision = { at: 0, id: 0 };

  /** Whether a full state has arrived. */
  get known() {
    return this.at > 0;
  }

  hear(name, data) {
    if (name === 'fleet') {
      this.#replace(data);
    } else if (name === 'delta') {
      this.#change(data);
    } else {
      return;
    }
    this.at = data.at;
    setServerTime(data.at);
    this.version++;
  }

  /** Keys of the VMs on a node, sorted. */
  vmsOn(node) {
    return this.#residents.get(node)?.sorted ?? NOBODY;
  }

  /** The VMs whose node is unknown. */
  strays() {
    const keys = [];
    for (const [node, residents] of this.#residents) {
      if (!this.nodes.has(node)) {
        keys.push(...residents.sorted);
      }
    }
    return keys.sort();
  }

  #replace(data) {
    this.process = data.process ?? null;
    this.nodes = new Map(data.nodes.map((node) => [node.name, node]));
    this.vms = new Map();
    this.#residents = new Map();
    data.vms.forEach((vm) => this.#place(vm));
    this.migrations = data.migrations;
    this.structure++;
    // After a reconnection the full state repeats earlier decisions.
    this.#decided(data.decisions.filter((decision) => decision.at > this.#lastDecision.at));
  }

  #change(data) {
    for (const node of data.nodes ?? []) {
      this.structure += this.nodes.has(node.name) ? 0 : 1;
      this.nodes.set(node.name, node);
    }
    for (const name of data.nodesGone ?? []) {
      this.nodes.delete(name);
      this.structure++;
    }
    (data.vms ?? []).forEach((vm) => this.#place(vm));
    (data.vmsGone ?? []).forEach((key) => this.#remove(key));
    if (data.migrations) {
      this.migrations = data.migrations;
      this.structure++;
    }
    this.#decided(data.decisions ?? []);
  }

  #place(vm) {
    const before = this.vms.get(vm.key);
    if (before?.node !== vm.node) {
      if (before) {
        this.#remove(vm.key);
      }
      if (!this.#residents.has(vm.node)) {
        this.#residents.set(vm.node, new Residents());
      }
      this.#residents.get(vm.node).add(vm.key);
      this.structure++;
    }
    this.vms.set(vm.key, vm);
  }

  #remove(key) {
    const vm = this.vms.get(key);
    if (vm) {
      const residents = this.#residents.get(vm.node);
      residents.remove(key);
      if (residents.size === 0) {
        this.#residents.delete(vm.node);
      }
      this.vms.delete(key);
      this.structure++;
    }
  }

  /** Removes an entry that has grown. */
  #forget({ since, kind, vm, node }) {
    const index = this.decisions.findLastIndex(
      (known) => known.since === since && known.kind === kind && known.vm === vm && known.node === node,
    );
    if (index >= 0) {
      this.decisions.splice(index, 1);
    }
  }

  #decided(decisions) {
    for (const decision of decisions) {
      const id = this.#lastDecision.id + 1;
      if (decision.count > 1) {
        this.#forget(decision);
      }
      this.#lastDecision = { at: Math.max(this.#lastDecision.at, decision.at), id };
      this.decisions.push({ ...decision, id });
      if (decision.kind === 'DENIED') {
        this.denials.add(decision.at);
      }
    }
    if (this.decisions.length > DECISIONS_MAX) {
      this.decisions.splice(0, this.decisions.length - DECISIONS_MAX);
    }
  }
}
