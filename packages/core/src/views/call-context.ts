/**
 * Call context: what a tool sees of its run, and how the results of its own functions are checked.
 */
import type { FinishedCalls } from "../ports/call-log.ts";
import { toMessage } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import { toFrozenHistory } from "./history.ts";
import type { Json } from "../words/json.ts";
import type { Lane } from "./lane.ts";
import type { CallRequest } from "../words/message.ts";
import { toNote } from "../words/note.ts";
import { boundOutput, toStateValue } from "../words/output.ts";
import { toFigure } from "../words/text.ts";
import type { CallOutputs } from "../ports/vector-arguments.ts";
import type { Role } from "./plan.ts";
import type { Scope } from "../lifetimes/scope.ts";
import type { CallContext, Permission, RunState, Tool } from "../definitions/tool.ts";

/** The agent that makes the call, and the list its notes go to. */
interface Calling {
  readonly role: Role;
  readonly request: CallRequest;
  readonly notes: EventBodyOf<"note.made">[];
  /** The finished calls that it sees. */
  readonly calls: FinishedCalls;
  /** Of a call that was suspended. */
  readonly kept?: Kept;
}

/** Memory of a suspended call, and the answers it got. */
export type Kept = Readonly<Required<Pick<CallContext, "kept" | "answers">>>;

/** The outputs of the finished calls that a call sees. */
export function toOutputs({ host }: Lane, calls: FinishedCalls): CallOutputs {
  return { run: host.run, has: (call) => calls.find(call)?.ok === true, outputOf: (call) => host.outputOf(call) };
}

/** One attempt: its scope, and what it sets in the run's state. */
type ContextParts = Readonly<{ attempt: number; scope: Scope; changes: Map<string, Json> }>;

/** Builds the context of a tool's call; actions after its scope has ended have no effect. */
export function toContext(
  lane: Lane,
  { request, role, notes, calls, kept }: Calling,
  { attempt, scope, changes }: ContextParts,
): CallContext {
  const state: RunState = {
    get: (key) => (changes.has(key) ? changes : lane.host.values()).get(key),
    entries: () => new Map([...lane.host.values(), ...changes]),
    set(key, value) {
      const json = toStateValue(key, value);
      if (scope.live) changes.set(key, json);
    },
  };
  // Written out, and what few calls have is added: spreads would take more time than the rest.
  const context: CallContext = {
    key: `${lane.host.run}/${request.id}`,
    scope,
    run: lane.host.run,
    call: request.id,
    attempt,
    messages: toFrozenHistory(lane),
    state,
    documents: lane.shared.documents,
    get calls() {
      return calls.list;
    },
    outputOf: async (call) => (calls.find(call)?.ok === true ? lane.host.outputOf(call) : undefined),
    note(kind, data) {
      const note = toNote({ kind, data }, request.id, role.agent.id);
      if (scope.live) notes.push(note);
    },
    warn(text) {
      const base = { agent: role.agent.id, of: request.id };
      if (scope.live) lane.host.emit({ type: "warning.raised", ...base, text: toMessage(text) });
    },
    progress(value) {
      const bounded = boundOutput(value);
      if (!bounded.ok || !scope.live) return;
      const base = { call: request.id, agent: role.agent.id, tool: request.tool };
      lane.host.emit({ type: "call.progressed", ...base, progress: bounded.output });
    },
  };
  const { caller } = lane.shared;
  return caller === undefined && kept === undefined ? context : Object.assign(context, caller, kept);
}

/** A tool and the output it returned. */
type Digested = Readonly<{ tool: Tool; output: Json }>;

/** Returns the text that the model reads instead of the output; if the digest fails, the model reads the output. */
export function toDigest(lane: Lane, { request, role }: Calling, { tool, output }: Digested): string | undefined {
  try {
    const digest: unknown = tool.digest?.(output, { call: request.id });
    if (typeof digest === "string" || digest === undefined) return digest;
    throw new TypeError("it gave no text");
  } catch (thrown) {
    const text = `${tool.name}: its digest failed, so the model reads the output: ${toMessage(thrown)}`;
    lane.host.emit({ type: "warning.raised", agent: role.agent.id, text, of: request.id });
    return undefined;
  }
}

const MAX_CHANGES = 5;

/** A value that JSON does not have is in the log as another one: its readers must know. */
export function warnChanged({ host }: Lane, { request, role }: Calling, changed: readonly string[]): void {
  const more = changed.length > MAX_CHANGES ? ` and ${toFigure(changed.length - MAX_CHANGES)} more` : "";
  const values = changed.slice(0, MAX_CHANGES).join(", ") + more;
  const text = `${request.tool} gave ${values}: JSON has no such value, so numbers and dates are null and a Map is an object`;
  host.emit({ type: "warning.raised", agent: role.agent.id, text, of: request.id });
}

/**
 * Checks the decision of a permission hook. Tools come from files whose types may be unchecked: anything unclear is
 * rejected.
 */
export function toPermission(said: Permission | undefined): Permission {
  switch (said?.decision) {
    case "allow":
      return { decision: "allow" };
    case "deny":
      return { decision: "deny", reason: toMessage(said.reason) };
    case "ask":
    case "ask_operator":
      return { decision: said.decision, ...(said.reason === undefined ? {} : { reason: toMessage(said.reason) }) };
    case "transform": {
      const bounded = boundOutput(said.args);
      if (bounded.ok) return { decision: "transform", args: bounded.output };
      throw new TypeError(bounded.why);
    }
    default:
      throw new TypeError("the hook returned no decision");
  }
}
