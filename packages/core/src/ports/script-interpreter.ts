/**
 * Script interpreter: the in-memory version of the interpreter, which plays functions instead of code.
 *
 * For tests of what is around code: it has no limits, and nothing keeps a function from the rest of the process.
 */
import type { CodeCall, CodeEnd, CodeResult, CodeStep, Interpreter } from "./interpreter.ts";
import { ToolError, toMessage } from "../words/error.ts";
import type { Json } from "../words/json.ts";

/** A function that stands for a text of code. */
export type CodeScript = (tools: ScriptedTools, now: () => number) => Promise<Json | undefined>;

/** Calls a tool by its name. */
type ScriptedTools = (tool: string, args?: Json) => Promise<Json>;

type Pending = Readonly<{ resolve: (output: Json) => void; reject: (error: unknown) => void }>;

/** Makes an interpreter that plays a function for each text of code. */
export function scriptInterpreter(scripts: { readonly [code: string]: CodeScript }, engine = "script"): Interpreter {
  return {
    engine,
    start({ text, at }) {
      const pending = new Map<number, Pending>();
      let [made, now] = [0, at];
      let calls: CodeCall[] = [];
      let end: CodeEnd | undefined;
      const tools: ScriptedTools = (tool, args = {}) => {
        calls.push({ tool, args, line: made + 1 });
        return new Promise((resolve, reject) => pending.set(++made, { resolve, reject }));
      };
      const begin = async () => {
        try {
          end = { result: (await scripts[text]?.(tools, () => now)) ?? null };
        } catch (thrown) {
          end = { error: { kind: "permanent", message: toMessage(thrown) } };
        }
      };
      let running: Promise<void> | undefined;
      return {
        async step(scope, result?: CodeResult): Promise<CodeStep> {
          running ??= begin();
          if (result !== undefined) {
            const { resolve, reject } = pending.get(result.call) ?? UNKNOWN;
            pending.delete(result.call);
            now = result.at;
            if ("output" in result) resolve(result.output);
            else
              reject(
                new ToolError(
                  result.error.kind === "cancelled" ? "permanent" : result.error.kind,
                  result.error.message,
                ),
              );
          }
          // All jobs that follow have run by then.
          await new Promise<void>((resolve) => scope.clock.soon(resolve));
          const since = calls;
          calls = [];
          return end !== undefined && pending.size === 0 ? { calls: since, end } : { calls: since };
        },
        close: () => undefined,
      };
    },
  };
}

const UNKNOWN: Pending = { resolve: () => undefined, reject: () => undefined };
