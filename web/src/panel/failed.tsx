/** What the server said no to, and another try where that may help: what lies in the log stays as it is. */

import { ApiError } from "../api/client";
import { Button } from "../widgets/button";
import { useWords } from "../words/words";

const UNSHOWABLE = "unshowable";

interface FailedProps {
  error: Error;
  className?: string | undefined;
  /** Where the error has no words of its own. */
  otherwise?: string;
  onRetry(): void;
}

export function Failed({ error, className, otherwise = "", onRetry }: FailedProps) {
  const say = useWords();
  const lasting = error instanceof ApiError && error.code === UNSHOWABLE;
  return (
    <div className={className} role="alert">
      <span lang="en">{error.message || otherwise}</span>
      {!lasting && (
        <Button size="small" icon="reload" onClick={onRetry}>
          {say("action.retry")}
        </Button>
      )}
    </div>
  );
}
