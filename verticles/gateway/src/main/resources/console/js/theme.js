/** Light, dark, or as in the system. */
import { remember } from './prefs.js';

const CHOICES = ['system', 'light', 'dark'];
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set();

export function theme() {
  return document.documentElement.dataset.theme ?? 'system';
}

/** Whether the page is dark now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : systemIsDark.matches;
}

/** Switches to the next choice and returns it. */
export function switchTheme() {
  const next = CHOICES[(CHOICES.indexOf(theme()) + 1) % CHOICES.length];
  remember('theme', next === 'system' ? null : next);
  if (next === 'system') {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = next;
  }
  listeners.forEach((listener) => listener());
  return next;
}

/** Canvases have colours of their own and must be redrawn. */
export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

systemIsDark.addEventListener('change', () => listeners.forEach((listener) => listener()));
