/** The picture of the open scopes, laid out in the worker. */

import { useEffect, useMemo, useRef, useState } from "react";
import { browserMeasure } from "../../chart/canvas";
import type { ChartTheme } from "../../chart/model";
import { useWords } from "../../i18n/words";
import { TextWidths } from "./box-size";
import { boxText, edgeText } from "./box-text";
import { composePicture, type Picture } from "./geometry/picture";
import type { OpenScope } from "./graphs-tree";
import { layoutInput, scopeFlow } from "./layout-input";
import { Layouter } from "./layouter";

/** A layout that takes longer can be cancelled. */
const SLOW_MS = 2500;

export interface LayoutResult {
  /** Until a new picture is here, the one before. */
  picture: Picture | null;
  /** Time and number of scopes of the last layout. */
  tookMs: number;
  made: number;
  slow: boolean;
  fault: string | null;
  cancel(): void;
}

/** Widths of texts in the font of the page, measured again once it has loaded. */
export function useTextWidths(theme: ChartTheme): TextWidths {
  const families = theme.font;
  const [widths, setWidths] = useState(() => new TextWidths(browserMeasure(), families));
  useEffect(() => {
    if (document.fonts.check(`500 12px ${families}`)) return;
    let stale = false;
    void document.fonts.ready.then(() => {
      if (!stale) setWidths(new TextWidths(browserMeasure(), families));
    });
    return () => {
      stale = true;
    };
  }, [families]);
  return widths;
}

const NONE = { picture: null as Picture | null, tookMs: 0, made: 0, fault: null as string | null };

export function useLayout(root: OpenScope | null, widths: TextWidths): LayoutResult {
  const say = useWords();
  const layouter = useRef<Layouter | null>(null);
  const [result, setResult] = useState(NONE);
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const own = new Layouter();
    layouter.current = own;
    return () => own.destroy();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words are other sizes
  useEffect(() => {
    if (!root) return;
    let stale = false;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    layouter.current!.layOut(layoutInput(root, widths)).then(
      (laid) => {
        clearTimeout(timer);
        if (stale || !laid) return;
        const picture = composePicture(root, laid.layout, {
          textOf: (box, member, content) => boxText(box, member, content, widths),
          labelOf: edgeText,
          flowOf: scopeFlow,
        });
        setSlow(false);
        setResult({ picture, tookMs: laid.tookMs, made: laid.made, fault: null });
      },
      (fault: Error) => {
        if (!stale) setResult((before) => ({ ...before, fault: fault.message }));
      },
    );
    return () => {
      stale = true;
      clearTimeout(timer);
      setSlow(false);
    };
  }, [root, widths, say]);
  const cancel = useMemo(
    () => () => {
      layouter.current?.cancel();
      setSlow(false);
    },
    [],
  );
  return { ...result, slow, cancel };
}
