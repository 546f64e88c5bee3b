import "../base/look/fonts.css";
import "../base/look/tokens.css";
import "../base/look/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { TESTING } from "../state/clock";
import { queries } from "../state/lists";
import { startSession } from "../state/session";
import { followTheme } from "../state/theme";
import { followHistory, useView } from "../state/view";
import { browserLanguage, speak } from "../words/words";
import { Crash } from "./crash";
import { Shell } from "./shell";

/** Words in the language of the view, now and when it changes. A catalog that fails to load leaves English. */
function followLanguage(): Promise<void> {
  const chosen = () => useView.getState().language ?? browserLanguage();
  useView.subscribe((view, before) => {
    if (view.language !== before.language) void speak(chosen());
  });
  return speak(chosen()).catch(() => {});
}

if (TESTING) document.documentElement.dataset.still = "";
followTheme();
followHistory();
startSession();
await followLanguage();
createRoot(document.getElementById("root")!).render(
  <QueryClientProvider client={queries}>
    <Crash>
      <Shell />
    </Crash>
  </QueryClientProvider>,
);
