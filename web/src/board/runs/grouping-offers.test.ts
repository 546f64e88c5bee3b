import { expect, test } from "vitest";
import { groupingOffers } from "./grouping-offers";
import { runDetails } from "./run-details.fixture";

const RATES = [1e-4, 1e-3, 1e-2, 1e-1];
const SWEEP = RATES.flatMap((lr) =>
  ["vit", "resnet"].flatMap((arch) =>
    [0, 1, 2].map((seed) =>
      runDetails(`${arch}/lr${lr}/seed${seed}`, { config: { lr, arch, seed, dataset: "coco", batch: 32 } }),
    ),
  ),
);

test("folders of seeds and hyperparameters with few values are offered, but no seeds or constants", () => {
  expect(groupingOffers(SWEEP)).toEqual([
    { by: "folder", key: null, groups: 8 },
    { by: "config:lr", key: "lr", groups: 4 },
    { by: "config:arch", key: "arch", groups: 2 },
  ]);
});

test("what would leave as many lines is not offered", () => {
  const runs = Array.from({ length: 40 }, (_, at) =>
    runDetails(`${at}/run`, { config: { lr: at, id: at % 3 } }),
  );
  expect(groupingOffers(runs)).toEqual([]);
  const flat = runs.map(({ config }, at) => runDetails(`run${at}`, { config }));
  expect(groupingOffers(flat)).toEqual([]);
});
