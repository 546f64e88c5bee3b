/** The export menu of a text. */

import { fetchText } from "../../api/text";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Menu, MenuItem } from "../../ui/menu";
import type { SeriesValue } from "../cards/run-series";
import { copyContent, saveJson, saveText } from "./export";
import { MAX_BYTES, type TextName } from "./text-value";

export function ExportMenu({ name, value }: { name: TextName; value: SeriesValue }) {
  const say = useWords();
  const whole = () => fetchText(name, { form: "raw", most: MAX_BYTES, slice: 0 });
  return (
    <Menu align="end" trigger={<Button variant="quiet" size="small" icon="more" label={say("text.menu")} />}>
      <MenuItem onSelect={() => void copyContent(whole)}>{say("text.copy")}</MenuItem>
      <MenuItem onSelect={() => void saveText(name, whole)}>{say("text.txt")}</MenuItem>
      <MenuItem onSelect={() => void saveJson(name, value, whole)}>{say("text.json")}</MenuItem>
    </Menu>
  );
}
