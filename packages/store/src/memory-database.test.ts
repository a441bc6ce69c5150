/** The database in memory keeps every database's promises. */
import { SimulatedClock, testLedger } from "@baton/core/testing";
import { MemoryData } from "./memory-data.ts";
import { MemoryDatabase } from "./memory-database.ts";
import { testDatabase } from "./testing/database-suite.ts";

testDatabase("MemoryDatabase", async () => {
  const clock = new SimulatedClock(1);
  const data = new MemoryData(clock);
  const first = new MemoryDatabase(data);
  const second = new MemoryDatabase(data);
  return {
    first,
    second,
    pass: (ms) => clock.advance(ms),
    now: () => clock.now(),
    countRequests: async () => data.requests.size,
    countDocuments: async () => data.documents.size,
    [Symbol.asyncDispose]: async () => {},
  };
});

testLedger("the ledger in memory", (clock) => new MemoryDatabase(new MemoryData(clock)).ledger());
