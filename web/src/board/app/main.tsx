import "../../ui/css/fonts.css";
import "../../ui/css/tokens.css";
import "../../ui/css/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { addDefaultHeaders } from "../../api/client";
import { browserLanguage, speak } from "../../i18n/words";
import { TESTING } from "../../lib/current-time";
import { queries } from "../data/lists";
import { startSession } from "../data/session";
import { followTheme } from "../view/theme";
import { followHistory, useView } from "../view/view";
import { Crash } from "./crash";
import { Shell } from "./shell";

/** Keeps the language equal to the view. English stays if a catalog fails to load. */
function followLanguage(): Promise<void> {
  const chosen = () => useView.getState().language ?? browserLanguage();
  useView.subscribe((view, before) => {
    if (view.language !== before.language) void speak(chosen());
  });
  return speak(chosen()).catch(() => {});
}

/** How long the first render waits for the lists; data that arrives later renders again. */
const TIMEOUT_MS = 150;

/** Resolves when the work is done, or after a moment. */
function withTimeout(work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);
}

if (TESTING) document.documentElement.dataset.still = "";
// A hidden page does not keep a board of a hub running.
addDefaultHeaders(() => ({ "x-lightboard-poll": document.visibilityState }));
followTheme();
followHistory();
const answered = startSession();
await followLanguage();
await withTimeout(answered);
const root = createRoot(document.getElementById("root")!);
// The first render takes long: as a transition it is split, so that the page stays responsive.
startTransition(() =>
  root.render(
    <QueryClientProvider client={queries}>
      <Crash>
        <Shell />
      </Crash>
    </QueryClientProvider>,
  ),
);
