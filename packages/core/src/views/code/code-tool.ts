/**
 * Code tool: `run_code` as a model sees it, and what it is told of code that has ended.
 */
import type { FinishedCall } from "../../ports/call-log.ts";
import type { CodeEnd, CodeFailure } from "../../ports/interpreter.ts";
import type { ToolSpec } from "../../ports/model.ts";
import type { Settings } from "../../definitions/limits.ts";
import { defineTool, RUN_CODE, type Tool } from "../../definitions/tool.ts";
import { toDeclaration } from "./code-types.ts";
import { type Failure, failure } from "../../words/error.ts";
import type { EventBodyOf } from "../../words/event.ts";
import { isEqualJson, type Json, omitUndefined } from "../../words/json.ts";
import { boundOutput } from "../../words/output.ts";
import { toPlainInput } from "../../words/schema/json-schema.ts";
import { lookInto } from "../../words/state.ts";
import { toFigure } from "../../words/text.ts";

const INPUT = {
  type: "object",
  properties: {
    code: { type: "string", description: "The body of an async function, in TypeScript." },
    purpose: { type: "string", description: "What it is for, in a few words." },
  },
  required: ["code"],
  additionalProperties: false,
} as const;

const RULES = [
  "Runs TypeScript that calls the tools below, and gives you what it returns.",
  "Write the body of an async function: `await` and `return` work at the top. Each run starts anew: variables of earlier code are gone.",
  "A tool takes one object: `const found = await tools.name({ key: value })`. Make independent calls at once with `Promise.all`.",
  "A call that fails throws a `ToolError` with `kind` and `message`; catch it if the others shall go on.",
  "A call that needs a person's approval takes longer: await it. A refusal throws kind `permission`.",
  "Loop, filter and add up in the code, and return only what you need, as JSON; you also read `console.log`.",
  "What is done stays done if the code fails later: do not repeat those calls.",
  "There are no imports, `fetch`, timers, files or `Intl`; types are allowed, enums are not.",
].join("\n");

/** The tool; its calls are made by the loop, never by its `run`. */
export function toCodeTool({ maxCodeBytes }: Settings): Tool {
  const tool = defineTool({
    name: RUN_CODE,
    description: RULES,
    effect: "read",
    concurrency: "sequential",
    input: toPlainInput(INPUT),
    run: () => undefined,
  });
  const prepare: Tool["prepare"] = (args) => {
    const bytes = new TextEncoder().encode(toCode(args)).length;
    if (bytes <= maxCodeBytes) return tool.prepare(args);
    const [size, most] = [bytes, maxCodeBytes].map((count) => toFigure(Math.ceil(count / 1_024)));
    return { ok: false, issues: [{ path: "code", message: `is ${size} KB; max_code_kb is ${most}` }] };
  };
  return Object.freeze({ ...tool, prepare });
}

/** The code of a call. */
export function toCode(args: Json): string {
  const code = lookInto(args, "code");
  return typeof code === "string" ? code : "";
}

/** The specification of `run_code` for an agent that is offered these tools in code. */
export function toCodeSpec(tools: ReadonlyMap<string, Tool>, offered: Iterable<string>): ToolSpec {
  const own = Array.from(offered).flatMap((name) => tools.get(name) ?? []);
  return { name: RUN_CODE, description: `${RULES}\n\n${toDeclaration(own)}`, inputSchema: INPUT };
}

/** A call that has succeeded, as code must not repeat it. */
export type DoneCall = Pick<FinishedCall, "call" | "tool" | "args">;

/** An earlier call with the same tool and arguments. */
export function findRepeated(done: readonly DoneCall[], { tool, args }: Omit<DoneCall, "call">): string | undefined {
  return done.find((one) => one.tool === tool && isEqualJson(one.args, args))?.call;
}

const MAX_LISTED = 50;
const MAX_ARGS_CHARS = 200;

/** The calls that code has made, and those that succeeded and had an effect. */
type Made = Readonly<{ made: number; effects: readonly DoneCall[] }>;

/** The part of the call's end that the model reads. */
export function toCodeResult(
  end: CodeEnd,
  { made, effects }: Made,
): Pick<EventBodyOf<"call.ended">, "output" | "wholeChars" | "error"> {
  if ("error" in end) return { error: toCodeFailure(end.error, effects) };
  const { result, console } = end;
  const bounded = boundOutput({ result, ...omitUndefined({ console }), calls: made });
  if (!bounded.ok) return { error: failure("crash", bounded.why) };
  return { output: bounded.output, ...omitUndefined({ wholeChars: end.wholeChars ?? bounded.wholeChars }) };
}

/** The failure of code, with the calls that had an effect before it. */
function toCodeFailure(error: CodeFailure, done: readonly DoneCall[]): Failure {
  if (done.length === 0) return failure(error.kind, error.message);
  const lines = done.slice(0, MAX_LISTED).map(({ tool, args }) => {
    const text = JSON.stringify(args);
    return `- ${tool} ${text.length > MAX_ARGS_CHARS ? `${text.slice(0, MAX_ARGS_CHARS)}…` : text}`;
  });
  const more = done.length > MAX_LISTED ? [`- and ${toFigure(done.length - MAX_LISTED)} more`] : [];
  const text = [error.message, "These calls succeeded; do not repeat them:", ...lines, ...more].join("\n");
  return failure(error.kind, text);
}
