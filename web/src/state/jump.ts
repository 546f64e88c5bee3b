/** "Show me that card": said by the search, heard by the page. */

type Listener = (tag: string) => void;

const listeners = new Set<Listener>();

export function jumpTo(tag: string): void {
  for (const listener of listeners) listener(tag);
}

export function onJump(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
