/**
 * Reporter: prints only the tests that failed, and hands the counts to the runner in the file that `BATON_TEST_COUNTS` names.
 */
import { writeFileSync } from "node:fs";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

/** Turns the events of one process's tests into text. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === "test:fail") yield describeFailure(data);
    const counts = process.env["BATON_TEST_COUNTS"];
    if (type === "test:summary" && data.file === undefined && counts !== undefined) {
      writeFileSync(counts, JSON.stringify(data.counts));
    }
  }
}

function describeFailure({ name, file, line, details }: Extract<TestEvent, { type: "test:fail" }>["data"]): string {
  const { error } = details;
  // The failed subtest is reported itself.
  if ("failureType" in error && error.failureType === "subtestsFailed") return "";
  const text = inspect(error.cause ?? error, { depth: 8 }).replaceAll("\n", "\n    ");
  return `\n✖ ${name} (${file ?? "?"}:${line ?? 0})\n    ${text}\n`;
}
