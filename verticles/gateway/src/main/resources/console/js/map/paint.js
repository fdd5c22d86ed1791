/** Draws cards and tiles; independent of scrolling, pointers and keyboard. */
import { amount, count, cpu, ofWhole, percent } from '../units.js';
import { nodeState } from '../summary.js';
import { groupOf, waitingWord } from '../words.js';
import { drawBar } from './bars.js';
import { hatch } from './palette.js';
import { barTop, tileBox, tilesTop } from './layout.js';

/** The share of an amount in its maximum, in the kind where it is larger. */
export function level(part, max) {
  return part ? Math.min(1, Math.max(max[0] > 0 ? part[0] / max[0] : 0, max[1] > 0 ? part[1] / max[1] : 0)) : null;
}

/** The text, cut so that it fits. */
export function fit(pen, text, width) {
  if (pen.measureText(text).width <= width) {
    return text;
  }
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(text.slice(0, middle) + '\u2026').width <= width) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low === 0 ? '' : text.slice(0, low) + '\u2026';
}

/** The name without its namespace. */
function shortName(key) {
  return key.slice(key.indexOf('/') + 1);
}

/** The width of the text at the left and at the right of a bar. */
const BESIDE = [34, 168];

const HEAD_FONT = { large: 14, roomy: 13, compact: 11.5, dense: 9.5 };

/** One node: its name, its bars, and the background of its tiles. */
export function drawCard(pen, palette, arrangement, card, node, vmCount) {
  const { density } = arrangement;
  pen.fillStyle = palette.panel;
  pen.strokeStyle = node?.underPressure ? palette['tone-denied'] : palette.line;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(card.x + 0.5, card.y + 0.5, card.width - 1, card.height - 1, density.named ? 8 : 5);
  pen.fill();
  pen.stroke();
  drawHead(pen, palette, density, card, node, vmCount);
  if (!node) {
    return;
  }
  const beside = density.named && density.label === 0 ? BESIDE : [0, 0];
  [0, 1].forEach((kind) => {
    const box = {
      x: card.x + density.pad + beside[0],
      y: card.y + barTop(density, kind),
      width: card.width - 2 * density.pad - beside[0] - beside[1],
      height: density.bar,
    };
    drawBar(pen, palette, node, kind, box);
    if (density.label > 0) {
      drawBarText(pen, palette, node, kind, box.y - density.label / 2, [box.x, box.x + 38, box.x + box.width]);
    } else if (density.named) {
      drawBarText(pen, palette, node, kind, box.y + box.height / 2 + 0.5, [
        card.x + density.pad,
        box.x + box.width + 12,
        card.x + card.width - density.pad,
      ]);
    }
  });
}

function drawHead(pen, palette, density, card, node, vmCount) {
  const size = HEAD_FONT[density.id];
  const middle = card.y + (density.named ? 16 : density.head / 2 + 0.5);
  let right = card.x + card.width - density.pad;
  pen.textBaseline = 'middle';
  const state = node && nodeState(node);
  if (state) {
    right = drawState(pen, palette, density, state, right, middle, size) - 8;
  }
  pen.font = `400 ${size - 1}px ${palette.font}`;
  pen.fillStyle = palette.muted;
  pen.textAlign = 'right';
  if (density.id !== 'dense') {
    const many = density.named ? `${count(vmCount)} ${vmCount === 1 ? 'VM' : 'VMs'}` : count(vmCount);
    pen.fillText(many, right, middle);
    right -= pen.measureText(many).width + 8;
  }
  pen.textAlign = 'left';
  pen.font = `600 ${size}px ${palette.font}`;
  pen.fillStyle = node ? palette.ink : palette.muted;
  const left = card.x + density.pad;
  pen.fillText(fit(pen, node ? node.name : 'on no known node', right - left), left, middle);
}

/** A word if there is room for it, else a dot. */
function drawState(pen, palette, density, state, right, middle, size) {
  const colour = palette[`tone-${state.tone}`];
  if (!density.named) {
    const radius = density.id === 'dense' ? 3 : 4;
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(right - radius, middle, radius, 0, 2 * Math.PI);
    pen.fill();
    return right - 2 * radius;
  }
  pen.font = `600 ${size - 2}px ${palette.font}`;
  const width = pen.measureText(state.word).width + 14;
  pen.globalAlpha = 0.16;
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(right - width, middle - 9, width, 18, 9);
  pen.fill();
  pen.globalAlpha = 1;
  pen.fillStyle = colour;
  pen.textAlign = 'left';
  pen.fillText(state.word, right - width + 7, middle + 0.5);
  return right - width;
}

/** @param {number[]} at where the kind begins, the share begins, and the amounts end */
function drawBarText(pen, palette, node, kind, middle, at) {
  pen.font = `500 11.5px ${palette.font}`;
  pen.textAlign = 'left';
  pen.fillStyle = palette.muted;
  pen.fillText(kind === 0 ? 'CPU' : 'mem', at[0], middle);
  pen.fillStyle = palette.ink;
  pen.fillText(percent(node.reserved[kind], node.total[kind]), at[1], middle);
  pen.textAlign = 'right';
  pen.fillStyle = palette.muted;
  pen.fillText(ofWhole(kind, node.reserved[kind], node.total[kind]), at[2], middle);
}

/** One VM. The level is its size within its maximum, the dark tick its goal, the outline its permit. */
export function drawTile(pen, palette, arrangement, card, slot, vm, faded) {
  const box = tileBox(arrangement, card, slot);
  pen.globalAlpha = faded ? 0.18 : 1;
  if (arrangement.density.id === 'large') {
    drawLargeTile(pen, palette, box, vm);
  } else if (arrangement.density.named) {
    drawNamedTile(pen, palette, box, vm);
  } else {
    drawSmallTile(pen, palette, box, vm, arrangement.density.id === 'compact');
  }
  pen.globalAlpha = 1;
}

function drawTileGround(pen, palette, box, colour) {
  pen.fillStyle = palette.sunken;
  pen.beginPath();
  pen.roundRect(box.x, box.y, box.width, box.height, 5);
  pen.fill();
  pen.save();
  pen.clip();
  pen.fillStyle = colour;
  pen.fillRect(box.x, box.y, 3, box.height);
  pen.restore();
  pen.textBaseline = 'middle';
}

/** Name and cause, levels, size and goal. */
function drawLargeTile(pen, palette, box, vm) {
  const group = groupOf(vm);
  const colour = palette[`wait-${group}`];
  const left = box.x + 11;
  const right = box.x + box.width - 9;
  drawTileGround(pen, palette, box, colour);
  let room = right - left;
  if (group !== 'settled') {
    pen.font = `500 11px ${palette.font}`;
    pen.fillStyle = palette[`tone-${group}`];
    pen.textAlign = 'right';
    pen.fillText(waitingWord(vm), right, box.y + 15);
    room -= pen.measureText(waitingWord(vm)).width + 6;
  }
  pen.font = `600 12px ${palette.font}`;
  pen.fillStyle = palette.ink;
  pen.textAlign = 'left';
  pen.fillText(fit(pen, shortName(vm.key), room), left, box.y + 15);
  [0, 1].forEach((kind) =>
    drawLevel(pen, palette, vm, kind, colour, { x: left, y: box.y + 29 + kind * 8, width: right - left, height: 5 }),
  );
  pen.font = `500 11px ${palette.font}`;
  pen.fillStyle = palette.muted;
  const size = amount(vm.size);
  pen.fillText(size, left, box.y + 56);
  if (vm.goal && (vm.goal[0] !== vm.size[0] || vm.goal[1] !== vm.size[1])) {
    pen.fillStyle = palette.ink;
    pen.textAlign = 'right';
    pen.fillText(
      fit(pen, `\u2192 ${cpu(vm.goal[0])}`, right - left - pen.measureText(size).width - 6),
      right,
      box.y + 56,
    );
  }
}

function drawNamedTile(pen, palette, box, vm) {
  const colour = palette[`wait-${groupOf(vm)}`];
  const left = box.x + 10;
  const right = box.x + box.width - 8;
  drawTileGround(pen, palette, box, colour);
  pen.font = `500 11px ${palette.font}`;
  pen.fillStyle = palette.muted;
  pen.textAlign = 'right';
  const size = box.width > 190 ? amount(vm.size) : cpu(vm.size[0]);
  pen.fillText(size, right, box.y + 13);
  const room = right - left - pen.measureText(size).width - 6;
  pen.font = `500 11.5px ${palette.font}`;
  pen.fillStyle = palette.ink;
  pen.textAlign = 'left';
  pen.fillText(fit(pen, shortName(vm.key), room), left, box.y + 13);
  [0, 1].forEach((kind) =>
    drawLevel(pen, palette, vm, kind, colour, { x: left, y: box.y + 24 + kind * 7, width: right - left, height: 4 }),
  );
}

function drawLevel(pen, palette, vm, kind, colour, box) {
  const share = (pair) => (pair && vm.max[kind] > 0 ? Math.min(1, pair[kind] / vm.max[kind]) : null);
  pen.fillStyle = palette['bar-track'];
  pen.fillRect(box.x, box.y, box.width, box.height);
  const permit = share(vm.permit);
  const size = share(vm.size);
  if (permit !== null && permit > size) {
    pen.fillStyle = hatch(pen, palette, 'muted');
    pen.fillRect(box.x + size * box.width, box.y, (permit - size) * box.width, box.height);
  }
  pen.fillStyle = colour;
  pen.fillRect(box.x, box.y, size * box.width, box.height);
  const goal = share(vm.goal);
  if (goal !== null) {
    pen.fillStyle = palette.ink;
    pen.fillRect(Math.min(box.x + box.width - 2, box.x + goal * box.width - 1), box.y - 1, 2, box.height + 2);
  }
}

function drawSmallTile(pen, palette, box, vm, outlined) {
  const colour = palette[`wait-${groupOf(vm)}`];
  const height = level(vm.size, vm.max) * box.height;
  pen.fillStyle = palette['bar-track'];
  pen.fillRect(box.x, box.y, box.width, box.height);
  pen.fillStyle = colour;
  pen.fillRect(box.x, box.y + box.height - height, box.width, height);
  const permit = level(vm.permit, vm.max);
  if (outlined && permit !== null && permit * box.height > height + 1) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1;
    pen.strokeRect(
      box.x + 0.5,
      box.y + box.height - permit * box.height + 0.5,
      box.width - 1,
      permit * box.height - height - 1,
    );
  }
  const goal = level(vm.goal, vm.max);
  if (goal !== null && Math.abs(goal * box.height - height) > 0.5) {
    pen.fillStyle = palette.ink;
    pen.fillRect(
      box.x,
      Math.min(box.y + box.height - 1, box.y + (1 - goal) * box.height),
      box.width,
      outlined ? 1.5 : 1,
    );
  }
}

/** The place of a VM that is moving here. */
export function drawGhost(pen, palette, arrangement, card, slot, vm) {
  const box = tileBox(arrangement, card, slot);
  pen.strokeStyle = palette['wait-moving'];
  pen.lineWidth = 1;
  pen.setLineDash([3, 2]);
  pen.beginPath();
  pen.roundRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, arrangement.density.named ? 5 : 1);
  pen.stroke();
  pen.setLineDash([]);
  if (arrangement.density.named) {
    pen.font = `500 11.5px ${palette.font}`;
    pen.fillStyle = palette.muted;
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    pen.fillText(fit(pen, `${shortName(vm)} arrives`, box.width - 18), box.x + 10, box.y + box.height / 2 + 0.5);
  }
}

/** The box of a card's head, around which the cursor is drawn. */
export function headBox(arrangement, card) {
  const { density } = arrangement;
  return { x: card.x + 2, y: card.y + 2, width: card.width - 4, height: tilesTop(density) - 4 };
}
