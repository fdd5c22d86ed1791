/** The style sheet's colours, read once per theme: a canvas cannot use CSS variables. */
import { GROUPS } from '../words.js';

const NAMES = [
  'ink',
  'muted',
  'faint',
  'panel',
  'sunken',
  'line',
  'line-strong',
  'focus',
  'bar',
  'bar-over',
  'bar-held',
  'bar-track',
  'watermark',
  'pressure',
  'leaving',
];

/** Colours by name: those of {@link NAMES}, and `wait-<group>` and `tone-<group>` for each group. */
export function readPalette() {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const palette = {};
  for (const name of [...NAMES, ...GROUPS.flatMap(({ id }) => [`wait-${id}`, `tone-${id}`])]) {
    probe.style.color = `var(--${name})`;
    palette[name] = getComputedStyle(probe).color;
  }
  palette.font = getComputedStyle(document.body).fontFamily;
  probe.remove();
  return palette;
}

const hatches = new WeakMap();

/** Slanted lines of a colour on a transparent background. */
export function hatch(context, palette, name) {
  let known = hatches.get(palette);
  if (!known) {
    hatches.set(palette, (known = new Map()));
  }
  const ratio = devicePixelRatio;
  const id = `${name}@${ratio}`;
  if (!known.has(id)) {
    const size = Math.round(5 * ratio);
    const tile = new OffscreenCanvas(size, size);
    const pen = tile.getContext('2d');
    pen.strokeStyle = palette[name];
    pen.lineWidth = 1.5 * ratio;
    for (const shift of [-size, 0, size]) {
      pen.beginPath();
      pen.moveTo(shift - 1, size + 1);
      pen.lineTo(shift + size + 1, -1);
      pen.stroke();
    }
    const pattern = context.createPattern(tile, 'repeat');
    pattern.setTransform(new DOMMatrix().scale(1 / ratio));
    known.set(id, pattern);
  }
  return known.get(id);
}
