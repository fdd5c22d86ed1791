/** A VM's numbers: its size, the demands behind its goal, and its reservation. */
import { html, nothing } from '../lib.js';
import { meter } from '../ui/bits.js';
import { amount, bytes, cpu, number } from '../units.js';

const KINDS = [
  ['CPU', cpu],
  ['memory', bytes],
];

function row(label, pair, note = nothing) {
  const cells = KINDS.map(([, text], kind) => html`<td class="num">${text(pair?.[kind])}</td>`);
  return html`<tr><th scope="row">${label}</th>${cells}<td class="note">${note}</td></tr>`;
}

/** Size, goal, permit and bounds, each in both kinds. */
export function amounts(vm, bounds) {
  const differs = (one, other) => one && other && (one[0] !== other[0] || one[1] !== other[1]);
  return html`<table class="facts" aria-label="Amounts">
    <tr><th></th><th scope="col" class="right">CPU</th><th scope="col" class="right">memory</th><th></th></tr>
    ${row('size', vm.size)}
    ${differs(vm.shown, vm.size) ? row('in use by its driver', vm.shown, 'not applied yet') : nothing}
    ${row('goal', vm.goal, vm.goal ? nothing : 'its load is unknown')}
    ${row('permit', vm.permit, differs(vm.permit, vm.size) ? 'differs from its size' : nothing)}
    ${bounds ? row('minimum', bounds.min) : nothing}
    ${row('maximum', bounds?.max ?? vm.max)}
  </table>`;
}

/** The compute units that each signal demands. */
export function basis(numbers, unit) {
  if (!numbers) {
    return nothing;
  }
  const load = (value) => (value === null || value === undefined ? '\u2013' : number(value, 2));
  const parts = [
    ['CPU', numbers.cpuCu, `load ${load(numbers.load1)}, over 5 min ${load(numbers.load5)}`],
    ['memory', numbers.memoryCu, `${bytes(numbers.usageBytes)} in use`],
    ['working set', numbers.lfcCu, 'of its file cache'],
    ['upscale request', numbers.requestedCu || null, 'requested by the monitor'],
    ['denied', numbers.deniedCu || null, 'the monitor denied less'],
  ].filter(([, value]) => value !== null && value !== undefined);
  const most = Math.max(1, numbers.goalCu ?? 0, ...parts.map(([, value]) => value));
  const line = ([label, value, note], tone = '') => html`<tr>
    <th scope="row">${label}</th><td class="num">${number(value, 2)}</td><td>${meter(value, most, tone)}</td><td class="note">${note}</td>
  </tr>`;
  return html`<section class="panel"><h2>Goal, in compute units</h2>
    <table class="facts">
      ${parts.map((part) => line(part))}
      ${numbers.goalCu ? line(['goal', numbers.goalCu, 'before its bounds'], 'goal') : nothing}
    </table>
    ${unit ? html`<p class="muted small">A compute unit is ${amount(unit)}.</p>` : nothing}
    ${parts.length === 0 ? html`<p class="empty">There are no metrics for a goal.</p>` : nothing}
  </section>`;
}

const TRAITS = [
  ['autoscaled', 'scaled by an agent'],
  ['migratable', 'may be moved'],
  ['alwaysMigrate', 'is moved whenever possible'],
  ['held', 'only held'],
  ['migrationTarget', 'the target of a migration'],
];

/** The VM's reservation in the ledger. */
export function inLedger(reservation) {
  if (!reservation) {
    return html`<section class="panel"><h2>In the ledger</h2><p class="empty">The ledger has no reservation for it.</p></section>`;
  }
  const traits = { ...(reservation.traits ?? {}), ...reservation };
  const flags = [
    ...TRAITS.filter(([field]) => traits[field]).map(([, text]) => text),
    ...(reservation.migrating ? ['is moving away'] : []),
    ...(reservation.recovered ? ['recovered after a loss of ledger state, at its maximum'] : []),
  ];
  return html`<section class="panel"><h2>In the ledger</h2>
    <table class="facts">
      <tr><th></th><th scope="col" class="right">CPU</th><th scope="col" class="right">memory</th><th></th></tr>
      ${row('reserved', reservation.reserved)}
      ${traits.charge ? row('charged', traits.charge, 'after overcommit') : nothing}
      ${row('requested', reservation.requested, 'by its last request')}
      ${row('refused', reservation.pressure)}
      ${row('buffer', reservation.buffer, 'may be in use')}
    </table>
    <p class="muted small">${flags.length ? flags.join(' \u00b7 ') : 'no flags'}</p>
    <p class="muted small num">session ${reservation.session}, request ${reservation.seq}</p>
  </section>`;
}

/** The errors in its annotations. */
export function complaints(detail) {
  const words = detail?.complaints ?? [];
  if (words.length === 0) {
    return nothing;
  }
  return html`<section class="notice complaints" role="alert">
    <p>${words.length === 1 ? 'An annotation of it is invalid' : `${words.length} annotations of it are invalid`}:</p>
    <ul>${words.map((each) => html`<li>${each}</li>`)}</ul>
  </section>`;
}

/** The VM's identifiers. */
export function identity(vm, detail) {
  const items = [
    ['driver', detail?.driver],
    ['pod', detail?.podName],
    ['uid', vm.uid],
    ['phase', vm.phase],
    ['fence', detail?.fence],
    ['endpoint', detail?.endpointId],
    ['project', detail?.projectId],
    ['restarts', detail?.restarts || null],
    ['overlay address', detail?.extraIp],
    ['metrics at', detail?.metricsAt],
    ['file cache at', detail?.fileCacheAt],
    ['monitor at', detail?.monitorAt],
  ];
  return html`<section class="panel"><h2>Identity</h2>
    <dl class="pairs">${items
      .filter(([, value]) => value)
      .map(([label, value]) => html`<dt>${label}</dt><dd class="mono">${value}</dd>`)}</dl>
    <p class="muted small">${vm.migratable ? 'It may be moved to another node.' : 'It is not moved to another node.'}</p>
  </section>`;
}
