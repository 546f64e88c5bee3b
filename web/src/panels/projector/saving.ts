/** How what was made is handed to the person: given by the page, since panels do not know each other. */

import { createContext, useContext } from "react";

/** `name` is any text, without the ending. */
export type Save = (content: Blob | string, name: string, ending: string, type: string) => void;

export const SaveContext = createContext<Save>(() => undefined);

export function useSave(): Save {
  return useContext(SaveContext);
}
