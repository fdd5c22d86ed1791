/** What was billed of a VM in the last 24 hours, by the hour, beside the size that it had. */
import { html, nothing } from '../lib.js';
import { clock, duration } from '../time.js';
import { meter } from '../ui/bits.js';
import { count, cpu, number } from '../units.js';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const GAPS = [
  ['restartMs', 'no process billed it'],
  ['watchMs', 'its changes were not received'],
];

const hourOf = (atMs) => Math.floor(atMs / HOUR_MS) * HOUR_MS;
const minute = (atMs) => clock(atMs).slice(0, 5);
const seconds = (ms) => `${number(ms / 1000, 1)} s`;
const sum = (rows, field) => rows.reduce((all, row) => all + row[field], 0);

/** The mean size of each hour, in thousandths of a core, over the time of which the history has a size. */
export function meanSizes(history, nowMs) {
  const sums = new Map();
  history.at.forEach((from, index) => {
    const size = history.cpuSize[index];
    const until = history.at[index + 1] ?? nowMs;
    for (let at = from; size !== null && at < until; ) {
      const end = Math.min(until, hourOf(at) + HOUR_MS);
      const [area, ms] = sums.get(hourOf(at)) ?? [0, 0];
      sums.set(hourOf(at), [area + size * (end - at), ms + end - at]);
      at = end;
    }
  });
  return new Map([...sums].map(([at, [area, ms]]) => [at, area / ms]));
}

/** The hours of which the bill is known, the newest first; one without use has zeros. */
export function hoursOf(bill, nowMs) {
  const billed = new Map(bill.hours.map((hour) => [hour.at, hour]));
  const least = Math.max(hourOf(nowMs) - (HOURS - 1) * HOUR_MS, Math.min(hourOf(bill.since), ...billed.keys()));
  const rows = [];
  for (let at = hourOf(nowMs); at >= least; at -= HOUR_MS) {
    rows.push({ at, computeSeconds: 0, activeSeconds: 0, restartMs: 0, watchMs: 0, ...billed.get(at) });
  }
  return rows;
}

function gap(row) {
  const causes = GAPS.filter(([field]) => row[field] > 0).map(([field, why]) => `${seconds(row[field])}: ${why}`);
  return causes.length ? causes.join('; ') : nothing;
}

function line(row, most, size) {
  return html`<tr>
    <th scope="row" class="num">${minute(row.at)}</th>
    <td class="num">${count(row.computeSeconds)}</td>
    <td>${meter(row.computeSeconds, most)}</td>
    <td class="num">${duration(row.activeSeconds * 1000)}</td>
    <td class="num">${cpu(size === undefined ? null : Math.round(size))}</td>
    <td class="note">${gap(row)}</td>
  </tr>`;
}

function table(rows, sizes) {
  const most = Math.max(1, ...rows.map((row) => row.computeSeconds));
  const head = (text) => html`<th scope="col" class="right">${text}</th>`;
  return html`<div class="bill-hours" role="region" tabindex="0" aria-label="Bill by the hour">
    <table class="facts">
      <tr><th scope="col">hour</th>${head('vCPU-seconds')}<th></th>${head('in use')}${head('mean size')}
        <th scope="col" class="note">not billed</th></tr>
      ${rows.map((row) => line(row, most, sizes.get(row.at)))}
    </table>
  </div>`;
}

function total(rows) {
  const compute = sum(rows, 'computeSeconds');
  const lost = sum(rows, 'restartMs') + sum(rows, 'watchMs');
  return html`<p class="bill-sum"><b class="num">${count(compute)}</b> vCPU-seconds
    <span class="muted num">(${number(compute / 3600, compute < 3600 ? 4 : 2)} vCPU-hours)</span>,
    <b class="num">${duration(sum(rows, 'activeSeconds') * 1000)}</b> in use,
    ${lost ? html`<b class="num">${seconds(lost)}</b> not billed` : 'no gap'}</p>`;
}

/** The annotation by which a VM of each driver is billed. */
const BILLED_BY = { pod: 'autoscaling.sluice.io/billing-endpoint-id', neonvm: 'autoscaling.neon.tech/billing-endpoint-id' };

function unbilled(vm) {
  return !vm || vm.billed || !BILLED_BY[vm.driver] ? nothing : html` It has no annotation <code>${BILLED_BY[vm.driver]}</code>.`;
}

function content(bill, history, vm, nowMs) {
  if (!bill.known) {
    return html`<p class="empty">It is unknown: ${bill.reason}.</p>`;
  }
  if (bill.hours.length === 0) {
    return html`<p class="empty">Nothing was billed.${unbilled(vm)}</p>`;
  }
  const rows = hoursOf(bill, nowMs);
  return html`${total(rows)}${table(rows, history ? meanSizes(history, nowMs) : new Map())}`;
}

/**
 * The bill's panel; nothing before the first reply.
 *
 * @param {object | null} bill
 * @param {object | undefined} history of the VM's chart; a VM that is gone has none
 * @param {object | undefined} vm with its driver, and whether it is billed now; none of a VM that is gone
 */
export function billPanel(bill, history, vm, nowMs) {
  if (!bill) {
    return nothing;
  }
  const late = bill.known && bill.since > hourOf(nowMs) - (HOURS - 1) * HOUR_MS;
  return html`<section class="panel bill" aria-label="Bill">
    <header><h2>Bill, last ${HOURS} hours</h2>
      ${vm?.driver ? html`<span class="muted small">driver <span class="mono">${vm.driver}</span></span>` : nothing}
      ${late ? html`<span class="muted small">since ${minute(bill.since)}, when the process that leads billing began</span>` : nothing}
    </header>
    ${content(bill, history, vm, nowMs)}
  </section>`;
}
