/** Memory keeps its promises on a store in this process. */
import { openMemory } from "@baton/store/sqlite";
import { testMemory } from "./testing/memory-suite.ts";
import { toMemoryUnderTest } from "./testing/memory-use.ts";

testMemory(async () => toMemoryUnderTest(openMemory()));
