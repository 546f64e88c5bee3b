import "../../ui/css/fonts.css";
import "../../ui/css/tokens.css";
import "../../ui/css/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { TESTING } from "../../lib/current-time";
import { addCsrfHeader } from "../data/me";
import { followPreferences } from "../data/preferences";
import { queries } from "../data/queries";
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
