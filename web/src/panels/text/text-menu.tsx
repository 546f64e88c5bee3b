/** A text to take away: on the clipboard, as a file, as JSON with what is known of it. */

import { askText } from "../../api/text";
import type { SeriesValue } from "../../state/runseries";
import { Button } from "../../widgets/button";
import { Menu, MenuItem } from "../../widgets/menu";
import { useWords } from "../../words/words";
import { MOST_BYTES, type TextName } from "./shown";
import { copy, keepJson, keepText } from "./take";

export function TextMenu({ name, value }: { name: TextName; value: SeriesValue }) {
  const say = useWords();
  const whole = () => askText(name, { form: "raw", most: MOST_BYTES, slice: 0 });
  return (
    <Menu align="end" trigger={<Button look="quiet" size="small" icon="more" label={say("text.menu")} />}>
      <MenuItem onSelect={() => void copy(whole)}>{say("text.copy")}</MenuItem>
      <MenuItem onSelect={() => void keepText(name, whole)}>{say("text.txt")}</MenuItem>
      <MenuItem onSelect={() => void keepJson(name, value, whole)}>{say("text.json")}</MenuItem>
    </Menu>
  );
}
