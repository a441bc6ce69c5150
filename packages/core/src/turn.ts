/**
 * Turn: one agent holding the baton, until it answers or must wait.
 *
 * Model call, tools, model call … at most `max_rounds` of them; the last is made with tools switched off, so the stay
 * ends in an answer. Every reply joins the history.
 */
import { runCalls } from "./calls.ts";
import { type CallResult, isEmptyReply, toReply, toToolMessages } from "./dialogue.ts";
import { toBatonError, toFailure } from "./error.ts";
import type { Command, FactOf } from "./event.ts";
import type { Json } from "./json.ts";
import type { Lane } from "./lane.ts";
import type { PastCall } from "./model.ts";
import type { Role } from "./plan.ts";
import { toCrewPath } from "./position.ts";
import { toTurnEnded, toTurnStarted, type TurnEnd } from "./progress.ts";
import { countRepeats, remember, type Stay, toStay } from "./stay.ts";
import { takeStep } from "./step.ts";
import { readOutput } from "./structured.ts";
import { toFigure } from "./text.ts";
import { SEARCH, toFound } from "./tool-search.ts";

const WAITING: TurnEnd = { kind: "waiting" };

/** How often a model is asked to correct its output. */
const MAX_CORRECTIONS = 2;

/** Gives an agent the baton. */
export async function takeTurn(lane: Lane, role: Role, turn: string): Promise<TurnEnd> {
  const { host } = lane;
  const agent = role.agent.id;
  // Not by `await using`, which costs more than the turn; what throws here ends the run, and with it this scope.
  const scope = host.scope.child({ name: `agent:${agent}` });
  host.emit(toTurnStarted(role, turn));
  const stay = toStay(lane, { role, turn, scope });
  const end = await stayOn(lane, stay);
  if (end.kind !== "waiting") host.emit(toTurnEnded(role, turn, end));
  await scope[Symbol.asyncDispose]();
  return end.kind === "stopped" && stay.isResumed ? { ...end, isResumed: true } : end;
}

/** Model calls and their tools until the agent answers; what breaks on the way ends the turn, not the lane. */
async function stayOn(lane: Lane, stay: Stay): Promise<TurnEnd> {
  const { role } = stay;
  const maxSteps = role.agent.maxSteps ?? lane.plan.crew.settings.maxSteps;
  stay.roundsLeft = maxSteps;
  try {
    let heard = listen(lane, stay, stay.turn);
    for (let count = 1; ; count++) {
      const left = heard === undefined ? undefined : await heard;
      if (left !== undefined) return left;
      const step = `${stay.turn}.${count}`;
      stay.roundsLeft--;
      if (stay.roundsLeft <= 0 && !stay.isLast) endRounds(lane, stay, maxSteps);
      const ended = await takeStep(lane, stay, step);
      const end = await settle(lane, stay, ended);
      if (end !== undefined) return end;
      heard = listen(lane, stay, step);
    }
  } catch (thrown) {
    const error = toBatonError(thrown, "internal");
    if (error.code === "diverged") throw error;
    return { kind: "stopped", error: toFailure(error), text: stay.said };
  }
}

/** What follows a model call: its tools, or the end of the turn; undefined if the model is called again. */
async function settle(lane: Lane, stay: Stay, ended: FactOf<"step.ended">): Promise<TurnEnd | undefined> {
  const { role, scope, offered } = stay;
  const { maxOutputChars: each, maxTotalOutputChars: total } = lane.plan.crew.settings;
  const { step, text, calls, error } = ended;
  const modelState = toCrewPath(lane.host.lane) + role.agent.id;
  if (ended.state !== undefined) lane.shared.modelStates.set(modelState, ended.state);
  stay.said = text || stay.said;
  stay.endsRun ||= ended.end === true;
  if (error !== undefined) return { kind: "stopped", error, text: stay.said };
  const isEmpty = isEmptyReply(ended);
  if (calls.length === 0 && role.agent.output !== undefined) return toOutput(lane, stay, ended);
  if (isEmpty && !stay.isProgram) return askAgain(lane, stay);
  stay.isEmpty = false;
  const results = calls.length === 0 ? [] : await runCalls(lane, { role, step, scope, offered, requests: calls });
  if (results === "waiting") return WAITING;
  const told = toToolMessages(results, { each, total, run: lane.host.run });
  if (!isEmpty) remember(lane, stay, [toReply(ended, role.agent.audience), ...told.messages]);
  if (results.length === 0) return toAnswer(stay, ended);
  stay.results = results.map(toPastCall);
  for (const { request, output } of results) {
    if (request.tool === SEARCH) for (const name of toFound(output)) stay.found.add(name);
  }
  for (const { tool, chars, shown, setting } of told.cuts) {
    warn(lane, stay, `${tool} gave ${toFigure(chars)} characters; the model reads ${toFigure(shown)} (${setting})`);
  }
  const cut = results.find((result) => result.error !== undefined && result.error.code !== "tool")?.error;
  if (cut !== undefined) return { kind: "stopped", error: cut, text: stay.said };
  stay.hasCalled = true;
  stay.hasRun ||= results.some(({ attempts }) => attempts !== 0);
  if (!stay.isProgram) for (const result of results) lookForLoop(lane, stay, result);
  return undefined;
}

const toPastCall = ({ request: { id, tool, args }, output, error }: CallResult): PastCall => ({
  call: id,
  tool,
  args,
  ...(error === undefined ? { output: output ?? null } : { error }),
});

function toAnswer(stay: Stay, { text }: FactOf<"step.ended">, output?: Json): TurnEnd {
  const { endsRun, isResumed } = stay;
  return { kind: "answered", text, endsRun, isResumed, ...(output === undefined ? {} : { output }) };
}

/** The reply as the value that the agent's schema asks for; if it does not fit, the model may correct it, at most twice. */
function toOutput(lane: Lane, stay: Stay, ended: FactOf<"step.ended">): TurnEnd | undefined {
  const { role } = stay;
  const read = readOutput(role.agent.output ?? {}, ended);
  if (read.ok) {
    if (!isEmptyReply(ended)) remember(lane, stay, [toReply(ended, role.agent.audience)]);
    return toAnswer(stay, ended, read.value);
  }
  if (stay.isProgram || stay.corrections >= MAX_CORRECTIONS || stay.roundsLeft <= 0) {
    const message = `the output of ${role.agent.id} does not fit: ${read.problems}`;
    return { kind: "stopped", error: { code: "bad_output", message }, text: stay.said };
  }
  stay.corrections++;
  warn(lane, stay, `the output of ${role.agent.id} does not fit: ${read.problems}; it is told so`);
  const content = `Your reply is not what was asked for: ${read.problems}. Reply with the corrected JSON alone.`;
  stay.view.push(toReply(ended, role.agent.audience), { role: "user", content });
  return undefined;
}

/** A reply that says nothing is asked for once more if there is a round left, then the turn fails. */
function askAgain(lane: Lane, stay: Stay): TurnEnd | undefined {
  const agent = stay.role.agent.id;
  const what = `the model of ${agent} gave an empty reply`;
  if (!stay.isEmpty && stay.roundsLeft > 0) {
    stay.isEmpty = true;
    warn(lane, stay, `${what}; it is asked once more`);
    return undefined;
  }
  const message = stay.isEmpty ? `${what} twice` : `${what} in its last round (max_rounds)`;
  warn(lane, stay, message);
  return { kind: "stopped", error: { code: "empty_reply", message }, text: stay.said };
}

/** The same call with the same result was repeated too often: the agent must answer now. */
function lookForLoop(lane: Lane, stay: Stay, result: CallResult): void {
  const { maxRepeatedCalls } = lane.plan.crew.settings;
  if (maxRepeatedCalls <= 0 || stay.isLast || countRepeats(stay, result) < maxRepeatedCalls) return;
  stay.isLast = true;
  const what = `called ${result.request.tool} ${maxRepeatedCalls} times with the same arguments and result`;
  warn(lane, stay, `${stay.role.agent.id} ${what}, and has to answer now (max_repeated_calls)`);
}

/** The last model call of a stay is made with tools off. */
function endRounds(lane: Lane, stay: Stay, maxSteps: number): void {
  const agent = stay.role.agent.id;
  stay.isLast = true;
  if (stay.role.toolSpecs.length === 0 || stay.role.agent.toolChoice === "none") return;
  lane.host.emit({ type: "limit.reached", limit: "max_rounds", value: maxSteps, agent });
  warn(lane, stay, `${agent} has to answer now: max_rounds is ${maxSteps}`);
}

function warn(lane: Lane, { role }: Stay, text: string): void {
  lane.host.emit({ type: "warning.raised", agent: role.agent.id, text });
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
    if (typeof settled.value !== "string") continue;
    remember(lane, stay, [{ role: "user", content: settled.value }]);
    stay.isResumed = true;
  }
  return undefined;
}
