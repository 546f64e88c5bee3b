/** What is being made to take away, in a corner: nothing waits for it. */

import { type Taking, useTakings } from "../../state/taking";
import { Button } from "../../widgets/button";
import { bytes } from "../../words/format";
import { useWords } from "../../words/words";
import style from "./takings-strip.module.css";

export default function TakingsStrip() {
  const takings = useTakings((state) => state.takings);
  return (
    <div className={style.place} role="status" aria-live="polite">
      {takings.map((taking) => (
        <Strip key={taking.id} taking={taking} />
      ))}
    </div>
  );
}

function Strip({ taking: { name, done, total, cancel } }: { taking: Taking }) {
  const say = useWords();
  const share = total > 0 ? say("take.share", { done, total }) : done > 0 ? bytes(done) : "";
  return (
    <div className={style.strip} data-testid="taking">
      <progress {...(total > 0 && { value: done, max: total })} aria-label={name} />
      <bdi className={style.name}>{name}</bdi>
      <span className={style.share}>{share}</span>
      <Button look="quiet" size="small" icon="close" label={say("action.cancel")} onClick={cancel} />
    </div>
  );
}
