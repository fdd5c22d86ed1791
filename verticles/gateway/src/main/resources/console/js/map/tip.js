/** The card with the details of the item at the pointer or the cursor. */
import { html, nothing, render } from '../lib.js';
import { amount, bytes, cpu, percent } from '../units.js';
import { duration, serverNow } from '../time.js';
import { nodeState } from '../summary.js';
import { stateBadge, waitBadge } from '../ui/bits.js';
import { waitingSentence } from '../words.js';

const KINDS = [
  ['CPU', cpu],
  ['memory', bytes],
];

function vmTip(vm) {
  return html`
    <div class="tip-head"><b>${vm.key}</b>${waitBadge(vm)}</div>
    <table class="mini">
      <tr><th></th><th>size</th><th>goal</th><th>permit</th><th>max</th></tr>
      ${KINDS.map(
        ([name, text], kind) => html`
        <tr><th>${name}</th>${[vm.size, vm.goal, vm.permit, vm.max].map((pair) => html`<td>${text(pair?.[kind])}</td>`)}</tr>`,
      )}
    </table>
    <p>${waitingSentence(vm)}${vm.waitingSince ? html`, for ${duration(serverNow() - vm.waitingSince)}` : nothing}</p>
    ${vm.reason ? html`<p class="muted">${vm.reason}</p>` : nothing}`;
}

function nodeTip(node, vmCount) {
  const state = nodeState(node);
  const rows = [
    ['reserved', 'reserved'],
    ['of it held', 'held'],
    ['of it buffer', 'buffer'],
    ['watermark', 'watermark'],
    ['requested and refused', 'capacityPressure'],
    ['leaving', 'accountedPressure'],
    ['total', 'total'],
  ];
  return html`
    <div class="tip-head"><b>${node.name}</b>${stateBadge(node)}</div>
    <table class="mini">
      <tr><th>${vmCount} ${vmCount === 1 ? 'VM' : 'VMs'}</th><th>CPU</th><th></th><th>memory</th><th></th></tr>
      ${rows.map(
        ([label, field]) => html`
        <tr><th>${label}</th>${KINDS.map(
          ([, text], kind) => html`
          <td>${text(node[field][kind])}</td><td class="faint">${percent(node[field][kind], node.total[kind])}</td>`,
        )}</tr>`,
      )}
    </table>
    ${state ? html`<p class="muted">${state.hint}</p>` : nothing}`;
}

/** The same in one sentence, for screen readers. */
export function spoken(plot, place) {
  const card = plot.arrangement.cards[place.card];
  const node = plot.fleet.nodes.get(card.name);
  const vm = place.slot < 0 ? null : plot.vmIn(card, place.slot);
  if (vm) {
    const sizes = `size ${amount(vm.size)}, goal ${amount(vm.goal)}, maximum ${amount(vm.max)}`;
    return `VM ${vm.key} on ${vm.node || 'no node'}: ${sizes}; ${waitingSentence(vm)}`;
  }
  if (place.slot >= 0) {
    return `VM ${plot.arrivalIn(card, place.slot)} is moving to ${card.name}`;
  }
  if (!node) {
    return 'VMs on no known node';
  }
  const state = nodeState(node);
  const parts = [0, 1].map((kind) => `${KINDS[kind][0]} ${percent(node.reserved[kind], node.total[kind])} reserved`);
  return `Node ${node.name}, ${plot.residents(card).length} VMs: ${parts.join(', ')}${state ? `; ${state.word}: ${state.hint}` : ''}`;
}

export class Tip {
  constructor(element) {
    this.element = element;
  }

  /** @param {{x: number, y: number, width: number, height: number}} box of the item, on the screen */
  show(plot, place, box) {
    const card = plot.arrangement.cards[place.card];
    const vm = place.slot < 0 ? null : plot.vmIn(card, place.slot);
    const node = plot.fleet.nodes.get(card.name);
    if (!vm && (place.slot >= 0 || !node)) {
      this.hide();
      return;
    }
    render(vm ? vmTip(vm) : nodeTip(node, plot.residents(card).length), this.element);
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.min(innerWidth - width - 8, Math.max(8, box.x));
    const below = box.y + box.height + 8;
    const top = below + height < innerHeight ? below : Math.max(8, box.y - height - 8);
    this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  hide() {
    this.element.hidden = true;
  }
}
