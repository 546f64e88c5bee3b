// The order of the pages. A test compares it with the files of docs/.

import type { DefaultTheme } from "vitepress";

type Item = DefaultTheme.SidebarItem;

function page(text: string, link: string): Item {
  return { text, link: `/${link}` };
}

export const SIDEBAR: Item[] = [
  {
    text: "Start",
    items: [page("Overview", ""), page("Tutorial: ten minutes", "tutorial"), page("Concepts", "concepts")],
  },
  {
    text: "How-to guides",
    items: [
      page("Migrate from TensorBoard", "tensorboard"),
      page("Show boards in notebooks", "notebooks"),
      page("Compare the runs of a sweep", "compare-runs"),
      page("Find, sort and group runs", "runs"),
      page("Export a figure for a paper", "export-figures"),
      page("Graphs of models", "graphs"),
      page("Make captures", "captures"),
      page("Profiles", "profile"),
      page("Add names, notes and views", "overlay"),
      page("Read logs from buckets", "object-stores"),
      page("Run a hub", "hub"),
      page("Operate a hub", "hub-operations"),
      page("Run training jobs", "jobs"),
      page("Jobs on a Ray cluster", "ray"),
      page("Notebooks on a hub", "notebooks-on-the-hub"),
      page("Share a board", "share"),
      page("Give people access", "access"),
      page("Migrate from PAI, DCE, Neu.ro", "pai"),
    ],
  },
  {
    text: "Reference",
    items: [
      page("Pages, keys and URLs", "page"),
      page("Flags of the board", "flags"),
      page("Flags of the hub", "hub-flags"),
      page("Command line of the hub", "cli-hub"),
      page("Python SDK", "sdk"),
      page("HTTP API of the board", "http"),
      page("HTTP API of the hub", "hub-http"),
      page("Glossary", "glossary"),
    ],
  },
  {
    text: "Explanation",
    items: [
      page("Capacity", "capacity"),
      page("Performance", "performance"),
      page("Security", "threat-model"),
      page("Design decisions", "decisions/"),
    ],
  },
];

/** From the documentation back to the hub that serves it, whatever its path prefix. */
export const NAV: DefaultTheme.NavItem[] = [{ text: "Open the hub", link: "/../", target: "_self" }];

/** What the first page has above docs/README.md. */
export const HOME = {
  layout: "home",
  hero: {
    name: "Lightboard",
    text: "Every point of every run",
    tagline:
      "A board that opens any folder of TensorBoard event files in under a second and updates while you train, and a hub that serves it to your team.",
    actions: [
      { theme: "brand", text: "Start in ten minutes", link: "/tutorial" },
      { theme: "alt", text: "Migrate from TensorBoard", link: "/tensorboard" },
      { theme: "alt", text: "Run a hub", link: "/hub" },
    ],
  },
};
