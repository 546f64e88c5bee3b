/** The export menu of a text. */

import { fetchText } from "../../api/text";
import type { SeriesValue } from "../../state/run-series";
import { Button } from "../../widgets/button";
import { Menu, MenuItem } from "../../widgets/menu";
import { useWords } from "../../words/words";
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
