/**
 * Timed tool: a tool that says when a call of it begins, after it waited for its permits.
 *
 * The log of a run says when a call was asked for and when it ended; in between, only the tool itself knows.
 */
import type { CallContext, Tool } from "@baton/core";

/** Called when the tool of a call starts. */
export type CallBegan = (run: string, call: string) => void;

type Prepared = Awaited<ReturnType<Tool["prepare"]>>;

/** The same tool; `began` is called at the first attempt of each call. */
export function toTimedTool(tool: Tool, began: CallBegan): Tool {
  const time = (prepared: Prepared): Prepared => {
    if (!prepared.ok) return prepared;
    const run = (context: CallContext) => {
      if (context.attempt === 1) began(context.run, context.call);
      return prepared.run(context);
    };
    return { ...prepared, run };
  };
  return Object.freeze<Tool>({
    ...tool,
    prepare(args) {
      const prepared = tool.prepare(args);
      return prepared instanceof Promise ? prepared.then(time) : time(prepared);
    },
  });
}
