/**
 * Core memory suite: what core memory promises on every store of documents: nothing lost, nothing twice, all undone.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Documents } from "@baton/core/ports";
import { z } from "zod";
import { MEMORY } from "../collections.ts";
import { changeCore, readCore, undoCore } from "../core/core-store.ts";
import { applyStatement } from "../core/apply-statement.ts";
import { readOverview } from "../overview.ts";
import { AT, LAN, type MemoryUnderTest, save, use } from "./memory-use.ts";

/** Runs the suite against one store. */
export function testCoreMemory(open: () => Promise<MemoryUnderTest>): void {
  test("writers of core memory at the same time all take effect, and each change can be undone", async () => {
    await using store = await open();
    const names = Array.from({ length: 12 }, (_, index) => `hobby${index}`);
    const handles = [store.documents(LAN), store.documents(LAN), store.documents(LAN)];
    await Promise.all(
      names.map((name, index) =>
        save(`${name} daily`, { documents: handles[index % 3] ?? store.documents(LAN), call: `${index}.1.1` }),
      ),
    );
    const { core, changes } = await readOverview(store.documents(LAN), { limit: 10 });
    assert.deepEqual(core.human.map(({ text }) => text).toSorted(), names.map((name) => `${name} daily`).toSorted());
    assert.equal(changes.length, names.length);
    const undone = await Promise.allSettled(
      [...changes, ...changes].map(({ change }) => undoCore(store.documents(LAN), change, AT)),
    );
    assert.equal(undone.filter(({ status }) => status === "fulfilled").length, names.length, "each once");
    assert.deepEqual((await readCore(store.documents(LAN))).human, []);
  });

  test("a call that is made again writes nothing twice, also if it died before the change had its record", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const first = await save("Grows tomatoes", { documents });
    const { change } = z.looseObject({ change: z.string() }).parse(first.output);
    await documents.delete(MEMORY.changes, change);
    const again = await save("Grows tomatoes", { documents });
    assert.deepEqual(again, first);
    assert.ok(await documents.get(MEMORY.changes, change));
    await documents.delete(MEMORY.changes, change);
    await save("Plays chess", { documents, call: "2.1.1" });
    assert.ok(await documents.get(MEMORY.changes, change), "who writes next records what is open");
    assert.equal((await readCore(documents)).human.length, 2);
    assert.deepEqual(first.notes, [
      {
        kind: "memory",
        data: { change, operation: "ADD", text: "Grows tomatoes", undo: `/api/memory/${change}/undo` },
      },
    ]);
  });

  test("what the user has undone is not learned again", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    let run = 0;
    const learn = async () => {
      const learned = { statements: [{ text: "Often asks about AAPL", category: "preference" }] };
      const said = ["I often ask about AAPL"];
      return (await use("saveLearned", { run: `r${++run}`, said, learned }, { documents })).notes;
    };
    const [card] = z.array(z.looseObject({ data: z.looseObject({ change: z.string() }) })).parse(await learn());
    await undoCore(documents, card?.data.change ?? "", AT);
    assert.deepEqual(await learn(), []);
    assert.deepEqual((await readCore(documents)).human, []);
  });

  test("an undo that died before it was recorded is not done again", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const { output } = await save("Grows tomatoes", { documents });
    const { change } = z.looseObject({ change: z.string() }).parse(output);
    const before = await documents.get(MEMORY.changes, change);
    await undoCore(documents, change, AT);
    await documents.put(MEMORY.changes, { id: change, data: before?.data ?? null });
    await assert.rejects(undoCore(documents, change, AT), { code: "conflict", message: /is already undone/ });
    await assert.rejects(undoCore(documents, "c-unknown", AT), { code: "not_found" });
  });

  test("a trait that changes is an UPDATE with what was before; the same again is a NOOP without a card", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    const learn = (text: string, run: string) => {
      const learned = { statements: [{ text, category: "fact", trait: "name" }] };
      return use("saveLearned", { run, said: [text], learned }, { documents, run });
    };
    await learn("Is called Lan", "r1");
    const { notes } = await learn("Is called Minh", "r2");
    assert.partialDeepStrictEqual(notes, [{ data: { operation: "UPDATE", before: "Is called Lan" } }]);
    assert.deepEqual((await learn("is called minh", "r3")).notes, []);
    assert.deepEqual(
      (await readCore(documents)).human.map(({ text }) => text),
      ["Is called Minh"],
    );
  });

  test("secrets and orders are not saved, and the reason is told", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    for (const category of ["fact", "other"]) {
      const { output } = await save("My card is 4111 1111 1111 1111", { documents }, category);
      assert.deepEqual(output, { saved: false, reason: "this is not remembered: it holds a card number" });
    }
    assert.equal(
      (await documents.list(MEMORY.core)).documents.length + (await documents.list(MEMORY.facts)).documents.length,
      0,
    );
  });

  test("what is full says so and keeps what it has", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    let last: unknown;
    for (let index = 0; index < 40; index += 1) {
      const content = `Number${index} ${"abcdefgh ".repeat(20)}`.trim();
      ({ output: last } = await save(content, { documents, call: `${index}.1.1` }));
    }
    assert.partialDeepStrictEqual(last, { saved: false });
    const { core } = await readOverview(documents, { limit: 1 });
    assert.ok(core.tokens.human <= core.limits.human && core.human.length > 20);
  });

  test("a change that is decided again after a conflict sees what the other wrote", async () => {
    await using store = await open();
    const documents = store.documents(LAN);
    let other: Promise<unknown> = Promise.resolve();
    let asked = 0;
    const stamp = { id: "m-1", at: AT, by: "user" } as const;
    const racing: Documents = {
      ...bound(documents),
      get: async (collection, id) => {
        const found = await documents.get(collection, id);
        if (collection === MEMORY.core && asked === 0) other = save("Plays chess", { documents });
        await other;
        return found;
      },
    };
    const { operation } = await changeCore(racing, {
      id: "c-1",
      at: stamp.at,
      decide: (core) => {
        asked += 1;
        return {
          ...applyStatement(core, { kind: "claim", text: "Plays chess", category: "fact" }, stamp),
          text: "",
        };
      },
    });
    assert.deepEqual([operation, asked], ["NOOP", 2]);
  });
}

/** The methods of documents, free of their object. */
function bound(documents: Documents): Documents {
  return {
    get: (...args) => documents.get(...args),
    put: (...args) => documents.put(...args),
    putAll: (...args) => documents.putAll(...args),
    delete: (...args) => documents.delete(...args),
    list: (...args) => documents.list(...args),
    search: (...args) => documents.search(...args),
    nearest: (...args) => documents.nearest(...args),
  };
}
