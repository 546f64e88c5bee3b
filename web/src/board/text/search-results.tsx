/** The search results: run, tag, step and the surrounding words. A click opens the text. */

import type { TextHit } from "../../api/text";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Button } from "../../ui/button";
import { Mark } from "../../ui/mark";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { useColorScheme } from "../view/theme";
import type { SearchState } from "./search";
import style from "./search-results.module.css";
import { titleOf } from "./text-value";

interface SearchResultsProps {
  found: SearchState;
  /** By run id. */
  lineStyles: ReadonlyMap<number, LineStyle>;
  onGo(hit: TextHit): void;
  onClose(): void;
}

export function SearchResults({ found, lineStyles, onGo, onClose }: SearchResultsProps) {
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
        <Button variant="quiet" size="small" icon="close" label={say("action.close")} onClick={onClose} />
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
              <Hit hit={hit} lineStyle={lineStyles.get(hit.run)} onGo={() => onGo(hit)} />
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

function Hit({ hit, lineStyle, onGo }: { hit: TextHit; lineStyle: LineStyle | undefined; onGo(): void }) {
  const say = useWords();
  const scheme = useColorScheme();
  return (
    <button type="button" className={style.hit} onClick={onGo} data-step={hit.step}>
      {lineStyle && <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />}
      <span className={style.run}>
        <WrappedName name={lineStyle?.label ?? ""} title={lineStyle?.name} />
      </span>
      <bdi className={style.tag}>{titleOf(hit.tag)}</bdi>
      <span className={style.step}>{formatStep(hit.step)}</span>
      <span className={style.words} dir="auto">
        <Mark
          text={hit.before + hit.match + hit.after}
          span={[hit.before.length, hit.before.length + hit.match.length]}
        />
      </span>
      {hit.matches > 1 && <span className={style.count}>{say("text.matches", { count: hit.matches })}</span>}
    </button>
  );
}
