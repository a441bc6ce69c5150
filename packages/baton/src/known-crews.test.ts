import assert from "node:assert/strict";
import { test } from "node:test";
import { crewNameOf } from "./known-crews.ts";

test("a crew is called as its folder, or as its file if that is not crew.yaml", () => {
  const cases = [
    ["crews/it-support", "it-support"],
    ["crews/it-support/", "it-support"],
    ["crews/it-support/crew.yaml", "it-support"],
    ["crews/it-support/crew.yml", "it-support"],
    ["crews/it-support/night.yaml", "night"],
    ["apps/finance/crew", "finance"],
    ["apps/finance/crew/crew.yaml", "finance"],
  ] as const;
  for (const [path, name] of cases) assert.equal(crewNameOf(path), name, path);
});
