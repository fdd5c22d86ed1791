// Draws each dashboard to a picture: node render.mjs http://127.0.0.1:9090 FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const dashboards = join(here, '..', '..', '..', 'dashboards');
const [prometheus, folder] = process.argv.slice(2);
const WIDTH = 1600;
const ROW_HEIGHT = 38;
const HEAD_HEIGHT = 110;
const SECONDS = 300;
const STEP = 3;
const CHROMIUM_MS_MAX = 120_000;

/** The variables of the dashboards, with everything chosen. */
const VARIABLES = { $__rate_interval: '30s', $__range: '5m', $node: '.*', $process: '.*' };

const to = Date.now() / 1000;
const from = to - SECONDS;
const out = resolve(folder);
const script = join(out, 'app.js');

async function query(target) {
  const expr = Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), target.expr);
  const path = target.instant
    ? `query?time=${to}&query=${encodeURIComponent(expr)}`
    : `query_range?start=${from}&end=${to}&step=${STEP}&query=${encodeURIComponent(expr)}`;
  const reply = await (await fetch(`${prometheus}/api/v1/${path}`)).json();
  return reply.data.result.map(({ metric, value, values }) => ({ metric, values: values ?? [value] }));
}

async function draw(name) {
  const dashboard = JSON.parse(readFileSync(join(dashboards, `${name}.json`), 'utf8'));
  const results = {};
  for (const panel of dashboard.panels) {
    for (const [index, target] of (panel.targets ?? []).entries()) {
      results[`${panel.id}:${index}`] = await query(target);
    }
  }
  const data = JSON.stringify({ dashboard, results, from: from * 1000, to: to * 1000 }).replaceAll('</', '<\\/');
  const style = join(here, 'node_modules', 'uplot', 'dist', 'uPlot.min.css');
  const page = join(out, `${name}.html`);
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="${style}">
<style>body{margin:0;background:#111217;font:14px sans-serif}*{box-sizing:border-box}ul{list-style:none;margin:0;padding:0}
button{background:none;border:0;color:inherit;font:inherit;padding:0}</style>
<div id="root"></div><script>window.DATA=${data}</script><script src="${script}"></script>`,
  );
  const rows = Math.max(...dashboard.panels.map(({ gridPos }) => gridPos.y + gridPos.h));
  execFileSync(
    'chromium',
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--virtual-time-budget=8000',
      `--window-size=${WIDTH},${rows * ROW_HEIGHT + HEAD_HEIGHT}`,
      `--screenshot=${join(out, `${name}.png`)}`,
      `file://${page}`,
    ],
    { stdio: 'ignore', timeout: CHROMIUM_MS_MAX },
  );
  console.log(`${name}.png`);
}

mkdirSync(out, { recursive: true });
buildSync({
  entryPoints: [join(here, 'app.jsx')],
  outfile: script,
  bundle: true,
  minify: true,
  conditions: ['browser', 'import', 'default'],
  define: { 'process.env.NODE_ENV': '"production"', global: 'window' },
  loader: { '.svg': 'dataurl', '.css': 'empty' },
  logLevel: 'error',
});
for (const file of readdirSync(dashboards).filter((name) => name.endsWith('.json'))) {
  await draw(file.replace(/\.json$/, ''));
}
