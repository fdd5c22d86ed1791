/** The positions of nodes and VMs on the map. Pure: numbers in, numbers out. */

/**
 * How large things are drawn. `large` shows all details, `roomy` names every VM, `compact` shows each with its level,
 * `dense` shows a thousand nodes. A map taller than `screens` is drawn denser if the user has chosen no size; `label`
 * is the height of the text above a bar.
 *
 * @typedef {{id: string, screens: number, cardMin: number, gap: number, pad: number, head: number, label: number,
 *   bar: number, barGap: number, tile: number[], tileGap: number, named: boolean}} Density
 */
export const DENSITIES = [
  {
    id: 'large',
    screens: 1,
    cardMin: 300,
    gap: 14,
    pad: 14,
    head: 32,
    label: 18,
    bar: 12,
    barGap: 7,
    tile: [132, 68],
    tileGap: 8,
    named: true,
  },
  {
    id: 'roomy',
    screens: 1.6,
    cardMin: 390,
    gap: 14,
    pad: 12,
    head: 30,
    label: 0,
    bar: 13,
    barGap: 8,
    tile: [112, 42],
    tileGap: 6,
    named: true,
  },
  {
    id: 'compact',
    screens: 3,
    cardMin: 230,
    gap: 10,
    pad: 9,
    head: 24,
    label: 0,
    bar: 8,
    barGap: 5,
    tile: [22, 20],
    tileGap: 3,
    named: false,
  },
  {
    id: 'dense',
    screens: Infinity,
    cardMin: 142,
    gap: 7,
    pad: 6,
    head: 17,
    label: 0,
    bar: 5,
    barGap: 3,
    tile: [10, 10],
    tileGap: 2,
    named: false,
  },
];

/** How far below a card's top its bar of a kind begins. */
export function barTop(density, kind) {
  return density.head + density.label + kind * (density.label + density.bar + density.barGap);
}

/** The space above the first tile. */
export function tilesTop(density) {
  return barTop(density, 2) - density.label + (density.named ? 5 : 2);
}

function inside(cardWidth, density) {
  const room = cardWidth - 2 * density.pad + density.tileGap;
  const columns = Math.max(1, Math.floor(room / (density.tile[0] + density.tileGap)));
  const tileWidth = density.named ? room / columns - density.tileGap : density.tile[0];
  return { columns, tileWidth };
}

function heightOf(slots, columns, density) {
  const rows = Math.ceil(slots / columns);
  const tiles = rows === 0 ? 0 : rows * (density.tile[1] + density.tileGap) - density.tileGap;
  return tilesTop(density) + tiles + density.pad;
}

/**
 * Arranges cards in rows of equal columns.
 *
 * @param {{name: string, slots: number}[]} nodes in the order they are drawn in; slots are its tiles
 * @param {number} width of the map
 * @param {Density} density
 */
export function arrange(nodes, width, density) {
  const columns = Math.max(1, Math.floor((width + density.gap) / (density.cardMin + density.gap)));
  // Rows of equal length: five nodes are drawn as three and two, not as four and one.
  const perRow = Math.max(1, Math.ceil(nodes.length / Math.ceil(nodes.length / columns || 1)));
  // Few nodes share the whole width, up to twice their least width.
  const cardWidth = Math.floor(
    Math.min((width + density.gap) / perRow - density.gap, density.cardMin * (nodes.length <= columns ? 2 : 9)),
  );
  const grid = inside(cardWidth, density);
  const cards = [];
  const rows = [];
  let y = 0;
  for (let first = 0; first < nodes.length; first += perRow) {
    const row = nodes.slice(first, first + perRow);
    const height = Math.max(...row.map((node) => heightOf(node.slots, grid.columns, density)));
    rows.push({ y, height, first, count: row.length });
    row.forEach((node, index) =>
      cards.push({
        name: node.name,
        slots: node.slots,
        x: index * (cardWidth + density.gap),
        y,
        width: cardWidth,
        height,
      }),
    );
    y += height + density.gap;
  }
  return { density, columns: perRow, cards, rows, tiles: grid, height: Math.max(0, y - density.gap) };
}

/** The largest density that needs few screens; the densest if none does. */
export function arrangeToFit(nodes, width, screenHeight) {
  let arrangement = null;
  for (const density of DENSITIES) {
    arrangement = arrange(nodes, width, density);
    if (arrangement.height <= screenHeight * density.screens) {
      break;
    }
  }
  return arrangement;
}

/** One tile's place within the map. */
export function tileBox(arrangement, card, slot) {
  const { density, tiles } = arrangement;
  return {
    x: card.x + density.pad + (slot % tiles.columns) * (tiles.tileWidth + density.tileGap),
    y: card.y + tilesTop(density) + Math.floor(slot / tiles.columns) * (density.tile[1] + density.tileGap),
    width: tiles.tileWidth,
    height: density.tile[1],
  };
}

/** Indexes of the first visible row and of the first row after the visible ones. */
export function visibleRows(arrangement, top, bottom) {
  const { rows } = arrangement;
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].y + rows[middle].height < top) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  let end = low;
  while (end < rows.length && rows[end].y <= bottom) {
    end++;
  }
  return [low, end];
}

/** What is at a point: `{card, slot}` by index, with slot -1 for the card beside its tiles; null between cards. */
export function at(arrangement, x, y) {
  const [first, end] = visibleRows(arrangement, y, y);
  for (const row of arrangement.rows.slice(first, end)) {
    for (let card = row.first; card < row.first + row.count; card++) {
      const box = arrangement.cards[card];
      if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height) {
        return { card, slot: slotAt(arrangement, box, x, y) };
      }
    }
  }
  return null;
}

function slotAt(arrangement, card, x, y) {
  const { density, tiles } = arrangement;
  const column = Math.floor((x - card.x - density.pad) / (tiles.tileWidth + density.tileGap));
  const row = Math.floor((y - card.y - tilesTop(density)) / (density.tile[1] + density.tileGap));
  const slot = row * tiles.columns + column;
  if (column < 0 || column >= tiles.columns || row < 0 || slot >= card.slots) {
    return -1;
  }
  const box = tileBox(arrangement, card, slot);
  return x < box.x + box.width && y < box.y + box.height ? slot : -1;
}

/** Where the keyboard's cursor moves to from a place: slot -1 is the card's head. */
export function step(arrangement, place, key) {
  const { cards, columns, tiles } = arrangement;
  const card = cards[place.card];
  const to = (index, slot) => {
    const bounded = Math.min(cards.length - 1, Math.max(0, index));
    return { card: bounded, slot: Math.min(cards[bounded].slots - 1, slot) };
  };
  switch (key) {
    case 'ArrowRight':
      return place.slot >= 0 && place.slot + 1 < card.slots ? to(place.card, place.slot + 1) : to(place.card + 1, -1);
    case 'ArrowLeft':
      return place.slot > 0 ? to(place.card, place.slot - 1) : to(place.slot === 0 ? place.card : place.card - 1, -1);
    case 'ArrowDown':
      return down(place, card, to, columns, cards.length, tiles.columns);
    case 'ArrowUp':
      return up(place, to, columns, cards, tiles.columns);
    case 'PageDown':
      return place.card + columns < cards.length ? to(place.card + columns, -1) : place;
    case 'PageUp':
      return place.card >= columns ? to(place.card - columns, -1) : place;
    case 'Home':
      return to(0, -1);
    case 'End':
      return to(cards.length - 1, -1);
    default:
      return place;
  }
}

function down(place, card, to, columns, many, tileColumns) {
  const slot = place.slot < 0 ? 0 : place.slot + tileColumns;
  if (slot < card.slots) {
    return to(place.card, slot);
  }
  return place.card + columns < many ? to(place.card + columns, -1) : place;
}

function up(place, to, columns, cards, tileColumns) {
  if (place.slot >= 0) {
    return to(place.card, Math.max(-1, place.slot - tileColumns));
  }
  const above = place.card - columns;
  if (above < 0) {
    return place;
  }
  const rows = Math.ceil(cards[above].slots / tileColumns);
  return to(above, rows === 0 ? -1 : (rows - 1) * tileColumns);
}
