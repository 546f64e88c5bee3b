/** One image: where it comes from, its packages, and the log of its build. */

import type { ImageDetail } from "../../../api/hub-schema.gen";
import { bytes, count, dateTime, timeOfDay } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { rebuildImage } from "../../api/images";
import { IMAGES, useImage, useImageLog } from "../../data/images";
import { notifyError } from "../../data/notice";
import { queries } from "../../data/queries";
import cell from "../../ui/cells.module.css";
import { Facts, Sections, Why } from "../../ui/detail";
import { Link } from "../../ui/link";
import { Packages } from "../../ui/packages";
import { EmptyState, ErrorNotice, Page } from "../../ui/page";
import { ImageStatePill } from "../../ui/status-pill";
import style from "./environments.module.css";

const again = () => queries.invalidateQueries({ queryKey: IMAGES });
const SECTIONS = ["packages", "log"] as const;

export function EnvironmentPage({ name }: { name: string }) {
  const say = useWords();
  const { data: image, error, isPending, refetch } = useImage(name);
  return (
    <Page
      name="environment"
      title={name}
      busy={isPending}
      above={<Link to="/environments">{say("hub.page.environments")}</Link>}
      beside={image && <ImageStatePill state={image.state} />}
      actions={
        image?.state === "failed" && (
          <Button
            variant="primary"
            data-testid="rebuild"
            onClick={() => void rebuildImage(name).then(again, notifyError)}
          >
            {say("hub.image.rebuild")}
          </Button>
        )
      }
    >
      {error && !image && <ErrorNotice fault={error} onRetry={() => void refetch()} />}
      {image && <Environment image={image} />}
    </Page>
  );
}

function Environment({ image }: { image: ImageDetail }) {
  const say = useWords();
  const isBuilt = image.digest !== "";
  return (
    <>
      <Why failed={image.state === "failed"} reason="" message={image.message} />
      <Properties image={image} />
      <Sections
        names={!isBuilt ? ["packages"] : image.state === "ready" ? SECTIONS : ["log", "packages"]}
        label={(each) => say(each === "log" ? "hub.image.log" : "hub.image.packages")}
      >
        {(shown) => (shown === "log" ? <BuildLog image={image} /> : <Installed image={image} />)}
      </Sections>
    </>
  );
}

function Properties({ image }: { image: ImageDetail }) {
  const say = useWords();
  const { digest, python, packages, size_bytes: size, built_at: builtAt, source } = image;
  const code = (text: string) => <bdi className={cell.code}>{text}</bdi>;
  const facts: [string, React.ReactNode][] = [];
  if (source) facts.push([say(digest ? "hub.image.list" : "hub.image.folder"), code(source)]);
  if (python) facts.push([say("hub.image.python"), python]);
  if (packages !== null) facts.push([say("hub.image.packages"), count(packages)]);
  if (size !== null) facts.push([say("hub.image.size"), bytes(size)]);
  if (builtAt !== null) facts.push([say("hub.image.built"), dateTime(builtAt)]);
  if (image.state === "ready")
    facts.push([
      say("hub.image.notebooks"),
      say(image.notebooks ? "hub.image.yes" : "hub.image.noJupyterLab"),
    ]);
  if (digest) facts.push([say("hub.image.digest"), code(digest)]);
  return <Facts facts={facts} />;
}

function Installed({ image }: { image: ImageDetail }) {
  const say = useWords();
  return image.state === "ready" ? (
    <Packages packages={image.installed} />
  ) : (
    <EmptyState title={say("hub.image.notBuilt")} />
  );
}

function BuildLog({ image }: { image: ImageDetail }) {
  const say = useWords();
  const { data, error, refetch } = useImageLog(image);
  if (error && !data) return <ErrorNotice fault={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.lines.length === 0) return <EmptyState title={say("hub.log.nothingYet")} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <ol className={style.log} tabIndex={0} aria-label={say("hub.image.log")} data-testid="build-log">
      {data.lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other
        <li key={at} className={style.line}>
          <time className={style.time}>{timeOfDay(line.at)}</time>
          <bdi className={style.text} lang="en">
            {line.text}
          </bdi>
        </li>
      ))}
    </ol>
  );
}
