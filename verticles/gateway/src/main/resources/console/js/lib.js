/**
 * The libraries, imported in this file only, so that a new version is a change of one file.
 * Their URLs contain the version: a browser caches them for ever.
 */
export { html, nothing, render } from '../../lib/lit-html/3.3.0/lit-html.js';
export { ref } from '../../lib/lit-html/3.3.0/directives/ref.js';
export { repeat } from '../../lib/lit-html/3.3.0/directives/repeat.js';

/** Chart.js, loaded by the first page that draws a chart. */
export async function chartLibrary() {
  await import('../../lib/chart.js/4.5.1/dist/chart.umd.min.js');
  return globalThis.Chart;
}
