// Sets the theme before the first paint. Kept in step with src/lib/theme.ts, which owns the rule.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem('theme');
  } catch {
    choice = null;
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
