/** A long name whose lines break between its parts, and within one only where that has no room. */

import { Fragment } from "react";
import { breakable } from "../base/short-names";

export function Breakable({ children }: { children: string }) {
  return breakable(children).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}
