/** The dialogs that are open. Nothing beside the one on top can be seen in front of it, or reached. */

import { create } from "zustand";

const useModals = create<readonly HTMLDialogElement[]>(() => []);

/** Opens a dialog over all else; gives what closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  if (!dialog.open) dialog.showModal();
  // The browser takes the first control, which closes it: who asks for a text wants to be written to.
  dialog.querySelector<HTMLElement>("form input, form textarea")?.focus();
  useModals.setState((open) => [...open, dialog], true);
  return () => {
    useModals.setState((open) => open.filter((each) => each !== dialog), true);
    dialog.close();
  };
}

/** Null where only the page is there. */
export const useTopModal = (): HTMLDialogElement | null => useModals((open) => open.at(-1) ?? null);
