/** Shown when the page itself fails: the error and a button to reload, never a blank page. */

import type { ReactNode } from "react";
import { say } from "../../i18n/words";
import { Boundary } from "../../ui/boundary";
import { Button } from "../../ui/button";
import style from "../pages/empty/empty.module.css";

export function Crash({ children }: { children: ReactNode }) {
  return <Boundary instead={(fault) => <Fallen fault={fault} />}>{children}</Boundary>;
}

function Fallen({ fault }: { fault: Error }) {
  return (
    <main className={style.page}>
      <div className={style.box} role="alert">
        <h1>{say("crash.title")}</h1>
        <p className={style.path}>{fault.message}</p>
        <div>
          <Button variant="primary" onClick={() => location.reload()}>
            {say("crash.reload")}
          </Button>
        </div>
      </div>
    </main>
  );
}
