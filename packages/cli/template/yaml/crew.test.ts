// Runs the crew by its script and looks at what happened. Start it with: npm test
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

interface Event {
  readonly type: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly outcome?: string;
  readonly error?: object;
}

/** Found on the path: `npm test` adds the one that is installed here. */
const BATON = "baton";

test("a question about the time goes to the timekeeper, who looks it up", () => {
  const events = run("What time is it in Hanoi?");
  const agents = events.filter(({ type }) => type === "turn.started").map(({ agent }) => agent);
  const calls = events.filter(({ type }) => type === "call.ended");
  assert.deepEqual(agents, ["receptionist", "timekeeper"]);
  assert.deepEqual(
    calls.map(({ tool, error }) => ({ tool, error })),
    [{ tool: "GetTime", error: undefined }],
  );
  assert.equal(events.at(-1)?.outcome, "done");
});

test("a greeting is answered by the receptionist alone", () => {
  const events = run("Good morning!");
  const agents = events.filter(({ type }) => type === "turn.started").map(({ agent }) => agent);
  assert.deepEqual(agents, ["receptionist"]);
  assert.equal(events.at(-1)?.outcome, "done");
});

test("a question the script does not know is not answered with something else", () => {
  const events = run("Who won the match?");
  const agents = events.filter(({ type }) => type === "turn.started").map(({ agent }) => agent);
  assert.deepEqual(agents, ["receptionist"]);
  assert.equal(events.at(-1)?.outcome, "done");
});

/** Every event of a run, as `--json` prints them. */
function run(input: string): readonly Event[] {
  const script = join(import.meta.dirname, "script.yaml");
  const args = ["run", import.meta.dirname, input, "--script", script, "--json"];
  const lines = execFileSync(BATON, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  return lines.split("\n").map(toEvent);
}

function toEvent(line: string): Event {
  const value: unknown = JSON.parse(line);
  assert.ok(isEvent(value), `not an event: ${line}`);
  return value;
}

function isEvent(value: unknown): value is Event {
  return typeof value === "object" && value !== null && "type" in value;
}
