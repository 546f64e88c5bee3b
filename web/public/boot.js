// Runs before the first paint; kept outside index.html so that the content policy can forbid inline scripts.
(() => {
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search).get("darkMode");
  let kept = null;
  try {
    kept = localStorage.getItem("lightboard.theme");
  } catch {}
  const wish = asked === "true" ? "dark" : asked === "false" ? "light" : kept;
  const dark = wish === "dark" || (wish !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  root.style.colorScheme = dark ? "dark" : "light";
  // The lists are on their way while the program itself is still being loaded.
  const ask = (path) => fetch(`api/v1/${path}`, { headers: { accept: "application/json" } });
  window.lightboardBoot = {};
  for (const path of ["status", "runs", "tags?plugin=scalars", "overlay"])
    window.lightboardBoot[path] = ask(path);
  for (const answer of Object.values(window.lightboardBoot)) answer.catch(() => {});
})();
