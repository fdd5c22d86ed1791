/** Migrations as movement: an arc from the source to the target, with dots that move along it. */
import { ended } from '../summary.js';
import { tileBox } from './layout.js';

const TRIP_MS = 1800;
const ARCS_MAX = 200;
const DOTS = 3;

/** The visible arcs, in the coordinates of the screen. */
export function visibleArcs(plot, top, height) {
  const arcs = [];
  for (const migration of plot.fleet.migrations) {
    const from = !ended(migration) && boxOf(plot, plot.placeOf(migration.from, migration.vm), top);
    const to = from && boxOf(plot, plot.arrivalPlace(migration.to, migration.vm), top);
    if (to && !(from.y < 0 && to.y < 0) && !(from.y > height && to.y > height)) {
      const pulled = bend(from, to);
      arcs.push({
        from: edge(from, pulled),
        to: edge(to, pulled),
        bend: pulled,
        waiting: migration.phase !== 'RUNNING',
      });
    }
    if (arcs.length === ARCS_MAX) {
      break;
    }
  }
  return arcs;
}

/** A tile's centre on the screen, and its extent from there. */
function boxOf(plot, place, top) {
  if (!place) {
    return null;
  }
  const box = tileBox(plot.arrangement, plot.arrangement.cards[place.card], place.slot);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 - top, across: box.width / 2, down: box.height / 2 };
}

/** Where the line from a tile's centre to a point leaves the tile: its text stays readable. */
function edge(box, point) {
  const dx = point.x - box.x;
  const dy = point.y - box.y;
  const share = Math.min(dx ? box.across / Math.abs(dx) : Infinity, dy ? box.down / Math.abs(dy) : Infinity, 1);
  return { x: box.x + dx * share, y: box.y + dy * share };
}

/** The control point of the arc, above the straight line. */
function bend(from, to) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const pull = Math.min(120, Math.max(36, length * 0.22)) * (dx < 0 ? -1 : 1);
  return { x: (from.x + to.x) / 2 + (dy / length) * pull, y: (from.y + to.y) / 2 - (dx / length) * pull };
}

function along({ from, bend: pulled, to }, share) {
  const rest = 1 - share;
  return {
    x: rest * rest * from.x + 2 * rest * share * pulled.x + share * share * to.x,
    y: rest * rest * from.y + 2 * rest * share * pulled.y + share * share * to.y,
  };
}

/** @param {number|null} nowMs null for users who prefer reduced motion */
export function drawArcs(pen, palette, arcs, nowMs) {
  const colour = palette['wait-moving'];
  arcs.forEach((arc, index) => {
    pen.strokeStyle = colour;
    pen.fillStyle = colour;
    pen.lineWidth = 1.75;
    pen.globalAlpha = arc.waiting ? 0.45 : 0.8;
    pen.setLineDash(arc.waiting ? [4, 4] : []);
    pen.beginPath();
    pen.moveTo(arc.from.x, arc.from.y);
    pen.quadraticCurveTo(arc.bend.x, arc.bend.y, arc.to.x, arc.to.y);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    drawEnds(pen, arc);
    if (nowMs !== null && !arc.waiting) {
      drawTravellers(pen, arc, nowMs / TRIP_MS + index * 0.37);
    }
  });
}

function drawEnds(pen, arc) {
  pen.beginPath();
  pen.arc(arc.from.x, arc.from.y, 3, 0, 2 * Math.PI);
  pen.fill();
  const angle = Math.atan2(arc.to.y - arc.bend.y, arc.to.x - arc.bend.x);
  pen.beginPath();
  pen.moveTo(arc.to.x, arc.to.y);
  for (const turn of [-0.45, 0.45]) {
    pen.lineTo(arc.to.x - 9 * Math.cos(angle + turn), arc.to.y - 9 * Math.sin(angle + turn));
  }
  pen.fill();
}

function drawTravellers(pen, arc, turn) {
  for (let dot = 0; dot < DOTS; dot++) {
    const point = along(arc, (turn - dot * 0.045 + 1) % 1);
    pen.globalAlpha = 1 - dot * 0.3;
    pen.beginPath();
    pen.arc(point.x, point.y, 4.5 - dot, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.globalAlpha = 1;
}
