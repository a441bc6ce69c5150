/** The chat dialect keeps its promises on a thousand simulated runs. */
import { inSlice } from "@baton/core/testing";
import { testChatDialect } from "./testing/dialect-suite.ts";

testChatDialect(inSlice(Array.from({ length: 1_000 }, (_, index) => index + 1)));
