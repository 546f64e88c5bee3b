import { useView } from "../../state/view";
import { columnsFor, GAP_PX } from "./rows";
import style from "./skeleton.module.css";

const SHOWN = 12;

/** Cards of the final size while nothing is known yet. Still: nothing blinks. */
export function Skeleton({ width }: { width: number }) {
  const asked = useView((view) => view.columns);
  const columns = columnsFor(width, asked);
  const cards = Array.from({ length: SHOWN }, (_, at) => `card ${at}`);
  return (
    <div
      className={style.grid}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap: GAP_PX }}
      aria-hidden="true"
    >
      {cards.map((card) => (
        <div key={card} className={style.card} />
      ))}
    </div>
  );
}
