/** An error response, with a retry button unless the error is permanent because of the contents of the log. */

import { ApiError } from "../../api/client";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";

const UNSHOWABLE = "unshowable";

interface LoadErrorProps {
  error: Error;
  className?: string | undefined;
  /** Shown if the error has no message. */
  otherwise?: string;
  onRetry(): void;
}

export function LoadError({ error, className, otherwise = "", onRetry }: LoadErrorProps) {
  const say = useWords();
  const permanent = error instanceof ApiError && error.code === UNSHOWABLE;
  return (
    <div className={className} role="alert">
      <span lang="en">{error.message || otherwise}</span>
      {!permanent && (
        <Button size="small" icon="reload" onClick={onRetry}>
          {say("action.retry")}
        </Button>
      )}
    </div>
  );
}
