import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { ORDERS, UNFINISHED } from "../testing/parts.ts";
import { dieAt } from "../testing/parts-lives.ts";

/** Whether this run plays every case, and not a slice of them. */
const IS_WHOLE = process.env["BATON_SLICE"] === "all";
/** More places than a process can die at. */
const PLACES = Array.from({ length: 1_000 }, (_, index) => index + 1);

describe("a cancelled lane, a configuration, a client's answer and a stuck agent survive a crash", () => {
  for (const order of ORDERS) {
    for (const [how, commitMs] of [
      ["that writes at once", 0],
      ["whose commits take longer than most steps", 7],
    ] as const) {
      test(`at every use of a database ${how}, with ${order.join(" before ")}`, async () => {
        const met = new Set<string>();
        let places = 1;
        for (const place of inSlice(PLACES)) {
          places = place;
          const unfinished = await dieAt(places, { commitMs, order });
          if (unfinished === undefined) break;
          for (const fact of unfinished) met.add(fact);
        }
        assert.ok(places > 30, `only ${places} places were tried`);
        if (IS_WHOLE) assert.deepEqual([...met].toSorted(), Object.keys(UNFINISHED).toSorted());
      });
    }
  }
});
