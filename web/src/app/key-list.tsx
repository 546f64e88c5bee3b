import { Dialog } from "../widgets/dialog";
import { useWords, type WordId } from "../words/words";
import style from "./key-list.module.css";

/** Every key the board knows, in the order of use. */
const KEYS: readonly (readonly [keys: readonly string[], word: WordId])[] = [
  [["/"], "keys.runFilter"],
  [["t"], "keys.tagFilter"],
  [["Ctrl K"], "keys.search"],
  [["x"], "keys.axis"],
  [["[", "]"], "keys.smoothing"],
  [["0"], "keys.smoothingOff"],
  [["l"], "keys.logY"],
  [["a"], "keys.all"],
  [["o"], "keys.only"],
  [["b"], "keys.side"],
  [["r"], "keys.reload"],
  [["."], "keys.live"],
  [["←", "→"], "keys.cursor"],
  [["Enter"], "keys.pin"],
  [["g t"], "keys.timeseries"],
  [["Alt M"], "keys.theme"],
  [["Esc"], "keys.escape"],
  [["?"], "keys.list"],
];

export function KeyList({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useWords();
  return (
    <Dialog title={say("keys.title")} closeLabel={say("action.close")} open={open} onClose={onClose}>
      <table className={style.table}>
        <tbody>
          {KEYS.map(([keys, word]) => (
            <tr key={word}>
              <td className={style.keys}>
                {keys.map((key) => (
                  <kbd key={key} className={style.key}>
                    {key}
                  </kbd>
                ))}
              </td>
              <td>{say(word)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
