/** The menu that saves the picture, and the graph for other programs. */

import { graphFileUrl } from "../../api/graphs";
import { readSchemeTheme } from "../../chart";
import { useWords } from "../../i18n/words";
import type { ColorScheme } from "../../lib/color-scheme";
import { saveUrl } from "../../lib/download";
import { Button } from "../../ui/button";
import { Menu, MenuItem } from "../../ui/menu";
import { exportGraph } from "./export";
import type { Picture } from "./geometry/picture";
import { graphName, type RunGraph } from "./graph-data";
import { exportHtml, type SchemeLook } from "./html-file";
import { lineEntries } from "./legend-entries";
import type { GraphStage } from "./stage";

interface ExportMenuProps {
  picture: Picture | null;
  stage: GraphStage | null;
  chosen: RunGraph;
  styleOf(scheme: ColorScheme): Omit<SchemeLook, "theme">;
}

export function ExportMenu({ picture, stage, chosen, styleOf }: ExportMenuProps) {
  const say = useWords();
  const title = [chosen.run, chosen.info.tag].filter((part) => part !== "").join(" · ");
  const themed = (scheme: ColorScheme) => {
    const [look, theme] = [styleOf(scheme), readSchemeTheme(scheme)];
    const lines = picture ? lineEntries(picture, theme.cursor) : [];
    return { ...look, theme, legend: [...look.legend, ...lines] };
  };
  const save = (format: "svg" | "png" | "html") => {
    if (!picture || !stage) return;
    const { drawing } = stage;
    const light = themed("light");
    if (format !== "html") {
      const { theme, colorOf, markOf, legend } = light;
      void exportGraph({ picture, title, theme, legend, drawing: { ...drawing, colorOf, markOf } }, format);
      return;
    }
    const language = document.documentElement.lang;
    void exportHtml({ picture, title, drawing, language, light, dark: themed("dark") });
  };
  const download = (format: "dot" | "model-explorer") => saveUrl(graphFileUrl(graphName(chosen), format));
  return (
    <Menu align="end" trigger={<Button icon="download" label={say("take.title")} />}>
      <MenuItem disabled={!picture} onSelect={() => save("svg")}>
        {say("take.svg")}
      </MenuItem>
      <MenuItem disabled={!picture} onSelect={() => save("png")}>
        {say("take.png")}
      </MenuItem>
      <MenuItem disabled={!picture} onSelect={() => save("html")}>
        {say("graphs.export.html")}
      </MenuItem>
      <MenuItem onSelect={() => download("dot")}>{say("graphs.export.dot")}</MenuItem>
      <MenuItem onSelect={() => download("model-explorer")}>{say("graphs.export.explorer")}</MenuItem>
    </Menu>
  );
}
