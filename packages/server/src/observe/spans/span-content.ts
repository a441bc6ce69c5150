/**
 * Span content: the texts of model calls and tools, in the names and forms of OpenTelemetry's GenAI conventions.
 *
 * Only if the user asks for it; secrets are removed, and a long text is cut.
 */
import type { Prompt } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import type { Attributes } from "@opentelemetry/api";

const MAX_CHARS = 65_536;

type Redact = (text: string) => string;

/** The prompt of a model call. */
export function toInputContent({ system, messages }: Pick<Prompt, "system" | "messages">, redact: Redact): Attributes {
  return {
    "gen_ai.system_instructions": toText([{ type: "text", content: system }], redact),
    "gen_ai.input.messages": toText(
      messages.map(({ role, content }) => ({ role, parts: [{ type: "text", content }] })),
      redact,
    ),
  };
}

/** The reply of a model call. */
export function toOutputContent({ text, calls, finish }: EventBodyOf<"step.ended">, redact: Redact): Attributes {
  const said = text === "" ? [] : [{ type: "text", content: text }];
  const called = calls.map((call) => ({ type: "tool_call", name: call.tool, arguments: call.args }));
  return {
    "gen_ai.output.messages": toText(
      [{ role: "assistant", parts: [...said, ...called], finish_reason: finish }],
      redact,
    ),
  };
}

/** The arguments of a tool call. */
export function toArgumentsContent({ args }: EventBodyOf<"call.started">, redact: Redact): Attributes {
  return { "gen_ai.tool.call.arguments": toText(args, redact) };
}

/** The result of a tool call. */
export function toResultContent({ output, error }: EventBodyOf<"call.ended">, redact: Redact): Attributes {
  if (output === undefined && error === undefined) return {};
  return { "gen_ai.tool.call.result": toText(output ?? { error: error?.message ?? "" }, redact) };
}

function toText(value: unknown, redact: Redact): string {
  return redact(JSON.stringify(value)).slice(0, MAX_CHARS).toWellFormed();
}
