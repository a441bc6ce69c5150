/**
 * Turn: one agent holding the baton, until it answers or must wait.
 *
 * Model call, tools, model call … at most `maxSteps` of them; the last is made with tools switched off, so the stay
 * ends in an answer. Every reply joins the history.
 */
import { runCalls } from "./calls.ts";
import { type Failure, toBatonError, toFailure } from "./error.ts";
import type { Command, FactOf } from "./event.ts";
import { estimateTokens, fit, toView } from "./history.ts";
import type { AssistantMessage, Message } from "./message.ts";
import type { Model } from "./model.ts";
import { toToolMessages } from "./output.ts";
import type { Lane, Role } from "./plan.ts";
import type { Scope } from "./scope.ts";
import { takeStep } from "./step.ts";

/** How a turn ended: with an answer, cut off or failed, or not yet. */
export type TurnEnd =
  | { readonly kind: "answered"; readonly text: string }
  | { readonly kind: "stopped"; readonly error: Failure; readonly text: string }
  | { readonly kind: "waiting" };

const WAITING: TurnEnd = { kind: "waiting" };

/** Gives an agent the baton. */
export async function takeTurn(lane: Lane, role: Role, turn: string): Promise<TurnEnd> {
  const { host } = lane;
  const agent = role.agent.id;
  // Not by `await using`, which costs more than the turn; what throws here ends the run, and with it this scope.
  const scope = host.scope.child({ name: `agent:${agent}` });
  host.emit({ type: "turn.started", turn, agent });
  const end = await stayOn(lane, { role, turn, scope, model: toModel(lane, role), view: toView(lane.history, agent) });
  if (end.kind === "answered") host.emit({ type: "turn.ended", turn, agent, text: end.text });
  if (end.kind === "stopped") host.emit({ type: "turn.ended", turn, agent, text: end.text, error: end.error });
  await scope[Symbol.asyncDispose]();
  return end;
}

/** Model calls and their tools until the agent answers; what breaks on the way ends the turn, not the lane. */
async function stayOn(lane: Lane, stay: Stay): Promise<TurnEnd> {
  const { role, scope, model } = stay;
  const { maxSteps, maxOutputChars: each, maxTotalOutputChars: total } = lane.plan.crew.settings;
  try {
    let heard = listen(lane, stay, stay.turn);
    for (let count = 1; ; count++) {
      const end = heard === undefined ? undefined : await heard;
      if (end !== undefined) return end;
      const step = `${stay.turn}.${count}`;
      const isLast = count >= maxSteps;
      if (isLast && role.toolSpecs.length > 0) warnLastStep(lane, stay, maxSteps);
      fitView(lane, stay, step);
      const ended = await takeStep(lane, { role, model, step, scope, messages: stay.view, withTools: !isLast });
      if (ended.state !== undefined) lane.shared.modelStates.set(role.agent.id, ended.state);
      if (ended.error !== undefined) return { kind: "stopped", error: ended.error, text: "" };
      const results =
        ended.calls.length === 0 ? [] : await runCalls(lane, { role, step, scope, requests: ended.calls });
      if (results === "waiting") return WAITING;
      remember(lane, stay, [toReply(ended), ...toToolMessages(results, { each, total })]);
      if (results.length === 0) return { kind: "answered", text: ended.text };
      const cut = results.find(({ error }) => error !== undefined && error.code !== "tool")?.error;
      if (cut !== undefined) return { kind: "stopped", error: cut, text: "" };
      heard = listen(lane, stay, step);
    }
  } catch (thrown) {
    const error = toBatonError(thrown, "internal");
    if (error.code === "diverged") throw error;
    return { kind: "stopped", error: toFailure(error), text: "" };
  }
}

interface Stay {
  readonly role: Role;
  readonly turn: string;
  readonly scope: Scope;
  readonly model: Model;
  /** What the agent sees of the history. */
  view: Message[];
  /** How many messages the view lacks. */
  leftOut?: number;
  counts?: WeakMap<Message, number>;
}

/** The model's own count, asked once for each message. */
function toCounter(stay: Stay): (message: Message) => number {
  const { model } = stay;
  const counts = (stay.counts ??= new WeakMap());
  return (message) => {
    const known = counts.get(message);
    if (known !== undefined) return known;
    const count = model.countTokens?.(message) ?? 0;
    counts.set(message, count);
    return count;
  };
}

/** The agent's model; one that cannot be had fails when it is called, like any other. */
function toModel(lane: Lane, { agent }: Role): Model {
  try {
    return lane.shared.model(agent);
  } catch (thrown) {
    const error = toBatonError(thrown, "model");
    return {
      name: agent.model?.name ?? "none",
      stream() {
        throw error;
      },
    };
  }
}

/** The reply as it joins the history. */
export function toReply({ text, calls, agent, provider }: FactOf<"step.ended">): AssistantMessage {
  return {
    role: "assistant",
    agent,
    content: text,
    ...(calls.length === 0 ? {} : { calls }),
    ...(provider === undefined ? {} : { provider }),
  };
}

function remember(lane: Lane, stay: Stay, messages: readonly Message[]): void {
  for (const message of messages) {
    lane.history.push(message);
    stay.view.push(message);
  }
}

/** Takes what people sent meanwhile. */
function listen(lane: Lane, stay: Stay, position: string): Promise<TurnEnd | undefined> | undefined {
  const first = lane.host.receive();
  return first === undefined ? undefined : obey(lane, stay, { position, first });
}

type Heard = Readonly<{ position: string; first: Command }>;

async function obey(lane: Lane, stay: Stay, { position, first }: Heard): Promise<TurnEnd | undefined> {
  let pauses = 0;
  for (let command: Command | undefined = first; command !== undefined; command = lane.host.receive()) {
    if (command.type === "say") remember(lane, stay, [{ role: "user", content: command.text }]);
    if (command.type !== "pause") continue;
    pauses++;
    const settled = await lane.host.ask({
      type: "question.opened",
      question: pauses === 1 ? `${position}/pause` : `${position}/pause-${pauses}`,
      kind: "pause",
      agent: stay.role.agent.id,
      text: "the run is paused",
      schema: { type: ["string", "null"] },
    });
    if (settled === "waiting") return WAITING;
    if (settled === "closed") continue;
    if (typeof settled.value === "string") remember(lane, stay, [{ role: "user", content: settled.value }]);
  }
  return undefined;
}

function warnLastStep(lane: Lane, { role }: Stay, maxSteps: number): void {
  const agent = role.agent.id;
  lane.host.emit({ type: "limit.reached", limit: "max_rounds", value: maxSteps, agent });
  lane.host.emit({ type: "warning.raised", agent, text: `${agent} has to answer now: max_rounds is ${maxSteps}` });
}

function fitView(lane: Lane, stay: Stay, step: string): void {
  const { maxContextTokens, contextTrimPct } = lane.plan.crew.settings;
  const fitted = fit(stay.view, {
    maxTokens: maxContextTokens,
    trimPct: contextTrimPct,
    leftOut: stay.leftOut ?? 0,
    count: stay.model.countTokens === undefined ? estimateTokens : toCounter(stay),
  });
  if (fitted === undefined) return;
  const { dropped, tokensBefore, tokensAfter } = fitted;
  stay.view = fitted.messages;
  stay.leftOut = fitted.leftOut;
  lane.host.emit({ type: "history.trimmed", agent: stay.role.agent.id, step, dropped, tokensBefore, tokensAfter });
}
