/** Times for users, by the clock of the process: the browser's own may be off. */
import { html } from './lib.js';

let offsetMs = 0;

/** Takes the process's time. */
export function setServerTime(atMs) {
  offsetMs = atMs - Date.now();
}

export function serverNow() {
  return Date.now() + offsetMs;
}

/** A duration: `4 s`, `3 min`, `2 h 5 min`, `5 d`. */
export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  }
  return `${Math.floor(hours / 24)} d`;
}

const pad = (value, length = 2) => String(value).padStart(length, '0');

/** Hours, minutes and seconds in the user's time zone. */
export function clock(atMs) {
  const at = new Date(atMs);
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

/** Date and time in the user's time zone, with milliseconds and the zone. */
export function absolute(atMs) {
  const at = new Date(atMs);
  const zone = -at.getTimezoneOffset();
  const offset =
    zone === 0
      ? 'UTC'
      : `UTC${zone > 0 ? '+' : '\u2212'}${pad(Math.floor(Math.abs(zone) / 60))}:${pad(Math.abs(zone) % 60)}`;
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${clock(atMs)}.${pad(at.getMilliseconds(), 3)} ${offset}`;
}

/** The value of an `input type=datetime-local` with seconds. */
export function localInput(atMs) {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${clock(atMs)}`;
}

/** How long ago, with the time itself on hover. */
export function ago(atMs) {
  if (!atMs) {
    return html`<span class="faint">never</span>`;
  }
  return html`<time datetime=${new Date(atMs).toISOString()} title=${absolute(atMs)}>${duration(serverNow() - atMs)}</time>`;
}
