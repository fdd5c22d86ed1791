/** What this browser remembers for its reader; forgotten silently where storage is switched off. */
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
    // It holds until the page is closed, then.
  }
}
