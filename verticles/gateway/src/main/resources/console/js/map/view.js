/**
 * The map on the screen: only its visible part is drawn on a canvas, so that twenty thousand VMs cost as much as a
 * hundred.
 */
import { isDark, onTheme } from '../theme.js';
import { at, step, tileBox, visibleRows } from './layout.js';
import { drawArcs, visibleArcs } from './moves.js';
import { drawCard, drawGhost, drawTile, headBox } from './paint.js';
import { readPalette } from './palette.js';
import { Plot } from './plot.js';
import { spoken, Tip } from './tip.js';

const RESORT_MS = 5000;
const FRAME_MS = 33;
const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']);

export class MapView {
  #plot = null;
  #planned = '';
  #plannedAt = 0;
  #cursor = { node: '', key: '' };
  #cursorShown = false;
  #hover = null;
  #pointer = null;
  #frame = 0;
  #motion = matchMedia('(prefers-reduced-motion: reduce)');

  /**
   * @param {{scroller: HTMLElement, base: HTMLCanvasElement, above: HTMLCanvasElement, space: HTMLElement,
   *   option: HTMLElement, tip: HTMLElement}} parts
   * @param {import('../fleet.js').Fleet} fleet
   * @param {(target: {vm: string}|{node: string}, aside: boolean) => void} onOpen
   */
  constructor(parts, fleet, onOpen) {
    this.parts = parts;
    this.fleet = fleet;
    this.onOpen = onOpen;
    this.tip = new Tip(parts.tip);
    this.palette = readPalette();
    this.ending = new AbortController();
    this.offTheme = onTheme(() => this.#recolour());
    this.resizing = new ResizeObserver(() => this.#fitCanvases());
    this.resizing.observe(parts.scroller);
    this.#listen();
    document.fonts.ready.then(() => this.#draw());
  }

  /** @param {import('./plot.js').MapSettings} settings */
  update(settings) {
    this.settings = settings;
    this.#plan();
    this.#draw();
    const about = this.#hover ?? (this.#cursorShown ? this.#cursorPlace() : null);
    if (about && !this.parts.tip.hidden) {
      this.#showTip(about);
    }
  }

  close() {
    this.ending.abort();
    this.offTheme();
    this.resizing.disconnect();
    cancelAnimationFrame(this.#frame);
    this.tip.hide();
  }

  #plan() {
    const { clientWidth: width, clientHeight: height } = this.parts.scroller;
    const { text, group, sort, density } = this.settings;
    const plan = [width, height, this.fleet.structure, text, sort, density].join('|');
    const resort =
      sort !== 'name' && !this.#hover && !this.#cursorShown && performance.now() - this.#plannedAt > RESORT_MS;
    if (plan !== this.#planned || resort || this.#plot.group !== group) {
      this.#planned = plan;
      this.#plannedAt = performance.now();
      this.#plot = new Plot(this.fleet, this.settings, this.#innerWidth(), height);
      this.parts.space.style.height = `${this.#plot.arrangement.height}px`;
      this.parts.scroller.dataset.density = this.#plot.arrangement.density.id;
      this.#setHover(this.#pointer && this.#placeUnder(this.#pointer));
    }
  }

  #innerWidth() {
    const style = getComputedStyle(this.parts.scroller);
    return this.parts.scroller.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  }

  #fitCanvases() {
    const width = this.#innerWidth();
    const height = this.parts.scroller.clientHeight;
    for (const canvas of [this.parts.base, this.parts.above]) {
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    if (this.settings) {
      this.#plan();
      this.#draw();
    }
  }

  #recolour() {
    this.palette = readPalette();
    this.parts.base.dataset.theme = isDark() ? 'dark' : 'light';
    this.#draw();
  }

  #draw() {
    if (!this.#plot) {
      return;
    }
    const top = this.parts.scroller.scrollTop;
    const pen = this.#pen(this.parts.base);
    const { arrangement } = this.#plot;
    const [first, end] = visibleRows(arrangement, top, top + this.parts.scroller.clientHeight);
    pen.translate(0, -top);
    for (const row of arrangement.rows.slice(first, end)) {
      arrangement.cards.slice(row.first, row.first + row.count).forEach((card) => this.#drawNode(pen, card));
    }
    this.#drawAbove(null);
    this.#animate();
  }

  #drawNode(pen, card) {
    const plot = this.#plot;
    const residents = plot.residents(card);
    drawCard(pen, this.palette, plot.arrangement, card, this.fleet.nodes.get(card.name), residents.length);
    for (let slot = 0; slot < card.slots; slot++) {
      const vm = this.fleet.vms.get(residents[slot]);
      if (vm) {
        drawTile(pen, this.palette, plot.arrangement, card, slot, vm, plot.faded(card, vm));
      } else if (plot.arrivalIn(card, slot)) {
        drawGhost(pen, this.palette, plot.arrangement, card, slot, plot.arrivalIn(card, slot));
      }
    }
  }

  #pen(canvas) {
    const pen = canvas.getContext('2d');
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    return pen;
  }

  /** @returns how many migrations are visible */
  #drawAbove(nowMs) {
    const { scroller } = this.parts;
    const pen = this.#pen(this.parts.above);
    const arcs = visibleArcs(this.#plot, scroller.scrollTop, scroller.clientHeight);
    drawArcs(pen, this.palette, arcs, nowMs);
    if (this.#hover) {
      this.#ring(pen, this.#hover, this.palette.muted, 1);
    }
    const cursor = this.#cursorShown && this.#cursorPlace();
    if (cursor) {
      this.#ring(pen, cursor, this.palette.focus, 2);
    }
    return arcs.length;
  }

  #ring(pen, place, colour, width) {
    const box = this.#boxOf(place);
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.roundRect(box.x - 1.5, box.y - 1.5 - this.parts.scroller.scrollTop, box.width + 3, box.height + 3, 4);
    pen.stroke();
  }

  #boxOf(place) {
    const { arrangement } = this.#plot;
    const card = arrangement.cards[place.card];
    return place.slot < 0 ? headBox(arrangement, card) : tileBox(arrangement, card, place.slot);
  }

  /** Draws only the layer above, and only while something moves on it. */
  #animate() {
    if (this.#frame || this.#motion.matches) {
      return;
    }
    let drawnAt = 0;
    const next = (nowMs) => {
      this.#frame = 0;
      if (nowMs - drawnAt >= FRAME_MS) {
        drawnAt = nowMs;
        if (this.#drawAbove(nowMs) === 0) {
          return;
        }
      }
      this.#frame = requestAnimationFrame(next);
    };
    if (this.fleet.migrations.length > 0) {
      this.#frame = requestAnimationFrame(next);
    }
  }

  #listen() {
    const { scroller } = this.parts;
    const on = (type, handler, options = {}) =>
      scroller.addEventListener(type, handler, { ...options, signal: this.ending.signal });
    on(
      'scroll',
      () => {
        this.#setHover(null);
        this.#draw();
      },
      { passive: true },
    );
    on(
      'pointermove',
      (event) => {
        this.#pointer = { clientX: event.clientX, clientY: event.clientY };
        this.#setHover(this.#placeUnder(event));
      },
      { passive: true },
    );
    on('pointerleave', () => {
      this.#pointer = null;
      this.#setHover(null);
    });
    on('click', (event) => this.#open(this.#placeUnder(event), event.ctrlKey || event.metaKey));
    on('auxclick', (event) => event.button === 1 && this.#open(this.#placeUnder(event), true));
    on('keydown', (event) => this.#key(event));
    on('focus', () => this.#focus(scroller.matches(':focus-visible')));
    on('blur', () => this.#focus(false));
  }

  #placeUnder(event) {
    const box = this.parts.base.getBoundingClientRect();
    const { scrollTop } = this.parts.scroller;
    return this.#plot && at(this.#plot.arrangement, event.clientX - box.left, event.clientY - box.top + scrollTop);
  }

  #setHover(place) {
    if (place?.card === this.#hover?.card && place?.slot === this.#hover?.slot) {
      return;
    }
    this.#hover = place;
    this.parts.scroller.classList.toggle('pointing', Boolean(place));
    this.#drawAbove(null);
    if (place) {
      this.#showTip(place);
    } else {
      this.tip.hide();
    }
  }

  #showTip(place) {
    const box = this.#boxOf(place);
    const canvas = this.parts.base.getBoundingClientRect();
    const y = canvas.top + box.y - this.parts.scroller.scrollTop;
    this.tip.show(this.#plot, place, { ...box, x: canvas.left + box.x, y });
  }

  #open(place, aside) {
    const card = place && this.#plot.arrangement.cards[place.card];
    if (!card) {
      return;
    }
    const key =
      place.slot < 0 ? '' : (this.#plot.vmIn(card, place.slot)?.key ?? this.#plot.arrivalIn(card, place.slot));
    if (key) {
      this.onOpen({ vm: key }, aside);
    } else if (card.name && place.slot < 0) {
      this.onOpen({ node: card.name }, aside);
    }
  }

  #focus(shown) {
    this.#cursorShown = shown;
    if (shown) {
      this.#moveTo(this.#cursorPlace() ?? { card: 0, slot: -1 });
    } else {
      this.tip.hide();
      this.#drawAbove(null);
    }
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#plot?.arrangement.cards.length) {
      return;
    }
    const place = this.#cursorPlace() ?? { card: 0, slot: -1 };
    if (KEYS.has(event.key)) {
      event.preventDefault();
      this.#cursorShown = true;
      this.#moveTo(step(this.#plot.arrangement, place, event.key));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#open(place, false);
    } else if (event.key === 'Escape') {
      this.tip.hide();
    }
  }

  #cursorPlace() {
    return this.#plot?.placeOf(this.#cursor.node, this.#cursor.key) ?? this.#plot?.placeOf(this.#cursor.node, '');
  }

  #moveTo(place) {
    const plot = this.#plot;
    const card = plot?.arrangement.cards[place.card];
    if (!card) {
      return;
    }
    const last = plot.residents(card).length - 1;
    const settled = { card: place.card, slot: Math.min(place.slot, last) };
    this.#cursor = { node: card.name, key: settled.slot < 0 ? '' : plot.residents(card)[settled.slot] };
    this.#intoView(settled.slot < 0 ? card : this.#boxOf(settled));
    this.parts.option.textContent = spoken(plot, settled);
    this.parts.option.dataset.node = this.#cursor.node;
    this.parts.option.dataset.vm = this.#cursor.key;
    this.#drawAbove(null);
    this.#showTip(settled);
  }

  #intoView(box) {
    const { scroller } = this.parts;
    const margin = 24;
    const fits = box.height + 2 * margin < scroller.clientHeight;
    if (box.y - margin < scroller.scrollTop || !fits) {
      scroller.scrollTop = box.y - margin;
    } else if (box.y + box.height + margin > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = box.y + box.height + margin - scroller.clientHeight;
    }
  }
}
