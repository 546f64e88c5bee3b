// Runs before the first paint; kept outside the page so that the content policy can forbid inline scripts.
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
  // What the page says it wants first is on its way while the program itself is still being loaded.
  const headers = { accept: "application/json", "x-lightboard-poll": document.visibilityState };
  window.lightboardBoot = {};
  for (const path of document.currentScript.dataset.asks.split(" "))
    window.lightboardBoot[path] = fetch(`api/v1/${path}`, { headers });
  for (const answer of Object.values(window.lightboardBoot)) answer.catch(() => {});
})();
