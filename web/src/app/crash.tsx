/** What is shown when the page itself fails: the fault in words and a way on, never a blank. */

import { Component, type ReactNode } from "react";
import style from "../pages/empty/empty.module.css";
import { Button } from "../widgets/button";
import { say } from "../words/words";

interface CrashState {
  fault: Error | null;
}

export class Crash extends Component<{ children: ReactNode }, CrashState> {
  override state: CrashState = { fault: null };

  static getDerivedStateFromError(fault: unknown): CrashState {
    return { fault: fault instanceof Error ? fault : new Error(String(fault)) };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === null) return this.props.children;
    return (
      <main className={style.page}>
        <div className={style.box} role="alert">
          <h1>{say("crash.title")}</h1>
          <p className={style.path}>{fault.message}</p>
          <div>
            <Button look="primary" onClick={() => location.reload()}>
              {say("crash.reload")}
            </Button>
          </div>
        </div>
      </main>
    );
  }
}
