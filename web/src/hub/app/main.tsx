import "../../base/look/fonts.css";
import "../../base/look/tokens.css";
import "../../base/look/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { TESTING } from "../../state/clock";
import { sendCsrf } from "../state/me";
import { followPreferences } from "../state/preferences";
import { queries } from "../state/queries";
import { Crash } from "./crash";
import { Shell } from "./shell";

if (TESTING) document.documentElement.dataset.still = "";
sendCsrf();
await followPreferences();
createRoot(document.getElementById("root")!).render(
  <QueryClientProvider client={queries}>
    <Crash>
      <Shell />
    </Crash>
  </QueryClientProvider>,
);
