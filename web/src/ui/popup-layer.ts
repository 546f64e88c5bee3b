/**
 * The container of popups: the dialog that they are opened from, above which nothing else can be, otherwise the page.
 */

import { createContext, useContext } from "react";

export const PopupLayer = createContext<HTMLElement | null>(null);

export const usePopupLayer = (): HTMLElement | null => useContext(PopupLayer);
