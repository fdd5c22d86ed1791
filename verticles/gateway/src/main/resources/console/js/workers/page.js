/** The machines that registered themselves, and the instances on them. */
import { html, nothing, render } from '../lib.js';
import { nodeTable } from '../overview/tables.js';
import { go, vmHref } from '../router.js';
import { empty, nodeLink, vmLink } from '../ui/bits.js';
import { Table } from '../ui/table.js';
import { amount, count } from '../units.js';

/** No node of Kubernetes has a colon in its name. */
const PREFIX = 'worker:';
const COLUMNS = new Set(['name', 'state', 'vms', 'cpu', 'memory', 'held']);

const isWorker = (name) => name.startsWith(PREFIX);

const INSTANCES = [
  {
    id: 'key',
    label: 'instance',
    width: 'minmax(180px,1.6fr)',
    cell: (vm) => vmLink(vm.key, { tab: false, short: true }),
    sort: (vm) => vm.key,
  },
  {
    id: 'worker',
    label: 'worker',
    width: 'minmax(130px,1.2fr)',
    cell: (vm) => nodeLink(vm.node, { tab: false }),
    sort: (vm) => vm.node,
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
];

export class WorkersPage {
  title = 'Workers';
  #workers = null;
  #instances = null;

  constructor(host, app) {
    this.host = host;
    this.app = app;
  }

  update() {
    const fleet = this.app.fleet;
    const workers = [...fleet.nodes.keys()].filter(isWorker);
    const instances = [...fleet.vms.values()].filter((vm) => isWorker(vm.node));
    render(this.#template(fleet, workers, instances), this.host);
    if (fleet.known) {
      this.#workers ??= nodeTable(this.host.querySelector('.workers'), fleet, {
        label: 'Workers',
        wanted: isWorker,
        columns: COLUMNS,
        empty: 'No worker has registered.',
      });
      this.#workers.update({ text: '' });
      this.#instances ??= new Table(this.host.querySelector('.instances'), {
        label: 'Instances',
        columns: INSTANCES,
        keyOf: (vm) => vm.key,
        open: (vm) => go(vmHref(vm.key)),
        sort: { id: 'key', up: true },
        empty: 'No instance is on a worker.',
      });
      this.#instances.update(instances);
    }
  }

  close() {
    this.#workers?.close();
    this.#instances?.close();
  }

  #template(fleet, workers, instances) {
    const height = (rows) => `height:${Math.min(480, 46 + Math.max(2, rows.length) * 30)}px`;
    return html`<article class="detail">
      <header class="detail-head"><h1>Workers</h1>${
        fleet.known
          ? html`<span class="muted">${count(workers.length)} registered, with ${count(instances.length)} ${instances.length === 1 ? 'instance' : 'instances'}</span>`
          : nothing
      }</header>
      ${fleet.known ? nothing : empty('Loading.')}
      <section class="panel" ?hidden=${!fleet.known}><h2>Workers</h2><div class="workers" .style=${height(workers)}></div></section>
      <section class="panel" ?hidden=${!fleet.known}><h2>Instances on workers</h2><div class="instances" .style=${height(instances)}></div>
        <p class="small muted">An instance that waits for a worker is among the <a href="#/pods">pods</a>.</p></section>
    </article>`;
  }
}
