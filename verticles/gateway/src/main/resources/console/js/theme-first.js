// Not a module, and before the style sheets: the chosen theme must be known when the first pixel is drawn.
(function () {
  try {
    const chosen = localStorage.getItem('sluice.theme');
    if (chosen === 'light' || chosen === 'dark') {
      document.documentElement.dataset.theme = chosen;
    }
  } catch {
    // Storage is switched off: the system's theme it is.
  }
})();
