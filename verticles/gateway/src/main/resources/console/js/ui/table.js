/** A table of any length: only the visible rows exist. Sorted by its heads, navigated with the arrow keys. */
import { html, nothing, ref, render, repeat } from '../lib.js';

const SPARE_ROWS = 6;
const MANY = 2000;
/** As in the style sheet: between columns, and half of it at each end. */
const COLUMN_GAP = 14;
const RESORT_MS = 2000;

let tables = 0;

/**
 * @typedef {{id: string, label: string, width: string, right?: boolean, cell: (row: any) => any,
 *   sort?: (row: any) => (string|number), first?: 'up'|'down'}} Column
 * `first` is the direction of the first click; numbers begin with the largest.
 */

export class Table {
  #rows = [];
  #sorted = [];
  #sortedAt = 0;
  #sort = null;
  #active = null;
  #scroller = null;
  #widths = '';
  #number = ++tables;

  /**
   * @param {HTMLElement} host
   * @param {{label: string, columns: Column[], keyOf: (row: any) => string, rowHeight?: number, open?: (row: any) => void,
   *   sort?: {id: string, up: boolean}, empty: string, follow?: (row: any) => void, tone?: (row: any) => string}} options
   *     `follow` receives the row at the cursor
   */
  constructor(host, options) {
    this.host = host;
    this.options = { rowHeight: 30, ...options };
    this.#sort = options.sort ?? null;
    const least = options.columns.reduce(
      (sum, column) => sum + parseInt(/\d+/.exec(column.width)[0], 10) + COLUMN_GAP,
      COLUMN_GAP,
    );
    this.#widths = `--columns:${options.columns.map((column) => column.width).join(' ')};--least:${least}px`;
    this.resizing = new ResizeObserver(() => this.#render());
    this.resizing.observe(host);
  }

  close() {
    this.resizing.disconnect();
  }

  /** @param {number} above how many rows came before the first: the scroll position is kept, unless it is the top */
  update(rows, above = 0) {
    this.#rows = rows;
    if (above > 0 && this.#scroller?.scrollTop > this.options.rowHeight) {
      this.#scroller.scrollTop += above * this.options.rowHeight;
    }
    if (!this.#sort) {
      this.#sorted = rows;
    } else if (
      rows.length < MANY ||
      rows.length !== this.#sorted.length ||
      performance.now() - this.#sortedAt > RESORT_MS
    ) {
      this.#arrange();
    } else {
      this.#refresh();
    }
    this.#render();
  }

  /** The row at the cursor; undefined if there is none. */
  get active() {
    return this.#sorted.find((row) => this.options.keyOf(row) === this.#active);
  }

  #arrange() {
    const column = this.options.columns.find((each) => each.id === this.#sort.id);
    const way = this.#sort.up ? 1 : -1;
    const valued = this.#rows.map((row) => [column.sort(row), this.options.keyOf(row), row]);
    valued.sort((one, other) => way * order(one[0], other[0]) || order(one[1], other[1]));
    this.#sorted = valued.map((each) => each[2]);
    this.#sortedAt = performance.now();
  }

  /** Replaces rows by newer ones in the same places. */
  #refresh() {
    const byKey = new Map(this.#rows.map((row) => [this.options.keyOf(row), row]));
    this.#sorted = this.#sorted.map((row) => byKey.get(this.options.keyOf(row))).filter(Boolean);
  }

  #sortBy(column) {
    const same = this.#sort?.id === column.id;
    this.#sort = { id: column.id, up: same ? !this.#sort.up : column.first !== 'down' };
    this.#arrange();
    this.#render();
  }

  #render() {
    const { columns, rowHeight, label } = this.options;
    const top = this.#scroller?.scrollTop ?? 0;
    const height = this.host.clientHeight || 600;
    const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
    const rows = this.#sorted.slice(first, first + Math.ceil(height / rowHeight) + 2 * SPARE_ROWS);
    const activeShown = rows.some((row) => this.options.keyOf(row) === this.#active);
    render(
      html`
      <div class="grid" role="grid" tabindex="0" aria-label=${label} aria-rowcount=${this.#sorted.length + 1}
          aria-activedescendant=${activeShown ? `row-${this.#number}-active` : nothing}
          .style=${this.#widths}
          ${ref((element) => (this.#scroller = element ?? this.#scroller))}
          @scroll=${() => this.#render()} @keydown=${(event) => this.#key(event)} @focus=${() => this.#focus()}>
        <div class="grid-row grid-head" role="row">${columns.map((column) => this.#head(column))}</div>
        ${this.#sorted.length === 0 ? html`<p class="empty">${this.options.empty}</p>` : nothing}
        <div class="grid-space" .style=${`height:${this.#sorted.length * rowHeight}px`}>
          ${repeat(
            rows,
            (row) => this.options.keyOf(row),
            (row, index) => this.#row(row, first + index),
          )}
        </div>
      </div>`,
      this.host,
    );
  }

  #head(column) {
    const sorted = this.#sort?.id === column.id;
    const way = sorted ? (this.#sort.up ? 'ascending' : 'descending') : 'none';
    const body = column.sort
      ? html`<button type="button" tabindex="-1" @click=${() => this.#sortBy(column)}>
          ${column.label}<i class="way" aria-hidden="true"></i></button>`
      : column.label;
    return html`<div role="columnheader" class=${column.right ? 'right' : ''} aria-sort=${column.sort ? way : nothing}>${body}</div>`;
  }

  #row(row, index) {
    const { columns, rowHeight, keyOf, tone } = this.options;
    const active = keyOf(row) === this.#active;
    return html`<div class="grid-row" role="row" aria-rowindex=${index + 2} aria-selected=${active}
        id=${active ? `row-${this.#number}-active` : nothing} data-tone=${tone?.(row) ?? nothing}
        .style=${`height:${rowHeight}px;transform:translateY(${index * rowHeight}px)`}
        @click=${(event) => this.#click(event, row)} @dblclick=${() => this.options.open?.(row)}>
      ${columns.map((column) => html`<div role="gridcell" class=${column.right ? 'num right' : ''}>${column.cell(row)}</div>`)}
    </div>`;
  }

  #click(event, row) {
    if (!event.target.closest('a')) {
      this.#go(row);
    }
  }

  #focus() {
    if (!this.active && this.#sorted.length > 0 && this.#scroller.matches(':focus-visible')) {
      this.#go(this.#sorted[0]);
    }
  }

  #go(row) {
    this.#active = this.options.keyOf(row);
    this.options.follow?.(row);
    this.#render();
  }

  #key(event) {
    const index = this.#sorted.findIndex((row) => this.options.keyOf(row) === this.#active);
    const page = Math.max(1, Math.floor(this.host.clientHeight / this.options.rowHeight) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey || this.#sorted.length === 0) {
      return;
    }
    if (event.key in steps) {
      event.preventDefault();
      const next = Math.min(this.#sorted.length - 1, Math.max(0, index + steps[event.key]));
      this.#intoView(next);
      this.#go(this.#sorted[next]);
    } else if (event.key === 'Enter' && index >= 0 && event.target === this.#scroller) {
      event.preventDefault();
      this.options.open?.(this.#sorted[index]);
    }
  }

  #intoView(index) {
    const { rowHeight } = this.options;
    const room = this.#scroller.clientHeight - rowHeight - 4;
    const top = index * rowHeight;
    if (top < this.#scroller.scrollTop) {
      this.#scroller.scrollTop = top;
    } else if (top + rowHeight > this.#scroller.scrollTop + room) {
      this.#scroller.scrollTop = top + rowHeight - room;
    }
  }
}

function order(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}
