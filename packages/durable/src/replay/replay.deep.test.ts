import { inSlice } from "@baton/core/testing";
import { FEW, MANY, testRandomReplays } from "../testing/replay-suite.ts";

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
testRandomReplays({ many: inSlice(seeds(MANY)), few: inSlice(seeds(FEW)) });
