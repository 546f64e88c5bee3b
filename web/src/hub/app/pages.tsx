/** The pages by path. Rarely used ones are loaded on demand. */

import { type ComponentType, type ReactNode, useEffect } from "react";
import { useWords } from "../../i18n/words";
import { lazyPart } from "../../ui/lazy-part";
import { go } from "../data/route";
import { AnalysisPage } from "../pages/analysis/analysis-page";
import { Link } from "../ui/link";
import { EmptyState, Page } from "../ui/page";

const TensorboardPage = lazyPart(() => import("../pages/tensorboard/tensorboard-page"));
const JobPage = lazyPart(() => import("../pages/jobs/job-page"));
const PAGES: Record<string, ComponentType> = {
  "/": AnalysisPage,
  "/jobs": ToJobs,
  "/notebooks": ToNotebooks,
  "/queue": lazyPart(() => import("../pages/queue/queue-page")),
  "/datasets": lazyPart(() => import("../pages/datasets/datasets-page")),
  "/projects": lazyPart(() => import("../pages/projects/projects-page")),
  "/tokens": lazyPart(() => import("../pages/tokens/tokens-page")),
  "/accounts": lazyPart(() => import("../pages/accounts/accounts-page")),
  "/environments": lazyPart(() => import("../pages/environments/environments-page")),
  "/audit": lazyPart(() => import("../pages/audit/audit-page")),
  "/settings": lazyPart(() => import("../pages/settings/settings-page")),
};
const ProjectPage = lazyPart(() => import("../pages/projects/project-page"));

export function pageAt(path: string): ReactNode {
  const board = /^\/tensorboards\/([^/]+)\/?$/.exec(path);
  if (board) return <TensorboardPage key={board[1]} id={decoded(board[1]!)} />;
  const job = /^\/jobs\/([^/]+)\/?$/.exec(path);
  if (job) return <JobPage key={job[1]} id={decoded(job[1]!)} />;
  const project = /^\/projects\/([^/]+)\/?$/.exec(path);
  if (project) return <ProjectPage key={project[1]} id={decoded(project[1]!)} />;
  const Found = PAGES[path === "/" ? path : path.replace(/\/$/, "")];
  return Found ? <Found /> : <Missing />;
}

/** The id of the board on a launch page, "" for other paths. */
export function boardAt(path: string): string {
  return decoded(/^\/tb\/([^/]+)/.exec(path)?.[1] ?? "");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Jobs are a kind in the list of Job Analysis. */
function ToJobs() {
  useEffect(() => go("/?kind=jobs", { replace: true }), []);
  return null;
}

/** And so are notebooks. */
function ToNotebooks() {
  useEffect(() => go("/?kind=notebooks", { replace: true }), []);
  return null;
}

function Missing() {
  const say = useWords();
  return (
    <Page name="missing" title={say("hub.missing.title")}>
      <EmptyState title={say("hub.missing.what")}>
        <Link to="/">{say("hub.page.analysis")}</Link>
      </EmptyState>
    </Page>
  );
}
