/**
 * The one timer for redrawing: listeners are called at most four times a second after changes, at a moment when the
 * browser draws, and once a second without changes (ages grow).
 */
const GAP_MS = 250;
const IDLE_MS = 1000;

const listeners = new Set();
let wanted = 0;
let last = -Infinity;
let beats = 0;

/** How often listeners were called since the page was opened. */
export function beatCount() {
  return beats;
}

/** Requests a redraw. */
export function wantBeat() {
  if (!wanted) {
    wanted = setTimeout(() => requestAnimationFrame(beat), Math.max(0, last + GAP_MS - performance.now()));
  }
}

function beat() {
  wanted = 0;
  last = performance.now();
  beats++;
  listeners.forEach((listener) => listener());
}

/** @returns a function that removes the listener */
export function onBeat(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

setInterval(() => {
  if (performance.now() - last >= IDLE_MS - 50) {
    wantBeat();
  }
}, IDLE_MS);
