/** Full screen, and the menu of a card: exports of pictures and data. */

import { useWords } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { saveUrl } from "../../lib/download";
import { Button } from "../../ui/button";
import { Menu, MenuItem, MenuLine, MenuSub } from "../../ui/menu";
import { GraphItem } from "../cards/graph-item";
import type { LineStyle } from "../runs/line-styles";
import { notify } from "../view/notice";
import { useView } from "../view/view";
import { printView } from "../view/view-address";
import { exportPicture } from "./export";
import { seriesUrl } from "./histograms";

interface CardActionsProps {
  tag: string;
  runs: readonly LineStyle[];
  onFull(): void;
}

/** With more runs, their series are in a submenu. */
const FEW = 1;

export function CardActions({ tag, runs, onFull }: CardActionsProps) {
  const say = useWords();
  return (
    <>
      <Button variant="quiet" size="small" icon="full" label={say("card.full")} onClick={onFull} />
      <Menu
        align="end"
        trigger={<Button variant="quiet" size="small" icon="more" label={say("card.more")} />}
      >
        <MenuItem onSelect={() => exportPicture(tag, runs, "png")}>{say("take.png")}</MenuItem>
        <MenuItem onSelect={() => exportPicture(tag, runs, "svg")}>{say("take.svg")}</MenuItem>
        <MenuLine />
        <Series tag={tag} runs={runs} />
        <MenuLine />
        <MenuItem onSelect={() => void copyLink(tag)}>{say("card.copyLink")}</MenuItem>
        <MenuItem onSelect={() => void copyName(tag)}>{say("card.copyName")}</MenuItem>
        <GraphItem tag={tag} runs={runs.map(({ id }) => id)} />
      </Menu>
    </>
  );
}

function Series({ tag, runs }: { tag: string; runs: readonly LineStyle[] }) {
  const say = useWords();
  if (runs.length <= FEW) {
    return runs.map(({ name }) => [
      <MenuItem key="csv" onSelect={() => saveUrl(seriesUrl(name, tag, "csv"))}>
        {say("hist.csv")}
      </MenuItem>,
      <MenuItem key="json" onSelect={() => saveUrl(seriesUrl(name, tag, "json"))}>
        {say("hist.json")}
      </MenuItem>,
    ]);
  }
  return (["csv", "json"] as const).map((format) => (
    <MenuSub key={format} label={say(`hist.${format}`)}>
      {runs.map(({ id, name, label }) => (
        <MenuItem key={id} onSelect={() => saveUrl(seriesUrl(name, tag, format))}>
          <bdi>{label}</bdi>
        </MenuItem>
      ))}
    </MenuSub>
  ));
}

/** A link to the current view with only this tag. */
async function copyLink(tag: string): Promise<void> {
  const only = `^${tag.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
  const view = { ...useView.getState(), page: "histograms", subject: "", tagFilter: only };
  const link = location.origin + location.pathname + printView(view, location.search);
  notify((await copyText(link)) ? "notice.copied" : "notice.notCopied");
}

async function copyName(tag: string): Promise<void> {
  notify((await copyText(tag)) ? "action.copied" : "notice.notCopied");
}
