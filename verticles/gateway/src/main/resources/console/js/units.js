/** Amounts in readable units: 250m, 1.5 cores, 4 GiB. */

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const NARROW_SPACE = '\u202f';

/** At most `digits` decimals, no trailing zeros, thousands separated. */
export function number(value, digits = 2) {
  if (!Number.isFinite(value)) {
    return '\u2013';
  }
  const [whole, part] = Math.abs(value).toFixed(digits).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE) : whole;
  const decimals = (part ?? '').replace(/0+$/, '');
  const sign = value < 0 && (Number(whole) > 0 || decimals) ? '\u2212' : '';
  return sign + grouped + (decimals ? '.' + decimals : '');
}

/** Thousandths of a core; below one core with `m`, as in Kubernetes. */
export function cpu(milli) {
  if (milli === null || milli === undefined) {
    return '\u2013';
  }
  const size = Math.abs(milli);
  return size > 0 && size < 1000 ? number(milli, 0) + 'm' : number(milli / 1000, size < 10_000 ? 2 : 1);
}

/** As {@link cpu}, with the word if it is a number alone. */
function cores(milli) {
  const text = cpu(milli);
  return /^[\d.\u202f\u2212]+$/.test(text) ? `${text} ${text === '1' ? 'core' : 'cores'}` : text;
}

/** Bytes in the largest binary unit that leaves at least 1. */
export function bytes(count) {
  if (count === null || count === undefined) {
    return '\u2013';
  }
  if (count === 0) {
    return '0';
  }
  let value = count;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < BINARY.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${number(value, digits)} ${BINARY[unit]}`;
}

/** Both kinds of one amount: `750m / 3 GiB`. */
export function amount(pair) {
  return pair ? `${cpu(pair[0])} / ${bytes(pair[1])}` : '\u2013';
}

/** A part of a whole in one kind; 0 is CPU, 1 is memory: `7.25 of 8 cores`. */
export function ofWhole(kind, part, whole) {
  return kind === 0 ? `${cpu(part)} of ${cores(whole)}` : `${bytes(part)} of ${bytes(whole)}`;
}

export function percent(part, whole) {
  return whole > 0 ? `${Math.round((part / whole) * 100)}${NARROW_SPACE}%` : '\u2013';
}

/** A latency, in the unit that needs the fewest digits. */
export function micros(value) {
  if (value === null || value === undefined) {
    return '';
  }
  if (value < 1000) {
    return `${number(value, 0)} \u00b5s`;
  }
  return value < 1_000_000 ? `${number(value / 1000, value < 100_000 ? 1 : 0)} ms` : `${number(value / 1e6, 1)} s`;
}

export function count(value) {
  return number(value, 0);
}
