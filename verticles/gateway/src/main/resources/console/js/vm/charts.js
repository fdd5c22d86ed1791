/** A VM's size against its demand, over time. */
import { chartLibrary } from '../lib.js';
import { onTheme } from '../theme.js';
import { clock, serverNow } from '../time.js';
import { bytes, cpu } from '../units.js';

const MINUTE_MS = 60_000;
const TICK_STEPS_MIN = [1 / 6, 1 / 4, 1 / 2, 1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1440];
const TICKS_MAX = 7;

/** The selectable spans, in minutes: the process keeps finer steps of the shorter ones. */
export const SPANS = [
  ['10', '10 min'],
  ['60', '1 h'],
  ['180', '3 h'],
  ['1440', '24 h'],
];

const KINDS = [
  {
    id: 'cpu',
    label: 'CPU',
    text: cpu,
    demand: 'load, 1 minute',
    series: { size: 'cpuSize', goal: 'cpuGoal', demand: 'load1' },
    demandScale: 1000,
  },
  {
    id: 'memory',
    label: 'Memory',
    text: bytes,
    demand: 'in use',
    series: { size: 'memSize', goal: 'memGoal', demand: 'usage' },
    demandScale: 1,
  },
];

/** The lines of one chart as points; the last sample is extended to now, with the present size and goal. */
export function pointsOf(history, kind, vm, nowMs) {
  const { series, demandScale } = KINDS[kind];
  const line = (name, scale, last) => {
    const points = history.at.map((x, index) => ({
      x,
      y: history[name][index] === null ? null : history[name][index] * scale,
    }));
    if (last !== undefined && last !== null) {
      points.push({ x: nowMs, y: last });
    }
    return points;
  };
  return {
    size: line(series.size, 1, vm.size?.[kind]),
    goal: line(series.goal, 1, vm.goal?.[kind]),
    demand: line(series.demand, demandScale),
  };
}

/** Round steps of binary units, so that an axis shows 4 GiB and not 3.73. */
export function niceStep(most, kind, many = 5) {
  const unit = kind === 1 ? 2 ** (10 * Math.max(0, Math.floor(Math.log2(Math.max(1, most / many)) / 10))) : 1;
  const rough = most / many / unit;
  if (kind === 1) {
    return 2 ** Math.ceil(Math.log2(Math.max(rough, 1))) * unit;
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  return [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) * power;
}

function colours() {
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement('span');
  document.body.append(probe);
  const read = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const known = Object.fromEntries(
    [
      'ink',
      'muted',
      'faint',
      'line',
      'panel',
      'series-size',
      'series-area',
      'series-goal',
      'series-demand',
      'series-bound',
    ].map((name) => [name, read(name)]),
  );
  probe.remove();
  return { ...known, font: style.getPropertyValue('--font') };
}

export class Charts {
  #charts = [];
  #data = null;
  #spanMin = 60;

  /** @param {HTMLCanvasElement[]} canvases one for CPU, one for memory */
  constructor(canvases) {
    this.canvases = canvases;
    this.closed = false;
    this.offTheme = onTheme(() => this.#make());
    chartLibrary().then((Chart) => {
      this.Chart = Chart;
      this.#make();
    });
  }

  /** @param {{history: object, bounds: object, vm: object}} data */
  update(data, spanMin) {
    this.#data = data;
    this.#spanMin = spanMin;
    if (this.#charts.length > 0) {
      this.#charts.forEach((chart, kind) => this.#fill(chart, kind));
    } else {
      this.#make();
    }
  }

  close() {
    this.closed = true;
    this.offTheme();
    this.#charts.forEach((chart) => chart.destroy());
  }

  #make() {
    if (!this.Chart || !this.#data || this.closed) {
      return;
    }
    this.#charts.forEach((chart) => chart.destroy());
    const palette = colours();
    this.#charts = this.canvases.map((canvas, kind) => new this.Chart(canvas, this.#settings(kind, palette)));
    this.#charts.forEach((chart, kind) => this.#fill(chart, kind));
  }

  #fill(chart, kind) {
    const { history, bounds, vm } = this.#data;
    const nowMs = serverNow();
    // For a young VM the chart spans only its history.
    const born = history.at.find((_, index) => history.cpuSize[index] !== null) ?? nowMs;
    const span = Math.min(nowMs - MINUTE_MS, Math.max(born, nowMs - this.#spanMin * MINUTE_MS));
    const points = pointsOf(history, kind, vm, nowMs);
    const level = (y) => [
      { x: span, y },
      { x: nowMs, y },
    ];
    const [size, goal, demand, most, least] = chart.data.datasets;
    size.data = points.size;
    goal.data = points.goal;
    demand.data = points.demand;
    most.data = bounds ? level(bounds.max[kind]) : [];
    least.data = bounds ? level(bounds.min[kind]) : [];
    const shown = (line) => line.filter((point) => point.x >= span);
    const top = Math.max(
      1,
      bounds?.max[kind] ?? 0,
      ...[...shown(points.size), ...shown(points.demand)].map((point) => point.y ?? 0),
    );
    Object.assign(chart.options.scales.x, { min: span, max: nowMs });
    Object.assign(chart.options.scales.y, { min: 0, max: top * 1.04 });
    chart.update('none');
    this.canvases[kind].setAttribute('aria-label', summary(KINDS[kind], shown(points.size), shown(points.demand)));
  }

  #settings(kind, palette) {
    const { label, text, demand } = KINDS[kind];
    const plain = { pointRadius: 0, pointHitRadius: 0, borderWidth: 1.5, spanGaps: false };
    const bound = { ...plain, borderWidth: 1, borderColor: palette['series-bound'], borderDash: [2, 4] };
    const datasets = [
      {
        ...plain,
        label: 'size',
        stepped: 'before',
        fill: 'origin',
        borderColor: palette['series-size'],
        backgroundColor: palette['series-area'],
        borderWidth: 2,
        order: 3,
      },
      { ...plain, label: 'goal', stepped: 'before', borderColor: palette['series-goal'], borderDash: [5, 3], order: 2 },
      { ...plain, label: demand, borderColor: palette['series-demand'], order: 1 },
      { ...bound, label: 'maximum', order: 4 },
      { ...bound, label: 'minimum', order: 5 },
    ];
    const ticks = { color: palette.muted, font: { size: 11, family: palette.font } };
    return {
      type: 'line',
      data: { datasets },
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        responsive: true,
        maintainAspectRatio: false,
        interaction: { mode: 'nearest', axis: 'x', intersect: false },
        scales: {
          x: {
            type: 'linear',
            grid: { color: palette.line },
            border: { display: false },
            ticks: {
              ...ticks,
              maxRotation: 0,
              callback: (at) => (at % MINUTE_MS === 0 ? clock(at).slice(0, 5) : clock(at)),
            },
            afterBuildTicks: timeTicks,
          },
          y: {
            type: 'linear',
            grid: { color: palette.line },
            border: { display: false },
            afterFit: (axis) => (axis.width = 64),
            ticks: { ...ticks, callback: (value) => text(value) },
            afterBuildTicks: (axis) => roundTicks(axis, kind),
          },
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            backgroundColor: palette.panel,
            borderColor: palette.line,
            borderWidth: 1,
            titleColor: palette.ink,
            bodyColor: palette.ink,
            padding: 8,
            boxWidth: 8,
            boxHeight: 8,
            titleFont: { family: palette.font },
            bodyFont: { family: palette.font },
            filter: (item, _, all) =>
              all.findIndex((each) => each.datasetIndex === item.datasetIndex) === all.indexOf(item),
            callbacks: {
              title: ([item]) => (item ? `${label} at ${clock(item.parsed.x)}` : ''),
              label: (item) => `${item.dataset.label}: ${text(item.parsed.y)}`,
            },
          },
        },
      },
    };
  }
}

function roundTicks(axis, kind) {
  const step = niceStep(axis.max, kind);
  axis.ticks = Array.from({ length: Math.floor(axis.max / step) + 1 }, (_, index) => ({ value: index * step }));
}

function timeTicks(axis) {
  const minutes = (axis.max - axis.min) / MINUTE_MS;
  const stepMs = (TICK_STEPS_MIN.find((step) => minutes / step <= TICKS_MAX) ?? 1440) * MINUTE_MS;
  const zoneMs = new Date(axis.max).getTimezoneOffset() * MINUTE_MS;
  const ticks = [];
  for (let at = Math.ceil((axis.min - zoneMs) / stepMs) * stepMs + zoneMs; at <= axis.max; at += stepMs) {
    ticks.push({ value: at });
  }
  axis.ticks = ticks;
}

function summary({ label, text, demand }, size, used) {
  const values = size.map((point) => point.y).filter((value) => value !== null);
  const last = used.findLast((point) => point.y !== null);
  if (values.length === 0) {
    return `${label}: no data yet`;
  }
  const range = `size between ${text(Math.min(...values))} and ${text(Math.max(...values))}, now ${text(values.at(-1))}`;
  return `${label}: ${range}${last ? `; ${demand} ${text(last.y)}` : ''}`;
}
