import { useStatus, wallTime } from "../state/lists";
import { useLive } from "../state/live";
import { live } from "../state/session";
import { Button } from "../widgets/button";
import { timeOfDay } from "../words/format";
import { useWords } from "../words/words";

export function ReloadButton() {
  const say = useWords();
  const reloading = useLive((state) => state.reloading);
  const scanned = wallTime(useStatus().data?.last_scan ?? null);
  const tip = scanned === null ? "" : `\n${say("reload.last", { time: timeOfDay(scanned) })}`;
  return (
    <Button
      look="quiet"
      icon="reload"
      aria-label={say("reload.label")}
      title={`${say("reload.label")} (r)${tip}`}
      aria-busy={reloading}
      data-testid="reload"
      onClick={() => void live.reload()}
    />
  );
}
