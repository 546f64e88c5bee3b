/** Shown when the page itself fails. */

import type { ReactNode } from "react";
import { say } from "../../i18n/words";
import { Boundary } from "../../ui/boundary";
import { Button } from "../../ui/button";
import { CenteredPage } from "../ui/centered-page";

export function Crash({ children }: { children: ReactNode }) {
  return <Boundary instead={(fault) => <Fallen fault={fault} />}>{children}</Boundary>;
}

function Fallen({ fault }: { fault: Error }) {
  return (
    <CenteredPage title={say("crash.title")}>
      <p role="alert">
        <bdi lang="en">{fault.message}</bdi>
      </p>
      <Button variant="primary" onClick={() => location.reload()}>
        {say("crash.reload")}
      </Button>
    </CenteredPage>
  );
}
