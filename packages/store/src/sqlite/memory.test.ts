/** A database in memory keeps every database's promises. */
import { SimulatedClock, testLedger } from "@baton/core/testing";
import { testDatabase } from "../testing/database-suite.ts";
import { countRows } from "../testing/shared-memory.ts";
import { openMemory, SharedMemory } from "./memory.ts";

testDatabase("openMemory", async () => {
  const clock = new SimulatedClock(1);
  const now = () => clock.now();
  const memory = new SharedMemory({ now });
  return {
    first: memory.open(),
    second: memory.open(),
    pass: (ms) => clock.advance(ms),
    now,
    countRequests: async () => countRows(memory, "requests"),
    countDocuments: async () => countRows(memory, "documents"),
    [Symbol.asyncDispose]: async () => {},
  };
});

testLedger("the ledger in memory", (clock) => openMemory({ now: () => clock.now() }).ledger);
