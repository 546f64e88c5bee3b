/** A long name that breaks between its parts, and within a part only if that does not fit. */

import { Fragment } from "react";
import { breakablePieces } from "../lib/short-names";

export function Breakable({ children }: { children: string }) {
  return breakablePieces(children).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}
