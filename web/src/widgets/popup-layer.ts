/** Where what pops up is put: into the dialog it is opened from, above which nothing else can be; else into the page. */

import { createContext, useContext } from "react";

export const PopupLayer = createContext<HTMLElement | null>(null);

export const usePopupLayer = (): HTMLElement | null => useContext(PopupLayer);
