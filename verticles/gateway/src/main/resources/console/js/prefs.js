/** Settings that this browser stores for its user; lost at the end of the page where storage is switched off. */
const PREFIX = 'sluice.';

export function remembered(name, otherwise) {
  try {
    return localStorage.getItem(PREFIX + name) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    if (value === null) {
      localStorage.removeItem(PREFIX + name);
    } else {
      localStorage.setItem(PREFIX + name, value);
    }
  } catch {
    // The setting lasts until the page is closed then.
  }
}
