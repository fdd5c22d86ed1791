/** The meaning of the colours, with the number of VMs for each; a click keeps one and fades the others. */
import { html } from '../lib.js';
import { count } from '../units.js';
import { GROUPS } from '../words.js';

export function legend(groups, chosen, choose) {
  // As wide as the largest count can be: the layout does not shift while the counts change.
  const digits = String([...groups.values()].reduce((sum, each) => sum + each, 0)).length;
  return html`<div class="legend" role="group" aria-label="VMs by what they wait for" .style=${`--digits:${digits}`}>
    ${GROUPS.map(
      (group) => html`
      <button type="button" class="legend-item" aria-pressed=${group.id === chosen} title=${group.hint}
          ?data-none=${!groups.get(group.id)} @click=${() => choose(group.id === chosen ? '' : group.id)}>
        <i class="swatch" data-group=${group.id} aria-hidden="true"></i>${group.label}
        <span class="num">${count(groups.get(group.id) ?? 0)}</span>
      </button>`,
    )}
  </div>`;
}

/** The parts of a bar and of a tile. */
export function reading() {
  const bars = [
    ['bar', 'reserved'],
    ['over', 'above the watermark'],
    ['buffer', 'buffer: may be in use'],
    ['held', 'held'],
    ['refused', 'requested and refused'],
    ['leaving', 'leaving'],
    ['mark', 'watermark'],
  ];
  const tiles = [
    ['size', 'size within its maximum'],
    ['goal', 'goal'],
    ['permit', 'permit above size'],
  ];
  const item = ([id, label]) => html`<span><i class="key" data-key=${id} aria-hidden="true"></i>${label}</span>`;
  return html`<div class="reading"><p><b>node</b>${bars.map(item)}</p><p><b>VM</b>${tiles.map(item)}</p></div>`;
}
