/** The overview: the fleet in numbers, its nodes and VMs as a map or as tables, migrations and recent decisions. */
import { html, nothing, render } from '../lib.js';
import { MapView } from '../map/view.js';
import { remember, remembered } from '../prefs.js';
import { go, nodeHref, settle, vmHref } from '../router.js';
import { summarise } from '../summary.js';
import { serverNow } from '../time.js';
import { choice } from '../ui/bits.js';
import { Decisions } from './decisions.js';
import { legend, reading } from './legend.js';
import { strip } from './strip.js';
import { nodeTable, vmTable } from './tables.js';

/** Below this width a table leaves no room for the decisions; see the style sheet. */
const WIDE = matchMedia('(min-width: 1801px)');

const VIEWS = [
  ['map', 'Map'],
  ['nodes', 'Nodes'],
  ['vms', 'VMs'],
];
const SORTS = [
  ['name', 'by name'],
  ['fill', 'fullest first'],
  ['pressure', 'pressure first'],
];
const SIZES = [
  ['', 'size to fit'],
  ['large', 'large'],
  ['roomy', 'roomy'],
  ['compact', 'compact'],
  ['dense', 'dense'],
];

export class OverviewPage {
  title = 'Fleet';
  #view = null;
  #viewName = '';

  constructor(host, app, route) {
    this.host = host;
    this.fleet = app.fleet;
    this.app = app;
    this.decisions = new Decisions(app.fleet, () => app.redraw());
    this.settings = {
      view: route.query.get('view') ?? remembered('view', 'map'),
      text: route.query.get('q') ?? '',
      group: route.query.get('wait') ?? '',
      sort: remembered('sort', 'name'),
      density: remembered('density', ''),
    };
    app.keys.page({
      m: ['map, nodes, VMs', () => this.#set('view', next(VIEWS, this.settings.view))],
      f: ['filter', () => this.host.querySelector('.toolbar input').focus()],
    });
  }

  update(route) {
    if (route) {
      this.settings.text = route.query.get('q') ?? '';
      this.settings.group = route.query.get('wait') ?? '';
      this.settings.view = route.query.get('view') ?? this.settings.view;
    }
    const sums = summarise(this.fleet, serverNow());
    render(this.#template(sums), this.host);
    this.#show(this.settings.view);
    if (this.fleet.known) {
      this.#view.update(this.settings);
    }
  }

  close() {
    this.#view?.close();
  }

  #template(sums) {
    const { settings } = this;
    return html`<div class="overview" data-view=${settings.view}>
      <h1 class="unseen">Fleet</h1>
      ${this.fleet.known ? strip(sums) : html`<div class="strip" aria-busy="true"></div>`}
      <section class="fleet" aria-label="Nodes and VMs">
        <div class="toolbar">
          ${choice('View', VIEWS, settings.view, (id) => this.#set('view', id))}
          <input type="search" placeholder="Filter nodes and VMs" aria-label="Filter nodes and VMs" .value=${settings.text}
            @input=${(event) => this.#set('text', event.target.value)}>
          ${this.#select('Order', 'sort', SORTS)} ${this.#select('Size', 'density', SIZES)}
        </div>
        ${legend(sums.groups, settings.group, (id) => this.#set('group', id))}
        <div class="view" data-view=${settings.view}></div>
        <details class="how" ?open=${remembered('how', 'open') === 'open'}
          @toggle=${(event) => remember('how', event.target.open ? null : 'closed')}>
          <summary>How to read it</summary>
          ${reading()}
        </details>
      </section>
      ${settings.view === 'map' || WIDE.matches ? this.decisions.template() : nothing}
    </div>`;
  }

  #select(label, name, options) {
    return html`<select aria-label=${label} ?hidden=${this.settings.view !== 'map'}
      @change=${(event) => this.#set(name, event.target.value)}>
      ${options.map(([id, text]) => html`<option value=${id} ?selected=${id === this.settings[name]}>${text}</option>`)}
    </select>`;
  }

  #set(name, value) {
    this.settings[name] = value;
    if (['view', 'sort', 'density'].includes(name)) {
      remember(name, value || null);
    }
    const { view, text, group } = this.settings;
    settle({ view: view === 'map' ? '' : view, q: text, wait: group });
    this.app.redraw();
  }

  /** Each view owns what is inside its element; the page's template has only the element. */
  #show(name) {
    if (name === this.#viewName) {
      return;
    }
    this.#view?.close();
    const element = document.createElement('div');
    element.className = 'view-body';
    this.host.querySelector('.view').replaceChildren(element);
    this.#viewName = name;
    this.#view =
      name === 'nodes'
        ? nodeTable(element, this.fleet)
        : name === 'vms'
          ? vmTable(element, this.fleet)
          : this.#map(element);
  }

  #map(element) {
    render(
      html`
      <div class="map" tabindex="0" role="listbox" aria-activedescendant="map-option"
        aria-label="Map of nodes and VMs; arrow keys move, Enter opens">
        <div class="map-window"><canvas class="base"></canvas><canvas class="above"></canvas></div>
        <div class="map-space"></div>
        <div id="map-option" class="unseen" role="option" aria-selected="true">Press an arrow key</div>
      </div>
      <div class="tip" hidden></div>`,
      element,
    );
    const part = (selector) => element.querySelector(selector);
    const parts = {
      scroller: part('.map'),
      base: part('.base'),
      above: part('.above'),
      space: part('.map-space'),
      option: part('#map-option'),
      tip: part('.tip'),
    };
    return new MapView(parts, this.fleet, (target, aside) => {
      const href = target.vm ? vmHref(target.vm) : nodeHref(target.node);
      if (aside) {
        window.open(href, '_blank', 'noopener');
      } else {
        go(href);
      }
    });
  }
}

function next(options, chosen) {
  return options[(options.findIndex(([id]) => id === chosen) + 1) % options.length][0];
}
