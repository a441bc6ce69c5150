/**
 * Traces: OpenTelemetry spans of runs, groups, turns, steps and calls, made from their events.
 *
 * Tokens are on model calls only, so that sums do not count twice. Each segment of a run is a tree, under the request
 * that began it, and all its spans end with it; what began before a pause has a second span in the next segment. Without
 * a tracer provider nothing is made.
 */
import type { Failure, Prompt, RunEvent } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import {
  type Attributes,
  type Context,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
  type TracerProvider,
} from "@opentelemetry/api";
import type { TraceParent } from "../../gateway/request-id.ts";
import type { ObservedRun } from "../open-runs.ts";
import {
  type SpanStart,
  toCallStart,
  toErrorType,
  toGroupStart,
  toRunStart,
  toStepEnd,
  toStepStart,
  toTurnStart,
} from "./span-attributes.ts";

import { toArgumentsContent, toInputContent, toOutputContent, toResultContent } from "./span-content.ts";

const TRACER = "@baton/server";
/** Spans of one run that may be open at once. */
const MAX_OPEN = 4_096;

interface OpenSpan {
  readonly start: SpanStart;
  readonly span: Span;
  readonly context: Context;
  readonly at: number;
  hasChunk: boolean;
}

/** The spans of one segment of a run. */
interface Tree {
  readonly tracer: Tracer;
  readonly root: OpenSpan;
  /** Attributes that all spans of the run have. */
  readonly common: Attributes;
  readonly beganAt: number;
  /** By position: groups, steps and calls; turns by lane, since a lane has one at a time. */
  readonly open: Map<string, OpenSpan>;
  readonly turns: Map<string, OpenSpan>;
  /** Model calls under way, by agent. */
  readonly steps: Map<string, number>;
  /** The time of its last event. */
  at: number;
}

/** Options of the traces. */
export interface TraceOptions {
  /** Default: the one that the process has registered, if any. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Takes keys out of a text. */
  readonly redact: (text: string) => string;
  /** Whether texts of people, models and tools are in the spans. Default false. */
  readonly hasContent?: boolean | undefined;
}

/** Prompts of one agent in one run whose model calls have not ended. */
const MAX_PROMPTS = 10_000;

/** The spans of all running runs. */
export class Traces {
  readonly #options: TraceOptions;
  readonly #trees = new Map<string, Tree>();
  /** By run and agent; several if the agent is asked in several lanes at once. */
  readonly #prompts = new Map<string, Prompt[]>();

  constructor(options: TraceOptions) {
    this.#options = options;
  }

  /** Begins or ends what the event says. */
  observe(event: RunEvent, run: ObservedRun | undefined): void {
    if (event.type === "run.started" || event.type === "run.resumed") return this.#plant(event, run);
    if (this.#trees.size === 0) return;
    const tree = this.#trees.get(event.run);
    if (tree === undefined) return;
    tree.at = event.at;
    this.#grow(tree, event);
  }

  /** Keeps what a model is asked until its call ends. */
  notePrompt(prompt: Prompt): void {
    const key = `${prompt.run} ${prompt.agent}`;
    const open = this.#prompts.get(key) ?? [];
    if (prompt.attempt > 1) open.pop();
    this.#prompts.set(key, [...open, prompt]);
    const [oldest = ""] = this.#prompts.size > MAX_PROMPTS ? this.#prompts.keys() : [];
    if (oldest !== "") this.#prompts.delete(oldest);
  }

  /** Ends the spans of a run that will have no more events here. */
  forget({ id }: ObservedRun): void {
    const tree = this.#trees.get(id);
    if (tree !== undefined) this.#fell(id, tree);
  }

  /** Ends all spans. */
  close(): void {
    for (const [id, tree] of this.#trees) this.#fell(id, tree);
  }

  #plant({ at }: RunEvent, run: ObservedRun | undefined): void {
    const tracer = this.#findTracer();
    if (run === undefined || tracer === undefined) return;
    this.forget(run);
    const { traceparent, requestId } = run.origin;
    const common = { "baton.request.id": requestId };
    const root = this.#begin({ tracer, common }, toRunStart(run), { at, parent: toParent(traceparent) });
    this.#trees.set(run.id, {
      tracer,
      common,
      root,
      beganAt: at,
      open: new Map(),
      turns: new Map(),
      steps: new Map(),
      at,
    });
  }

  /** A provider that was never registered makes tracers that make nothing; then we make nothing either. */
  #findTracer(): Tracer | undefined {
    const provider = this.#options.tracerProvider ?? trace.getTracerProvider();
    if (provider instanceof ProxyTracerProvider) return provider.getDelegateTracer(TRACER);
    return provider.getTracer(TRACER);
  }

  #grow(tree: Tree, event: RunEvent): void {
    switch (event.type) {
      case "text.delta":
      case "reasoning.delta":
      case "args.delta":
        return noteChunk(tree, event.step, event.at);
      case "group.started":
        return this.#open(tree, event.turn, { start: toGroupStart(event), parent: tree.root });
      case "group.ended":
        return this.#close(tree, event.turn, event);
      case "turn.started":
        tree.turns.set(event.lane, this.#beginTurn(tree, event, event.at));
        return;
      case "turn.ended":
        this.#finish(this.#turnOf(tree, event), event);
        tree.turns.delete(event.lane);
        return;
      case "step.started":
        tree.steps.set(event.agent, (tree.steps.get(event.agent) ?? 0) + 1);
        return this.#open(tree, event.step, { start: toStepStart(event.model), parent: this.#turnOf(tree, event) });
      case "step.ended":
        return this.#endStep(tree, event);
      case "call.started":
        this.#open(tree, event.call, { start: toCallStart(event), parent: this.#turnOf(tree, event) });
        return this.#noteCall(tree, event);
      case "call.ended":
        this.#orOpen(tree, event.call, { start: toCallStart(event), parent: this.#turnOf(tree, event) });
        this.#noteCall(tree, event);
        return this.#close(tree, event.call, event);
      case "step.retried":
        return noteRetry(tree.open.get(event.step), event);
      case "call.retried":
        return noteRetry(tree.open.get(event.call), event);
      case "run.paused":
        tree.root.span.setAttribute("baton.outcome", "paused");
        return this.#fell(event.run, tree);
      case "run.ended":
        tree.root.span.setAttribute("baton.outcome", event.outcome);
        if (event.error !== undefined) this.#fail(tree.root.span, event.error);
        return this.#fell(event.run, tree);
      default:
        return;
    }
  }

  #endStep(tree: Tree, event: RunEvent & EventBodyOf<"step.ended">): void {
    this.#orOpen(tree, event.step, { start: toStepStart(event.model), parent: this.#turnOf(tree, event) });
    const open = tree.open.get(event.step);
    const span = open?.span.setAttributes(toStepEnd(event, open.start));
    if (this.#options.hasContent === true) span?.setAttributes(this.#toContent(tree, event));
    this.#close(tree, event.step, event);
  }

  /**
   * Texts of a model call. If an agent is asked in several lanes at once, which prompt belongs to which call is not known:
   * then none is told.
   */
  #toContent(tree: Tree, event: RunEvent & EventBodyOf<"step.ended">): Attributes {
    const { redact } = this.#options;
    const key = `${event.run} ${event.agent}`;
    const open = tree.steps.get(event.agent) ?? 1;
    tree.steps.set(event.agent, open - 1);
    const [prompt, ...later] = this.#prompts.get(key) ?? [];
    if (open > 1 || later.length === 0) this.#prompts.delete(key);
    else this.#prompts.set(key, later);
    const asked = prompt === undefined || open > 1 ? {} : toInputContent(prompt, redact);
    return { ...asked, ...toOutputContent(event, redact) };
  }

  #noteCall(tree: Tree, event: RunEvent & EventBodyOf<"call.started" | "call.ended">): void {
    if (this.#options.hasContent !== true) return;
    const { redact } = this.#options;
    const texts = event.type === "call.started" ? toArgumentsContent(event, redact) : toResultContent(event, redact);
    tree.open.get(event.call)?.span.setAttributes(texts);
  }

  /** The lane's turn; one that began before the run was recovered gets a span when it is first needed. */
  #turnOf(tree: Tree, event: Placed): OpenSpan {
    const known = tree.turns.get(event.lane);
    if (known !== undefined) return known;
    const turn = this.#beginTurn(tree, event, tree.beganAt);
    tree.turns.set(event.lane, turn);
    return turn;
  }

  #beginTurn(tree: Tree, { lane, agent }: Placed, at: number): OpenSpan {
    return this.#begin(tree, toTurnStart(agent), { at, parent: findAbove(tree, lane).context });
  }

  #open(tree: Tree, position: string, { start, parent, at = tree.at }: Child): void {
    if (tree.open.size >= MAX_OPEN) return;
    tree.open.set(position, this.#begin(tree, start, { at, parent: parent.context }));
  }

  /** Work that began before the run was recovered counts from the recovery. */
  #orOpen(tree: Tree, position: string, child: Child): void {
    if (!tree.open.has(position)) this.#open(tree, position, { ...child, at: tree.beganAt });
  }

  #close(tree: Tree, position: string, ended: Ended): void {
    const open = tree.open.get(position);
    if (open !== undefined) this.#finish(open, ended);
    tree.open.delete(position);
  }

  #begin({ tracer, common }: Trunk, start: SpanStart, { at, parent }: Place): OpenSpan {
    const { name, kind, attributes } = start;
    const { redact } = this.#options;
    const clean: Attributes = {};
    // Most names are ours, but that of a tool is whatever the model asked for.
    for (const [key, value] of Object.entries({ ...attributes, ...common }))
      clean[key] = typeof value === "string" ? redact(value) : value;
    const span = tracer.startSpan(redact(name), { kind, attributes: clean, startTime: new Date(at) }, parent);
    return { start, span, context: trace.setSpan(parent, span), at, hasChunk: false };
  }

  #finish({ span }: OpenSpan, { at, error }: Ended): void {
    if (error !== undefined) this.#fail(span, error);
    span.end(new Date(at));
  }

  #fail(span: Span, error: Failure): void {
    span.setAttribute("error.type", toErrorType(error));
    // Cancelled work did not fail.
    if (error.code === "cancelled") return;
    span.setStatus({ code: SpanStatusCode.ERROR, message: this.#options.redact(error.message) });
  }

  #fell(id: string, { open, turns, root, at }: Tree): void {
    for (const { span } of [...open.values(), ...turns.values(), root]) span.end(new Date(at));
    this.#trees.delete(id);
  }
}

/**
 * The call or group that a lane belongs to, by its position: `4/quiz/student` is in group 4, `2.1.3/helper` in a call of
 * another lane or of the run itself; the nearest one that is open.
 */
function findAbove({ open, root }: Tree, lane: string): OpenSpan {
  for (let end = lane.lastIndexOf("/"); end > 0; end = lane.lastIndexOf("/", end - 1)) {
    const above = open.get(lane.slice(0, end));
    if (above !== undefined) return above;
  }
  return root;
}

type Trunk = Pick<Tree, "tracer" | "common">;
type Placed = Readonly<{ lane: string; agent: string }>;
type Child = Readonly<{ start: SpanStart; parent: OpenSpan; at?: number }>;
type Place = Readonly<{ at: number; parent: Context }>;
type Ended = Readonly<{ at: number; error?: Failure }>;

function toParent(traceparent: TraceParent | undefined): Context {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const { traceId, parentId, isSampled } = traceparent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags, isRemote: true });
}

function noteChunk(tree: Tree, step: string, at: number): void {
  const open = tree.open.get(step);
  if (open === undefined || open.hasChunk) return;
  open.hasChunk = true;
  open.span.setAttribute("gen_ai.response.time_to_first_chunk", Math.max(0, at - open.at) / 1_000);
}

type Retried = Readonly<{ at: number; attempt: number; delayMs: number; error: Failure }>;

function noteRetry(open: OpenSpan | undefined, { at, attempt, delayMs, error }: Retried): void {
  const attributes = { "baton.attempt": attempt, "baton.delay_ms": delayMs, "error.type": toErrorType(error) };
  open?.span.addEvent("retry", attributes, new Date(at));
}
