// Runs before the first paint: the theme that was chosen on the hub's pages, and which keys this machine has.
(() => {
  const root = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem("lightboard.theme");
    localStorage.setItem("vitepress-theme-appearance", theme ?? "auto");
  } catch {}
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", dark);
  root.classList.toggle("mac", /Mac|iPhone|iPod|iPad/i.test(navigator.platform));
})();
