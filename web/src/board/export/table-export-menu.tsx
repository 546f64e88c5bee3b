/** The export menu of a table: files to download, and formats to copy. */

import { useWords } from "../../i18n/words";
import { saveFile } from "../../lib/download";
import { csvTable, latexTable, markdownTable, type Table } from "../../lib/table";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Menu, MenuItem, MenuLine } from "../../ui/menu";
import { copyWithNotice } from "../view/copy-with-notice";

/** Names of formats, the same in every language. */
const CSV = "CSV";
const JSON_NAME = "JSON";
const MARKDOWN = "Markdown";
const LATEX = "LaTeX";

interface TableExportMenuProps {
  /** Name of the files, without the extension. */
  name: string;
  /** The table with every digit of every number, for programs. */
  exact(): Table;
  json(): string;
  /** The table as it is read on the page, for Markdown and LaTeX; `exact` if absent. */
  readable?: () => Table;
  /** Offer a LaTeX file as well. */
  latexFile?: boolean;
}

export function TableExportMenu({
  name,
  exact,
  json,
  readable = exact,
  latexFile = false,
}: TableExportMenuProps) {
  const say = useWords();
  return (
    <Menu
      trigger={
        <Button>
          {say("runspage.take")}
          <Icon name="down" size={12} />
        </Button>
      }
    >
      <MenuItem onSelect={() => saveFile(csvTable(exact()), `${name}.csv`, "text/csv")}>{CSV}</MenuItem>
      <MenuItem onSelect={() => saveFile(json(), `${name}.json`, "application/json")}>{JSON_NAME}</MenuItem>
      {latexFile && (
        <MenuItem onSelect={() => saveFile(latexTable(readable()), `${name}.tex`, "application/x-tex")}>
          {LATEX}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem onSelect={() => void copyWithNotice(markdownTable(readable()))}>
        {say("runspage.copyAs", { format: MARKDOWN })}
      </MenuItem>
      <MenuItem onSelect={() => void copyWithNotice(latexTable(readable()))}>
        {say("runspage.copyAs", { format: LATEX })}
      </MenuItem>
      <MenuItem onSelect={() => void copyWithNotice(csvTable(exact()))}>
        {say("runspage.copyAs", { format: CSV })}
      </MenuItem>
    </Menu>
  );
}
