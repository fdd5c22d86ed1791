/** The fleet in one line. */
import { html, nothing } from '../lib.js';
import { sparkline } from '../ui/bits.js';
import { count, ofWhole, percent } from '../units.js';

/** Its label has the browser report when the fleet was painted first (`PerformanceElementTiming`). */
function cell(label, value, rest, tone = '') {
  return html`<div class="cell" data-tone=${tone}>
    <dt elementtiming="sluice-fleet">${label}</dt>
    <dd><span class="big num">${value}</span> <span class="rest">${rest}</span></dd>
  </div>`;
}

/** All nodes together: reserved, and the watermark as a line. */
function bar(sums, kind) {
  const total = Math.max(1, sums.total[kind], sums.reserved[kind]);
  const share = (value) => `${((value / total) * 100).toFixed(2)}%`;
  return html`<span class="strip-bar" aria-hidden="true">
    <span class="fill" .style=${`width:${share(sums.reserved[kind])}`}></span>
    <span class="mark" .style=${`left:${share(sums.watermark[kind])}`}></span>
  </span>`;
}

function pressureNote(sums) {
  const parts = [];
  if (sums.incomplete) {
    parts.push(`${count(sums.incomplete)} incomplete`);
  }
  if (sums.broken) {
    parts.push(`${count(sums.broken)} broken`);
  }
  return parts.length ? parts.join(', ') : nothing;
}

function kindCell(sums, kind, label) {
  return html`<div class="cell wide">
    <dt>${label} reserved</dt>
    <dd>
      <span class="big num">${percent(sums.reserved[kind], sums.total[kind])}</span>
      <span class="rest num">${ofWhole(kind, sums.reserved[kind], sums.total[kind])}</span>
      ${bar(sums, kind)}
    </dd>
  </div>`;
}

export function strip(sums) {
  const waiting = sums.vms - sums.groups.get('settled') - sums.groups.get('off');
  const pressed = sums.underPressure;
  return html`<dl class="strip" aria-label="The fleet">
    ${cell('nodes', count(sums.nodes), pressureNote(sums))}
    ${cell('under pressure', count(pressed), pressed ? `of ${count(sums.nodes)}` : nothing, pressed ? 'denied' : '')}
    ${cell('VMs', count(sums.vms), html`${count(waiting)} waiting`)}
    ${cell('migrations', count(sums.moving), sums.moving ? 'under way' : nothing, sums.moving ? 'moving' : '')}
    ${kindCell(sums, 0, 'CPU')}
    ${kindCell(sums, 1, 'memory')}
    <div class="cell wide" data-tone=${sums.denialsPerMinute ? 'room' : ''}>
      <dt>denials a minute</dt>
      <dd><span class="big num">${count(sums.denialsPerMinute)}</span>
        ${sparkline(sums.denialSteps, 'Denials in the last ten minutes')}</dd>
    </div>
  </dl>`;
}
