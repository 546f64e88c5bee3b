/** What a search found: run, tag, step and the words around it. A click goes there. */

import type { TextHit } from "../../api/text";
import { formatStep } from "../../base/number";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { useShade } from "../../state/theme";
import { Button } from "../../widgets/button";
import { WrappedName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import type { Found } from "./search";
import style from "./search-results.module.css";
import { titleOf } from "./shown";

interface SearchResultsProps {
  found: Found;
  /** By run id. */
  looks: ReadonlyMap<number, RunLook>;
  onGo(hit: TextHit): void;
  onClose(): void;
}

export function SearchResults({ found, looks, onGo, onClose }: SearchResultsProps) {
  const say = useWords();
  const { hits, searched, total, busy, more, givenUp, error, goOn } = found;
  return (
    <section className={style.results} aria-label={say("text.results")} data-testid="text-results">
      <header className={style.head}>
        <span role="status" data-busy={busy}>
          {busy && total === 0 ? (
            say("text.searching")
          ) : (
            <>
              <strong>{say("text.hits", { count: hits.length })}</strong>
              {" · "}
              {say("text.searched", { done: count(searched), total: count(total) })}
            </>
          )}
        </span>
        <span className={style.grow} />
        <Button look="quiet" size="small" icon="close" label={say("action.close")} onClick={onClose} />
      </header>
      {error && (
        <p className={style.fault} role="alert">
          {error.message}
        </p>
      )}
      {givenUp && <p className={style.note}>{say("text.givenUp")}</p>}
      {hits.length > 0 && (
        <ol className={style.list}>
          {hits.map((hit) => (
            <li key={`${hit.run} ${hit.tag} ${hit.at}`}>
              <Hit hit={hit} look={looks.get(hit.run)} onGo={() => onGo(hit)} />
            </li>
          ))}
        </ol>
      )}
      {more && (
        <Button size="small" onClick={goOn}>
          {say("text.goOn")}
        </Button>
      )}
    </section>
  );
}

function Hit({ hit, look, onGo }: { hit: TextHit; look: RunLook | undefined; onGo(): void }) {
  const say = useWords();
  const shade = useShade();
  return (
    <button type="button" className={style.hit} onClick={onGo} data-step={hit.step}>
      {look && <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />}
      <span className={style.run}>
        <WrappedName name={look?.label ?? ""} title={look?.name} />
      </span>
      <bdi className={style.tag}>{titleOf(hit.tag)}</bdi>
      <span className={style.step}>{formatStep(hit.step)}</span>
      <span className={style.words} dir="auto">
        {hit.before}
        <mark>{hit.match}</mark>
        {hit.after}
      </span>
      {hit.matches > 1 && <span className={style.count}>{say("text.matches", { count: hit.matches })}</span>}
    </button>
  );
}
