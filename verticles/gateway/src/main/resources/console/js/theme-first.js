// Not a module, and before the style sheets: the chosen theme must be set before the first paint.
(function () {
  try {
    const chosen = localStorage.getItem('sluice.theme');
    if (chosen === 'light' || chosen === 'dark') {
      document.documentElement.dataset.theme = chosen;
    }
  } catch {
    // Storage is switched off: the system's theme is used.
  }
})();
