import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { checkDeaths } from "../testing/seams-world.ts";

/** More places than a process can die at. */
const PLACES = Array.from({ length: 1_000 }, (_, index) => index + 1);

test("a run with a program, a sub-crew's question and a corrected output ends the same wherever its process dies", async () => {
  await checkDeaths(inSlice(PLACES));
});
