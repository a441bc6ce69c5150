import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { IdMap } from "./id-map.ts";

test("it holds what a Map would, whatever the ids are", () => {
  const id = fc.oneof(fc.constantFrom("a", "b", "__proto__", "constructor", "1", "01"), fc.string());
  const step = fc.tuple(id, fc.option(fc.nat()));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const things = new IdMap<number>();
      const model = new Map<string, number>();
      for (const [name, thing] of steps) {
        if (thing === null) things.delete(name);
        else things.set(name, thing);
        if (thing === null) model.delete(name);
        else model.set(name, thing);
        for (const known of ["__proto__", "toString", name]) assert.equal(things.get(known), model.get(known));
      }
      assert.deepEqual(new Set(things.values()), new Set(model.values()));
      assert.equal(things.values().length, model.size);
      assert.equal(things.size, model.size);
    }),
  );
});
