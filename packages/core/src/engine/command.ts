/**
 * Command: a message into a run, checked against what the run is doing.
 *
 * A cancel acts at once; an answer goes to its question; `configure` is noted and holds from the next step on; the rest
 * is taken between two steps, or wakes a paused run if that is what it waits for.
 */
import type { Agent } from "../definitions/agent.ts";
import type { Crew } from "../definitions/definition.ts";
import { BatonError } from "../words/error.ts";
import type { Command, Configure } from "../words/event.ts";
import type { OpenQuestion } from "../words/fold.ts";
import { readLog } from "../ports/follower.ts";
import { type AnswerIssues, checkAnswer } from "../views/answer-check.ts";
import { type Json, omitUndefined } from "../words/json.ts";
import { checkInput } from "../definitions/limits.ts";
import type { LiveRun, Waiting } from "./live-run.ts";
import { nearest } from "../words/nearest.ts";
import { toProgramName } from "../ports/program.ts";
import type { Commanded, Run } from "../handle/run-handle.ts";

type Answering = Extract<Command, { type: "answer" }>;
type Cancelling = Extract<Command, { type: "cancel" }>;
type Saying = Extract<Command, { type: "say" }>;

/** Sends a command; rejects if it makes no sense now. */
export async function sendCommand(run: LiveRun, command: Command): Promise<Commanded> {
  if (run.hasEnded) throw new BatonError("run_ended", `run ${run.id} has ended`);
  switch (command.type) {
    case "cancel": {
      const { reason = "cancelled by command" } = command;
      const part = partOf(command);
      const receipt = await (part === undefined ? run.cancel(reason) : run.cancelPart(part.key, part.name, command));
      return { run: run.handle, receipt };
    }
    case "answer":
      return { run: await answer(run, command) };
    case "configure":
      checkConfigure(run, command);
      run.configure(command);
      return { run: run.handle };
    case "pause":
    case "resume":
    case "say":
      if (run.waiting !== undefined) return { run: wake(run, run.waiting, command) };
      if (command.type === "say") checkSay(run, command);
      if (command.type === "resume") throw new BatonError("conflict", `run ${run.id} is not paused`);
      await run.mailbox.send(command, run.scope);
      return { run: run.handle };
  }
}

function checkSay(run: LiveRun, { text, lane = "" }: Saying): void {
  checkInput(run.crew.settings, text);
  if (lane === "" || run.scope.find(`lane:${lane}`) !== undefined) return;
  throw new BatonError("not_found", `run ${run.id}: lane:${lane} is not running`);
}

/** The lane or call that a cancel stops alone, with the name of its scope; undefined if it ends the run. */
function partOf({ lane, call }: Cancelling): { readonly key: string; readonly name: string } | undefined {
  if (lane !== undefined && call !== undefined) {
    throw new BatonError("invalid", "cancel takes a lane or a call, not both");
  }
  if (lane !== undefined) return { key: lane, name: `lane:${lane}` };
  return call === undefined ? undefined : { key: call, name: `call:${call}` };
}

function checkConfigure(run: LiveRun, { agent: id, model, temperature, maxTokens }: Configure): void {
  const agents = new Map(membersOf(run.crew));
  if (id !== undefined && !agents.has(id)) {
    const near = nearest(id, agents.keys());
    const hint = near === undefined ? `it has ${[...agents.keys()].join(", ")}` : `did you mean ${near}?`;
    throw new BatonError("not_found", `crew ${run.crew.name} has no agent "${id}"; ${hint}`);
  }
  if ((model ?? temperature ?? maxTokens) === undefined) {
    throw new BatonError("invalid", "configure needs a model, a temperature or max_tokens");
  }
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) {
    throw new BatonError("invalid", `temperature must be from 0 to 2, got ${temperature}`);
  }
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 1)) {
    throw new BatonError("invalid", `max_tokens must be a whole number, 1 or more, got ${maxTokens}`);
  }
  if (model === undefined) return;
  for (const [name, { agent, crew }] of agents) {
    const { backup: _, ...rest } = agent;
    const isProgram = toProgramName((agent.model ?? crew.model)?.name ?? "") !== undefined;
    if ((id === undefined || id === name) && !isProgram) run.modelOf({ ...rest, model: { name: model } }, crew);
  }
}

type Membership = Readonly<{ agent: Agent; crew: Crew }>;

/** The agents of a crew and of those that it contains, `alpha/researcher`, each with its crew. */
function* membersOf(crew: Crew, path = ""): Iterable<readonly [string, Membership]> {
  for (const [id, agent] of crew.agents) yield [path + id, { agent, crew }];
  for (const [name, sub] of crew.subCrews) yield* membersOf(sub, `${path}${name}/`);
}

/** A command to a paused run: only what it waits for makes it continue. */
function wake(
  run: LiveRun,
  { questions }: Waiting,
  command: Extract<Command, { type: "pause" | "resume" | "say" }>,
): Run {
  if (command.type === "say" && command.lane !== undefined) return wakeLane(run, { questions }, command);
  const pause = [...questions.values()].find(({ kind }) => kind === "pause");
  const by = command.type === "pause" ? {} : omitUndefined({ by: command.by });
  if (command.type === "resume" && pause !== undefined)
    return run.answer(pause, { value: command.input ?? null, ...by });
  const text = command.type === "say" ? command.text : command.type === "resume" ? command.input : undefined;
  const images = command.type === "resume" ? command.images : undefined;
  if (text !== undefined) return run.resume(text, { ...by, ...omitUndefined({ images }) });
  const ids = [...questions.keys()].join(", ");
  if (ids !== "") throw new BatonError("question_open", `run ${run.id} waits for answers: ${ids}`);
  throw new BatonError("conflict", `run ${run.id} is paused; resume it with a message`);
}

/** A message to a lane of a paused run: only an agent that waits for one there can hear it. */
function wakeLane(run: LiveRun, { questions }: Pick<Waiting, "questions">, { text, lane, by }: Saying): Run {
  checkInput(run.crew.settings, text);
  const waiting = [...questions.values()].filter((question) => question.lane === lane);
  const message = waiting.find(({ kind }) => kind === "message" || kind === "pause");
  if (message !== undefined) return run.answer(message, { value: text, ...omitUndefined({ by }) });
  if (lane === "" && questions.size === 0) return run.resume(text);
  const ids = waiting.map(({ question }) => question).join(", ");
  if (ids !== "") throw new BatonError("question_open", `lane ${lane} of run ${run.id} waits for answers: ${ids}`);
  throw new BatonError("not_found", `run ${run.id}: lane:${lane} is not running`);
}

async function answer(run: LiveRun, { question, value, as = "operator", by }: Answering): Promise<Run> {
  const open = await findQuestion(run, question);
  if (open.who === "operator" && as !== "operator") {
    throw new BatonError("forbidden", `question ${question} is for the operator of the crew`);
  }
  const issues = checkInTime(run, open, value);
  refuse(open, issues instanceof Promise ? await issues : issues);
  const given = { value, ...omitUndefined({ by }) };
  if (run.local?.answer(question, given) === true) return run.handle;
  // Another caller may have answered first.
  await findQuestion(run, question);
  // The question is no longer waited for and the pause is not written down yet: it will be in a moment.
  if (run.waiting === undefined) await run.result();
  const still = run.waiting?.questions.get(question);
  if (still === undefined) throw new BatonError("not_found", `question ${question} was closed in the meantime`);
  return run.answer(still, given);
}

/** A tool's own validator has as much time as a call; it ends neither with the segment nor with a pause. */
function checkInTime({ crew, log, engineScope }: LiveRun, open: OpenQuestion, value: Json): AnswerIssues {
  const issues = checkAnswer({ crew, events: () => readLog(log) }, open, value);
  if (!(issues instanceof Promise)) return issues;
  return engineScope.child({ name: "", timeoutMs: crew.settings.toolTimeoutMs }).only(() => issues);
}

function refuse({ question }: OpenQuestion, issues: Awaited<AnswerIssues>): void {
  if (issues.length === 0) return;
  const problems = issues.map(({ path, message }) => (path === "" ? message : `${path} ${message}`)).join("; ");
  throw new BatonError("invalid", `the answer to ${question} does not fit: ${problems}`);
}

async function findQuestion(run: LiveRun, question: string): Promise<OpenQuestion> {
  // An answer that was given a moment ago counts.
  if (run.waiting === undefined) await run.log.committed();
  const open = run.questions.get(question);
  if (open === undefined) throw new BatonError("not_found", `run ${run.id} has no open question ${question}`);
  return open;
}
