import "../../base/css/fonts.css";
import "../../base/css/tokens.css";
import "../../base/css/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { TESTING } from "../../state/clock";
import { addCsrfHeader } from "../state/me";
import { followPreferences } from "../state/preferences";
import { queries } from "../state/queries";
import { Crash } from "./crash";
import { Shell } from "./shell";

if (TESTING) document.documentElement.dataset.still = "";
addCsrfHeader();
await followPreferences();
createRoot(document.getElementById("root")!).render(
  <QueryClientProvider client={queries}>
    <Crash>
      <Shell />
    </Crash>
  </QueryClientProvider>,
);
