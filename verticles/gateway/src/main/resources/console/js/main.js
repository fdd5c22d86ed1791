/** The entry point: one stream feeds the fleet, one timer redraws the page that the URL names. */
import { onLocked } from './api.js';
import { ClusterPage } from './cluster/page.js';
import { ConfigPage } from './config/page.js';
import { Fleet } from './fleet.js';
import { Frame } from './frame.js';
import { GangsPage } from './gangs/page.js';
import { Keys } from './keys.js';
import { Layer } from './layer.js';
import { html, render } from './lib.js';
import { Link } from './link.js';
import { NodePage } from './node/page.js';
import { OverviewPage } from './overview/page.js';
import { PodPage } from './pods/pod.js';
import { PodsPage } from './pods/page.js';
import { beatCount, onBeat, wantBeat } from './pulse.js';
import { go, parse } from './router.js';
import { Search } from './search.js';
import { TapPage } from './tap/page.js';
import { onTheme, switchTheme } from './theme.js';
import { VmPage } from './vm/page.js';
import { WorkersPage } from './workers/page.js';

class MissingPage {
  title = 'Not found';

  constructor(host, app, route) {
    this.host = host;
    this.path = route.params.path;
  }

  update() {
    render(
      html`<article class="detail"><h1>Page not found</h1>
        <p>No page has the path <code>${this.path}</code>. <a href="#/">To the fleet</a></p></article>`,
      this.host,
    );
  }

  close() {}
}

const PAGES = {
  overview: OverviewPage,
  vm: VmPage,
  node: NodePage,
  pods: PodsPage,
  pod: PodPage,
  gangs: GangsPage,
  workers: WorkersPage,
  tap: TapPage,
  cluster: ClusterPage,
  config: ConfigPage,
  missing: MissingPage,
};

const element = (id) => document.getElementById(id);
const fleet = new Fleet();
const keys = new Keys();
const app = { fleet, keys, redraw: wantBeat };
const link = new Link('api/stream', { event: hear, state: wantBeat });
const layer = new Layer(element('layer'), keys, () => {
  link.retryNow();
  openPage(true);
});
const frame = new Frame({
  top: element('top'),
  banner: element('banner'),
  help: () => layer.toggleHelp(),
  retry: () => link.retryNow(),
});

let page = null;
let opened = '';
let drawn = false;

function hear(name, data) {
  fleet.hear(name, data);
  wantBeat();
}

/** Opens another page if the URL names another one, else gives the same page its new settings. */
function openPage(anew = false) {
  const route = parse(location.hash);
  const identity = JSON.stringify([route.page, route.params]);
  if (identity === opened && !anew) {
    page.update(route);
    return;
  }
  page?.close();
  keys.page({});
  const host = document.createElement('div');
  host.className = 'page';
  element('page').replaceChildren(host);
  opened = identity;
  page = new PAGES[route.page](host, app, route);
  document.title = `${page.title} \u00b7 Sluice`;
  page.update(route);
  frame.update(route.page, link.state, fleet);
  scrollTo(0, 0);
}

function draw() {
  frame.update(parse(location.hash).page, link.state, fleet);
  page.update();
  document.body.dataset.updates = String(beatCount());
  if (fleet.known && !drawn) {
    drawn = true;
    performance.mark('sluice-fleet-drawn');
  }
}

keys.everywhere({
  '/': ['find a node or VM', () => search.focus()],
  'g o': ['go to the fleet', () => go('#/')],
  'g p': ['go to the pods', () => go('#/pods')],
  'g g': ['go to the gangs', () => go('#/gangs')],
  'g w': ['go to the workers', () => go('#/workers')],
  'g t': ['go to the tap', () => go('#/tap')],
  'g m': ['go to the cluster', () => go('#/cluster')],
  'g c': ['go to the config', () => go('#/config')],
  t: ['theme: light, dark, as in the system', switchTheme],
  '?': ['this help', () => layer.toggleHelp()],
});
onLocked(() => layer.askToken());
onTheme(wantBeat);
onBeat(draw);
addEventListener('hashchange', () => openPage());
openPage();
const search = new Search(document.querySelector('.search'), fleet);
link.open();
