import "../base/look/fonts.css";
import "../base/look/tokens.css";
import "../base/look/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { sendAlways } from "../api/client";
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

/** How long the first drawing waits for the lists: what comes later is drawn again, and at once. */
const PATIENCE_MS = 150;

/** When it is done, or after a moment. */
function soon(work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

if (TESTING) document.documentElement.dataset.still = "";
// Whoever watches a hidden page keeps no board of a hub from its rest.
sendAlways(() => ({ "x-lightboard-poll": document.visibilityState }));
followTheme();
followHistory();
const answered = startSession();
await followLanguage();
await soon(answered);
const root = createRoot(document.getElementById("root")!);
// The first drawing of everything is long: as a transition it is made in slices that leave the page to the reader.
startTransition(() =>
  root.render(
    <QueryClientProvider client={queries}>
      <Crash>
        <Shell />
      </Crash>
    </QueryClientProvider>,
  ),
);
