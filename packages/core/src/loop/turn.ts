/**
 * Turn: one agent holding the baton, until it answers or must wait.
 *
 * Model call, tools, model call … at most `max_rounds` of them; the last is made with tools switched off, so that the
 * turn ends in an answer. Every reply joins the history.
 */
import { runCalls } from "./calls.ts";
import { type CallResult, isEmptyReply, toReply, toToolMessages } from "../words/dialogue.ts";
import { toBatonError, toFailure } from "../words/error.ts";
import type { Command, EventBodyOf } from "../words/event.ts";
import type { Json } from "../words/json.ts";
import type { Lane } from "../views/lane.ts";
import { asksForSignal, toSignalQuestion } from "../views/missing-signal.ts";
import type { PastCall } from "../ports/model.ts";
import type { Role } from "../views/plan.ts";
import { toTurnEnded, toTurnStarted, type TurnEnd } from "../views/progress.ts";
import { countRepeats, distinctCalls, remember, type OpenTurn, toOpenTurn } from "../views/open-turn.ts";
import { takeStep } from "./step.ts";
import { readOutput } from "../words/schema/structured.ts";
import { toFigure } from "../words/text.ts";
import { RUN_CODE, SEARCH } from "../definitions/tool.ts";
import { toFound } from "../views/tool-search.ts";

const WAITING: TurnEnd = { kind: "waiting" };

/** Number of times a model may correct its output. */
const MAX_CORRECTIONS = 2;

/** Gives an agent the baton. */
export async function takeTurn(lane: Lane, role: Role, position: string): Promise<TurnEnd> {
  const { host } = lane;
  const agent = role.agent.id;
  // Not by `await using`, which costs more than the turn; what throws here ends the run, and with it this scope.
  const scope = host.scope.child({ name: `agent:${agent}` });
  host.emit(toTurnStarted(role, position));
  const turn = toOpenTurn(lane, { role, position, scope });
  const end = await holdBaton(lane, turn);
  if (end.kind !== "waiting") host.emit(toTurnEnded(role, position, end));
  await scope[Symbol.asyncDispose]();
  return end.kind === "stopped" && turn.isResumed ? { ...end, isResumed: true } : end;
}

/** Model calls and their tools until the agent answers; an error ends the turn, not the lane. */
async function holdBaton(lane: Lane, turn: OpenTurn): Promise<TurnEnd> {
  const { role } = turn;
  const maxSteps = role.agent.maxSteps ?? lane.plan.crew.settings.maxSteps;
  turn.roundsLeft = maxSteps;
  try {
    let heard = listen(lane, turn, turn.position);
    for (let count = 1; ; count++) {
      const left = heard === undefined ? undefined : await heard;
      if (left !== undefined) return left;
      const step = `${turn.position}.${count}`;
      turn.roundsLeft--;
      if (turn.roundsLeft <= 0 && !turn.isLast) endRounds(lane, turn, maxSteps);
      const ended = await takeStep(lane, turn, step);
      const end = await settle(lane, turn, ended);
      if (end !== undefined) return end;
      heard = listen(lane, turn, step);
    }
  } catch (thrown) {
    const error = toBatonError(thrown, "internal");
    if (error.code === "diverged") throw error;
    return { kind: "stopped", error: toFailure(error), text: turn.said };
  }
}

/** Runs the tools of a model call or ends the turn; returns undefined if the model is called again. */
async function settle(lane: Lane, turn: OpenTurn, ended: EventBodyOf<"step.ended">): Promise<TurnEnd | undefined> {
  const { role, scope, offered, inCode } = turn;
  const { maxOutputChars: each, maxTotalOutputChars: total } = lane.plan.crew.settings;
  const { step, text, calls, error } = ended;
  const modelState = lane.path + role.agent.id;
  if (ended.state !== undefined) lane.shared.modelStates.set(modelState, ended.state);
  if (turn.unsignalled !== undefined) return toSignalled(turn, turn.unsignalled, ended);
  // Commentary is never the answer, not even of a turn that is interrupted.
  if (calls.length === 0) turn.said = text || turn.said;
  turn.endsRun ||= ended.end === true;
  if (error !== undefined) return { kind: "stopped", error, text: turn.said };
  const isEmpty = isEmptyReply(ended);
  if (calls.length === 0 && role.agent.output !== undefined) return toOutput(lane, turn, ended);
  if (isEmpty && !turn.isProgram) return askAgain(lane, turn);
  turn.isEmpty = false;
  const asked = { role, step, scope, offered, inCode, requests: calls, counts: turn.childCalls };
  const results = calls.length === 0 ? [] : await runCalls(lane, asked);
  if (results === "waiting") return WAITING;
  const told = toToolMessages(results, { each, total, run: lane.host.run });
  if (!isEmpty) remember(lane, turn, [toReply(ended, role.agent.audience), ...told.messages]);
  if (results.length === 0) {
    if (turn.isProgram || turn.roundsLeft <= 0 || !asksForSignal(lane, role, text)) return toAnswer(turn, ended);
    turn.unsignalled = ended;
    turn.view.push(toSignalQuestion(role));
    return undefined;
  }
  turn.results = results.map(toPastCall);
  for (const { request, output } of results) {
    if (request.tool === SEARCH) for (const name of toFound(output)) turn.found.add(name);
    if (request.tool === RUN_CODE && role.agent.toolSearch !== false) await findInCode(lane, turn, request.id);
  }
  for (const { tool, chars, shown, setting } of told.cuts) {
    warn(lane, turn, `${tool} gave ${toFigure(chars)} characters; the model reads ${toFigure(shown)} (${setting})`);
  }
  const cut = results.find((result) => result.error !== undefined && result.error.code !== "tool")?.error;
  if (cut !== undefined) return { kind: "stopped", error: cut, text: turn.said };
  turn.hasCalled ||= calls.some(({ isText }) => isText !== true);
  turn.hasRun ||= results.some(({ attempts }) => attempts !== 0);
  if (!turn.isProgram) for (const result of distinctCalls(results)) lookForLoop(lane, turn, result);
  return undefined;
}

/** Searches that code makes name tools for the next reply too. */
async function findInCode({ host }: Lane, turn: OpenTurn, call: string): Promise<void> {
  const searches = host.finishedCalls().list.filter((one) => one.tool === SEARCH && one.call.startsWith(`${call}.`));
  for (const search of searches) {
    for (const name of toFound(await host.outputOf(search.call))) turn.found.add(name);
  }
}

const toPastCall = ({ request: { id, tool, args }, edited, output, error }: CallResult): PastCall => ({
  call: id,
  tool,
  args: edited ?? args,
  ...(error === undefined ? { output: output ?? null } : { error }),
});

function toAnswer(turn: OpenTurn, { text }: EventBodyOf<"step.ended">, output?: Json): TurnEnd {
  const { endsRun, isResumed } = turn;
  return { kind: "answered", text, endsRun, isResumed, ...(output === undefined ? {} : { output }) };
}

/** The first reply is the answer, with the signal that the model gave for it; a model that fails gives none. */
function toSignalled(
  turn: OpenTurn,
  first: EventBodyOf<"step.ended">,
  { text, error }: EventBodyOf<"step.ended">,
): TurnEnd {
  if (error !== undefined && error.code !== "model") return { kind: "stopped", error, text: turn.said };
  const answer = toAnswer(turn, first);
  return answer.kind === "answered" ? { ...answer, signal: text } : answer;
}

/** The reply as the value that the agent's schema asks for; if it does not fit, the model may correct it, at most twice. */
async function toOutput(lane: Lane, turn: OpenTurn, ended: EventBodyOf<"step.ended">): Promise<TurnEnd | undefined> {
  const { role } = turn;
  const reading = readOutput(role.agent, ended);
  // A schema may take its time, as long as the turn has some.
  const read = reading instanceof Promise ? await lane.host.during(() => turn.scope.race(() => reading)) : reading;
  if (read.ok) {
    if (!isEmptyReply(ended)) remember(lane, turn, [toReply(ended, role.agent.audience)]);
    const answer = toAnswer(turn, ended, read.value);
    return read.isUnparsed && answer.kind === "answered" ? { ...answer, isUnparsed: true } : answer;
  }
  if (turn.isProgram || turn.corrections >= MAX_CORRECTIONS || turn.roundsLeft <= 0) {
    const message = `the output of ${role.agent.id} does not fit: ${read.problems}`;
    return { kind: "stopped", error: { code: "bad_output", message }, text: turn.said };
  }
  turn.corrections++;
  warn(lane, turn, `the output of ${role.agent.id} does not fit: ${read.problems}; the model is asked to correct it`);
  const content = `Your reply is not what was asked for: ${read.problems}. Reply with the corrected JSON alone.`;
  turn.view.push(toReply(ended, role.agent.audience), { role: "user", content });
  return undefined;
}

/** After an empty reply the model is called again if a round is left; after a second one the turn fails. */
function askAgain(lane: Lane, turn: OpenTurn): TurnEnd | undefined {
  const agent = turn.role.agent.id;
  const what = `the model of ${agent} gave an empty reply`;
  if (!turn.isEmpty && turn.roundsLeft > 0) {
    turn.isEmpty = true;
    warn(lane, turn, `${what}; it is called again`);
    return undefined;
  }
  const message = turn.isEmpty ? `${what} twice` : `${what} in its last round (max_rounds)`;
  warn(lane, turn, message);
  return { kind: "stopped", error: { code: "empty_reply", message }, text: turn.said };
}

/** The same call with the same result was repeated too often: the agent must answer now. */
function lookForLoop(lane: Lane, turn: OpenTurn, result: CallResult): void {
  const { maxRepeatedCalls } = lane.plan.crew.settings;
  if (maxRepeatedCalls <= 0 || turn.isLast || countRepeats(turn, result) < maxRepeatedCalls) return;
  turn.isLast = true;
  const what = `called ${result.request.tool} ${maxRepeatedCalls} times with the same arguments and result`;
  warn(lane, turn, `${turn.role.agent.id} ${what}; it must now answer without tools (max_repeated_calls)`);
}

/** The last model call of a turn is made with tools switched off. */
function endRounds(lane: Lane, turn: OpenTurn, maxSteps: number): void {
  const agent = turn.role.agent.id;
  turn.isLast = true;
  if (turn.role.toolSpecs.length === 0 || turn.role.agent.toolChoice === "none") return;
  lane.host.emit({ type: "limit.reached", limit: "max_rounds", value: maxSteps, agent });
  warn(lane, turn, `${agent} must now answer without tools: max_rounds is ${maxSteps}`);
}

function warn(lane: Lane, { role }: OpenTurn, text: string): void {
  lane.host.emit({ type: "warning.raised", agent: role.agent.id, text });
}

/** Handles the commands that arrived since the last step. */
function listen(lane: Lane, turn: OpenTurn, position: string): Promise<TurnEnd | undefined> | undefined {
  const first = lane.host.receive();
  return first === undefined ? undefined : obey(lane, turn, { position, first });
}

type Heard = Readonly<{ position: string; first: Command }>;

async function obey(lane: Lane, turn: OpenTurn, { position, first }: Heard): Promise<TurnEnd | undefined> {
  let pauses = 0;
  for (let command: Command | undefined = first; command !== undefined; command = lane.host.receive()) {
    if (command.type === "say") remember(lane, turn, [{ role: "user", content: command.text }]);
    if (command.type !== "pause") continue;
    pauses++;
    const settled = await lane.host.ask({
      type: "question.opened",
      question: pauses === 1 ? `${position}/pause` : `${position}/pause-${pauses}`,
      kind: "pause",
      agent: turn.role.agent.id,
      text: "the run is paused",
      schema: { type: ["string", "null"] },
      who: "user",
    });
    if (settled === "waiting") return WAITING;
    if (settled === "closed") continue;
    if (typeof settled.value !== "string") continue;
    remember(lane, turn, [{ role: "user", content: settled.value }]);
    turn.isResumed = true;
  }
  return undefined;
}
