/**
 * Window: makes what a step's model is given fit, before it is called.
 *
 * System text and tool specifications count too. What was left out belongs to the step: it is recorded with it, and a
 * run that continues leaves out the same again, even if its model counts differently by then.
 */
import { dropMiddle, estimateTokens, fit } from "./history.ts";
import type { Lane } from "./lane.ts";
import type { Message } from "../words/message.ts";
import type { Model, ToolSpec } from "../ports/model.ts";
import type { JsonSchema } from "../words/schema/schema.ts";
import type { OpenTurn } from "./open-turn.ts";
import { toFigure } from "../words/text.ts";

type Count = (message: Message) => number;

/** The parts of a model call that count. */
type Measured = Readonly<{
  step: string;
  model: Model;
  system: string;
  tools: readonly ToolSpec[];
  outputSchema: JsonSchema | undefined;
  context: Message | undefined;
}>;

/** Leaves out of the view what was left out when this step was first made; nothing if it was not made yet. */
export function repeatTrim({ host }: Lane, turn: OpenTurn, step: string): void {
  const trimmed = host.trimmed(step);
  if (trimmed === undefined) return;
  const { messages, leftOut } = dropMiddle(turn.view, { dropped: trimmed.dropped, before: turn.leftOut });
  turn.view = messages;
  turn.leftOut = leftOut;
}

/** About how many tokens a step's model is given, and which messages must be left out to fit. */
export interface Fit {
  readonly tokens: number;
  readonly window: number;
  readonly fitted: ReturnType<typeof fit>;
}

/** Measures the view against the model's window. */
export function measure(lane: Lane, turn: OpenTurn, call: Measured): Fit {
  const { maxContextTokens, contextTrimPct: trimPct } = lane.plan.crew.settings;
  const { model } = call;
  const window = Math.min(maxContextTokens, model.contextTokens ?? Infinity);
  const count = model.countTokens === undefined ? estimateTokens : toCounter(turn, model.name, model.countTokens);
  const fixedTokens = countFixed(turn, call, count) + (call.context === undefined ? 0 : count(call.context));
  let tokens = fixedTokens;
  for (const message of turn.view) tokens += count(message);
  if (tokens <= window) return { tokens, window, fitted: undefined };
  const fitted = fit(turn.view, { maxTokens: window, fixedTokens, trimPct, leftOut: turn.leftOut, count });
  return { tokens: fitted?.tokensAfter ?? tokens, window, fitted };
}

/** Leaves out the middle of a view that does not fit. */
export function fitView(lane: Lane, turn: OpenTurn, { step, fit: { fitted, window } }: Measured & { fit: Fit }): void {
  if (fitted === undefined) return;
  const agent = turn.role.agent.id;
  const { dropped, tokensBefore, tokensAfter } = fitted;
  if (dropped > 0) {
    turn.view = fitted.messages;
    turn.leftOut = fitted.leftOut;
    lane.host.emit({ type: "history.trimmed", agent, step, dropped, tokensBefore, tokensAfter });
  }
  if (tokensAfter <= window) return;
  const over = `${toFigure(tokensAfter - window)} tokens larger than the window of ${toFigure(window)}`;
  const text = `the prompt of ${agent} is about ${over} (max_context_window)`;
  lane.host.emit({ type: "warning.raised", agent, text, of: step });
}

/** The model's own count, asked once for each message. */
function toCounter(turn: OpenTurn, model: string, countTokens: Count): Count {
  if (turn.counts?.model !== model) turn.counts = { model, tokens: new WeakMap() };
  const { tokens } = turn.counts;
  return (message) => {
    const known = tokens.get(message) ?? countTokens(message);
    tokens.set(message, known);
    return known;
  };
}

function countFixed({ role }: OpenTurn, { system, tools, outputSchema }: Measured, count: Count): number {
  const isEstimate = count === estimateTokens;
  const isWhole = isEstimate && tools === role.toolSpecs;
  const rest = outputSchema === undefined ? "" : JSON.stringify(outputSchema);
  const words = (isEstimate ? role.systemTokens : undefined) ?? count({ role: "system", content: system + rest });
  if (tools.length === 0) return words;
  return words + (isWhole ? role.toolTokens : count({ role: "system", content: JSON.stringify(tools) }));
}
