/** The stack of open dialogs. Only the topmost can be seen and reached. */

import { create } from "zustand";

const useModals = create<readonly HTMLDialogElement[]>(() => []);

/** Opens a modal dialog; returns a function that closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  if (!dialog.open) dialog.showModal();
  // By default the browser focuses the first control, which closes the dialog: focus its text box or choice instead,
  // or the button that is to be pressed by Enter.
  const first = (controls: string) => dialog.querySelector<HTMLElement>(controls);
  (first("form input, form textarea") ?? first("form select") ?? first("[data-first]"))?.focus();
  useModals.setState((open) => [...open, dialog], true);
  return () => {
    useModals.setState((open) => open.filter((each) => each !== dialog), true);
    dialog.close();
  };
}

/** Null if no dialog is open. */
export const useTopModal = (): HTMLDialogElement | null => useModals((open) => open.at(-1) ?? null);
