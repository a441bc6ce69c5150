/**
 * The crew's tools: each takes a moment, and leaves a mark when it begins and when it has done its work.
 */
import { defineTool, type Effect } from "@baton/core";
import { z } from "zod";
import { mark } from "../marks.ts";

const WORK_MS = 40;

const toTool = (name: string, effect: Effect) =>
  defineTool({
    name,
    description: `Does something ${effect}.`,
    effect,
    input: z.object({}),
    run: async (_input, { scope, run, call }) => {
      mark({ kind: "begun", run, of: call });
      await scope.sleep(WORK_MS);
      mark({ kind: "done", run, of: call });
      await scope.sleep(WORK_MS);
      return `${name} done`;
    },
  });

export default [
  toTool("Read", "read"),
  toTool("Keep", "idempotent"),
  toTool("Send", "irreversible"),
  toTool("Ask", "irreversible"),
];
