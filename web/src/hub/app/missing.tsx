import { useWords } from "../../words/words";
import { Link } from "../parts/link";
import { Nothing, Page } from "../parts/page";

export function Missing() {
  const say = useWords();
  return (
    <Page name="missing" title={say("hub.missing.title")}>
      <Nothing title={say("hub.missing.what")}>
        <Link to="/">{say("hub.page.analysis")}</Link>
      </Nothing>
    </Page>
  );
}
