/** A node's bar: its reservations as parts of its total. */
import { hatch } from './palette.js';

/**
 * Where the parts of a bar end, as shares of its width. Everything fits: the reservations of a node can exceed its
 * total.
 */
export function barParts(node, kind) {
  const total = node.total[kind];
  const reserved = node.reserved[kind];
  const refused = node.capacityPressure[kind];
  const scale = Math.max(total, reserved + refused, 1);
  const held = Math.min(node.held[kind], reserved);
  const buffer = Math.min(node.buffer[kind], reserved - held);
  return {
    firm: (reserved - held - buffer) / scale,
    buffer: (reserved - held) / scale,
    reserved: reserved / scale,
    refused: (reserved + refused) / scale,
    leaving: Math.max(0, reserved - node.accountedPressure[kind]) / scale,
    watermark: Math.min(1, node.watermark[kind] / scale),
    total: total / scale,
  };
}

/** @param {CanvasRenderingContext2D} pen */
export function drawBar(pen, palette, node, kind, box) {
  const parts = barParts(node, kind);
  const { x, y, width, height } = box;
  const radius = Math.min(3, height / 2);
  const span = (from, to, style) => {
    if (to > from) {
      pen.fillStyle = style;
      pen.fillRect(x + from * width, y, (to - from) * width, height);
    }
  };
  pen.save();
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  pen.clip();
  span(0, parts.total, palette['bar-track']);
  span(0, Math.min(parts.firm, parts.watermark), palette.bar);
  span(parts.watermark, parts.firm, palette['bar-over']);
  span(parts.firm, parts.buffer, palette['bar-held']);
  span(parts.firm, parts.buffer, hatch(pen, palette, 'bar'));
  span(parts.buffer, parts.reserved, palette['bar-held']);
  span(parts.reserved, parts.refused, hatch(pen, palette, 'pressure'));
  if (parts.leaving < parts.reserved) {
    pen.fillStyle = palette.leaving;
    const line = Math.max(2, Math.round(height / 4));
    pen.fillRect(x + parts.leaving * width, y + height - line, (parts.reserved - parts.leaving) * width, line);
  }
  if (parts.total < 1) {
    // A notch, not a line: lines are watermarks.
    pen.fillStyle = palette.panel;
    pen.fillRect(x + parts.total * width - 1, y, 2, height);
  }
  pen.restore();
  drawWatermark(pen, palette, x + parts.watermark * width, y, height);
}

function drawWatermark(pen, palette, at, y, height) {
  const reach = height > 10 ? 2 : 1;
  pen.fillStyle = palette.watermark;
  pen.fillRect(Math.round(at) - 1, y - reach, 1.5, height + 2 * reach);
}
