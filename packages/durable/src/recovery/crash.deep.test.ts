import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inSlice, of } from "@baton/core/testing";
import { checkLife, playLives } from "../testing/five-steps-lives.ts";

/** Whether this run plays every case, and not a slice of them. */
const IS_WHOLE = process.env["BATON_SLICE"] === "all";
/** More places than a process can die at. */
const PLACES = Array.from({ length: 1_000 }, (_, index) => index + 1);
const DISTANCES = Array.from({ length: 29 }, (_, index) => 3 + 2 * index);

describe("a process that dies", () => {
  for (const [how, commitMs] of [
    ["that writes at once", 0],
    ["whose commits take longer than its steps", 7],
  ] as const) {
    test(`at any place, once, on a store ${how}: the run ends as if nothing had happened`, async () => {
      const whole = await playLives([], commitMs);
      assert.equal(whole.deeds.length, 5);
      const met = new Set<string>();
      let places = 0;
      for (const place of inSlice(PLACES)) {
        const life = await playLives([place], commitMs);
        if (life.deaths === 0) break;
        await checkLife(life, whole);
        for (const event of life.seen) met.add(event.type === "question.opened" ? event.kind : event.type);
        places = place;
      }
      assert.ok(places > 40, `there were only ${places} places to die at`);
      if (IS_WHOLE) assert.ok(met.has("doubt") && met.has("step.retried"), "it died neither in a call nor in a reply");
    });
  }

  test("again and again, at places of every distance: the run ends as if nothing had happened, or gets nowhere", async () => {
    const whole = await playLives([]);
    const stuck = new Set<number>();
    for (const distance of inSlice(DISTANCES)) {
      const life = await playLives(Array.from({ length: 200 }, () => distance));
      const [end] = of(life.seen, "run.ended");
      if (end?.outcome === "failed") stuck.add(distance);
      if (end?.outcome !== "failed") await checkLife(life, whole);
      else
        assert.match(
          `${end.error?.code}: ${end.error?.message}`,
          /^crashed: .* recovered ([5-9]|\d{2,}) times/,
          `distance ${distance}`,
        );
    }
    if (IS_WHOLE)
      assert.ok(stuck.size > 0 && stuck.size < 10, `of the distances these led nowhere: ${[...stuck].join(", ")}`);
  });
});
