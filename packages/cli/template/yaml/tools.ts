/**
 * The crew's tools: what its agents can do beside talking.
 *
 * A tool says what it does to the world: `read` changes nothing, `idempotent` may be repeated, and before an
 * `irreversible` one a person is asked. An agent has the tools that its file lists.
 */
import { defineTool, ToolError } from "@baton/core";
import { z } from "zod";

const getTime = defineTool({
  name: "GetTime",
  description: "The date and time in a time zone.",
  effect: "read",
  input: z.object({ zone: z.string().max(64).describe("A time zone's name, such as Europe/Paris") }),
  run: ({ zone }) => ({ zone, time: toTime(zone) }),
});

/** The agent reads what went wrong, and can try another zone. */
function toTime(zone: string): string {
  try {
    return new Date().toLocaleString("en-GB", { timeZone: zone, dateStyle: "full", timeStyle: "short" });
  } catch {
    throw new ToolError("validation", `${zone} is not a time zone`);
  }
}

export default [getTime];
