/** Light, dark, or as the system says. */
import { remember } from './prefs.js';

const CHOICES = ['system', 'light', 'dark'];
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set();

export function theme() {
  return document.documentElement.dataset.theme ?? 'system';
}

/** Whether dark is what is seen now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : systemIsDark.matches;
}

/** Goes to the next choice and returns it. */
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

/** Canvases hold colours of their own and must be told. */
export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

systemIsDark.addEventListener('change', () => listeners.forEach((listener) => listener()));
