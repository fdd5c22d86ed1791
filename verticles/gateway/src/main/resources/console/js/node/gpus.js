/** The GPUs of a node, and which pod has which share of each. */
import { html, nothing } from '../lib.js';
import { badge, meter } from '../ui/bits.js';
import { bytes, ofWhole } from '../units.js';
import { named } from './reservations.js';

const ALLOCATORS = {
  shared: 'The ledger allocates shares of them.',
  hami: 'The ledger allocates shares of them, and the device plugin of HAMi gives them.',
  whole: 'The kubelet allocates whole devices; the ledger counts them together.',
  dra: 'Dynamic resource allocation allocates them.',
};

function title(device) {
  const zone = device.zone === null || device.zone === undefined ? '' : `, NUMA zone ${device.zone}`;
  return `${device.uuid}${zone}`;
}

function share(each) {
  return html`<li>${named(each, { tab: true })} <span class="muted">${bytes(each.memory)}, ${each.core} %</span>
    ${each.held ? badge('off', 'held', 'It is held, and not bound yet.') : nothing}</li>`;
}

/** @param {{mode: string, devices: any[]}} gpus as the API replies */
export function gpuTable({ mode, devices }) {
  return html`<section class="panel gpus" aria-label="GPUs"><h2>GPUs</h2>
    <p class="muted">${ALLOCATORS[mode]}</p>
    <table class="facts">
      <tr><th></th><th scope="col" class="right">memory</th><th scope="col" class="right">compute</th><th scope="col">shares</th></tr>
      ${devices.map(
        (device) => html`<tr>
        <th scope="row" title=${title(device)}>${device.minor} ${device.model}
          ${device.healthy ? nothing : badge('blind', 'unhealthy', 'Nothing new runs on it.')}</th>
        <td class="num">${meter(device.memoryReserved, device.memory)} ${ofWhole(1, device.memoryReserved, device.memory)}</td>
        <td class="num">${meter(device.coreReserved, device.core)} ${device.coreReserved} of ${device.core} %</td>
        <td>${device.shares.length ? html`<ul class="plain-list">${device.shares.map(share)}</ul>` : html`<span class="faint">none</span>`}</td>
      </tr>`,
      )}
    </table></section>`;
}
