import { test } from "node:test";
import { assertBounded } from "../testing/hostile-texts.ts";
import { parseYaml } from "./core/core-yaml.ts";
import { stemsOf } from "./recall/recall.ts";
import { redact } from "./refuse/redact.ts";
import { refuseMemory } from "./refuse/refuse-memory.ts";
import { addWorking, NO_WORKING } from "./session/working.ts";

/** Everything of memory that reads a text of a user, a model or a file. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  refuseMemory,
  redact,
  stemsOf,
  parseYaml: (text) => parseYaml(text, "2024-11-22T16:00:00Z"),
  parseYamlEntries: (text) => parseYaml(`human:\n${text}`, "2024-11-22T16:00:00Z"),
  addWorking: (text) =>
    addWorking(NO_WORKING, {
      run: "r",
      entries: [{ id: "1", kind: "symbols", text, priority: "low" }],
      symbols: [text],
    }),
};

for (const [name, read] of Object.entries(READERS)) {
  test(`no text of 10,000 characters holds the event loop: ${name}`, () => assertBounded(read));
}
