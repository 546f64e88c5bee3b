/** The run table as it stands, taken away: CSV, JSON, Markdown, LaTeX, every digit of every number. */

import { saveFile } from "../../base/save";
import { csvTable, latexTable, markdownTable } from "../../base/table";
import type { Table } from "../../panels/runs/use-table";
import { copyText } from "../../state/clipboard";
import { notify } from "../../state/notice";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icon";
import { Menu, MenuItem, MenuLine } from "../../widgets/menu";
import { useWords } from "../../words/words";
import { jsonOf, tableOf } from "./taken";

/** Names of formats, the same in every language. */
const CSV = "CSV";
const JSON_NAME = "JSON";
const MARKDOWN = "Markdown";
const LATEX = "LaTeX";

export function TakeTable({ table }: { table: Table }) {
  const say = useWords();
  const copy = async (text: string) => notify((await copyText(text)) ? "action.copied" : "notice.notCopied");
  return (
    <Menu
      trigger={
        <Button>
          {say("runspage.take")}
          <Icon name="down" size={12} />
        </Button>
      }
    >
      <MenuItem onSelect={() => saveFile(csvTable(tableOf(table)), "runs.csv", "text/csv")}>{CSV}</MenuItem>
      <MenuItem onSelect={() => saveFile(jsonOf(table), "runs.json", "application/json")}>
        {JSON_NAME}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => void copy(markdownTable(tableOf(table)))}>
        {say("runspage.copyAs", { format: MARKDOWN })}
      </MenuItem>
      <MenuItem onSelect={() => void copy(latexTable(tableOf(table)))}>
        {say("runspage.copyAs", { format: LATEX })}
      </MenuItem>
      <MenuItem onSelect={() => void copy(csvTable(tableOf(table)))}>
        {say("runspage.copyAs", { format: CSV })}
      </MenuItem>
    </Menu>
  );
}
