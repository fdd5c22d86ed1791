/**
 * The one clock that what is seen is drawn by: however often something changes, listeners hear of it at most four times
 * a second, at a moment when the browser draws, and once a second where nothing changes (ages grow by themselves).
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

/** Something changed that should be seen. */
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

/** @returns a function that ends it */
export function onBeat(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

setInterval(() => {
  if (performance.now() - last >= IDLE_MS - 50) {
    wantBeat();
  }
}, IDLE_MS);
