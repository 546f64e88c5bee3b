/** Share links for people without an account: with an expiry, shown once, and revocable. */

import { useState } from "react";
import type { ShareResponse } from "../../api/hub-schema.gen";
import { dateTime } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Choice } from "../../ui/choice";
import { Dialog } from "../../ui/dialog";
import { revokeShare, share } from "../api/tensorboards";
import { notifyError } from "../data/notice";
import { queries } from "../data/queries";
import { type Board, sharesKey, useShares } from "../data/tensorboards";
import { Form } from "./form";
import { OneTimeSecret } from "./one-time-secret";
import style from "./share-dialog.module.css";
import { SHARE_SPANS, spanOptions } from "./time-spans";

export function ShareDialog({ board, onClose }: { board: Board; onClose(): void }) {
  const say = useWords();
  return (
    <Dialog
      title={say("hub.share.title", { name: board.display_name })}
      closeLabel={say("action.close")}
      open
      onClose={onClose}
    >
      <ShareLinks board={board} />
    </Dialog>
  );
}

export function ShareLinks({ board }: { board: Board }) {
  const say = useWords();
  const [secs, setSecs] = useState(String(SHARE_SPANS.at(-1)));
  const [created, setCreated] = useState<ShareResponse | null>(null);
  const shares = useShares(board.id, true);
  const again = () => queries.invalidateQueries({ queryKey: sharesKey(board.id) });
  const revoke = (id: string) => revokeShare(board.id, id).then(again, notifyError);
  const open = (shares.data?.items ?? []).filter((each) => each.revoked_at === null);
  return (
    <div className={style.shares}>
      <p className={style.text}>{say("hub.share.what")}</p>
      <Form
        verb={say("hub.share.make")}
        onSend={async () => {
          setCreated(await share(board.id, Number(secs)));
          await again();
        }}
      >
        <Choice
          label={say("hub.share.for")}
          value={secs}
          options={spanOptions(SHARE_SPANS)}
          onChange={setSecs}
        />
      </Form>
      {created && (
        <OneTimeSecret label={say("hub.share.link")} secret={created.url} hint={say("hub.share.once")} />
      )}
      {open.length > 0 && (
        <ul className={style.list} aria-label={say("hub.share.list")}>
          {open.map((each) => (
            <li key={each.id} className={style.line} data-testid="share">
              <span className={style.grow}>
                {say("hub.share.until", { time: dateTime(each.expires_at) })}
                <span className={style.by}>
                  <bdi>{each.issuer_name}</bdi> · {dateTime(each.created_at)}
                </span>
              </span>
              <Button size="small" onClick={() => void revoke(each.id)}>
                {say("hub.share.revoke")}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
