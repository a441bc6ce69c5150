/**
 * Guard: a crew's rules in a run. It sees every event of the log and decides about calls and texts from that alone.
 */
import { BatonError, type Json, type RunEvent } from "@baton/core";
import type { EventBodyOf, Guard, GuardedCall, Ruling, RunGuard } from "@baton/core/ports";
import { omitUndefined, withChanges } from "@baton/core/util";
import type { ExpressionEnvironment } from "./expression/evaluate.ts";
import type { Value } from "./expression/value.ts";
import { Facts } from "./facts.ts";
import { type CompiledPolicies, type CompiledRule, compilePolicies } from "./policy.ts";
import { Taint } from "./taint.ts";
import { matchRule, type RuleMatch } from "./rule-match.ts";
import { type RuledText, type TextGuard, withTextRules } from "./text-rules.ts";

/** Makes a guard of a crew's policies; throws `invalid` if they are wrong. */
export function toGuard(policies: Json): Guard {
  const compiled = compilePolicies(policies);
  const errors = compiled.findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    const lines = errors.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new BatonError("invalid", `the policies cannot be used: ${lines.join("; ")}`);
  }
  return { open: () => new PolicyGuard(compiled) };
}

/** The rules of one crew in one run. */
class PolicyGuard implements RunGuard, TextGuard {
  readonly #policies: CompiledPolicies;
  readonly #facts: Facts;
  readonly #taint: Taint | undefined;
  readonly #keepsCalls: boolean;
  readonly #calls: Value[] = [];
  readonly #open = new Map<string, Json>();
  readonly #messages = new Set<string>();
  #values: ReadonlyMap<string, Json> = new Map();
  #started: Pick<EventBodyOf<"run.started">, "user" | "session" | "tenant"> = {};
  #input = "";
  #at = 0;
  #isUntrustedSeen = false;

  constructor(policies: CompiledPolicies) {
    this.#policies = policies;
    const readings = policies.rules.flatMap(({ when }) => when?.reading ?? []);
    this.#facts = new Facts(policies.facts);
    this.#taint = readings.some(({ functions }) => functions.has("tainted")) ? new Taint() : undefined;
    this.#keepsCalls = readings.some(({ names }) => names.has("calls"));
  }

  add(event: RunEvent): void {
    this.#values = withChanges(this.#values, [event]);
    switch (event.type) {
      case "run.started":
        this.#start(event);
        break;
      case "run.resumed":
        if (event.input === undefined) return;
        this.#hear(event.input);
        break;
      case "question.opened":
        if (event.kind === "message" || event.kind === "pause") this.#messages.add(event.question);
        return;
      case "question.answered":
        if (this.#messages.has(event.question) && typeof event.value === "string") this.#hear(event.value);
        else this.#taint?.add(event.value, "trusted");
        break;
      case "command.received":
        if (event.command.type === "say") this.#hear(event.command.text);
        return;
      case "call.started":
        this.#open.set(event.call, event.args);
        return;
      case "call.ended":
        this.#end(event);
        break;
      case "step.ended":
        break;
      default:
        return;
    }
    this.#at = event.at;
  }

  #start({ history, input, user, session, tenant }: EventBodyOf<"run.started">): void {
    this.#started = omitUndefined({ user, session, tenant });
    const asked = new Map<string, Json>();
    for (const message of history) {
      if (message.role === "user") this.#taint?.add(message.content, "trusted");
      if (message.role === "assistant") for (const { id, args } of message.calls ?? []) asked.set(id, args);
      if (message.role !== "tool" || message.failed === true) continue;
      this.#facts.add({ tool: message.tool, args: asked.get(message.call) ?? null, output: message.content });
    }
    this.#hear(input);
  }

  #hear(text: string): void {
    this.#input = text;
    this.#taint?.add(text, "trusted");
  }

  #end({ call, tool, agent, output = null, error, attempts }: EventBodyOf<"call.ended">): void {
    const args = this.#open.get(call) ?? null;
    this.#open.delete(call);
    const isUntrusted = this.#policies.untrusted.includes(tool);
    if (attempts > 0) {
      this.#isUntrustedSeen ||= isUntrusted;
      this.#taint?.add(error?.message ?? output, isUntrusted ? "untrusted" : "trusted");
    }
    if (error === undefined) this.#facts.add({ tool, args, output });
    if (this.#keepsCalls) this.#calls.push({ tool, args, output, error: error?.message ?? null, agent });
  }

  decide({ tool, effect, agent, args }: GuardedCall): Ruling | undefined {
    const own = new Map<string, Value>([
      ["tool", tool],
      ["effect", effect],
      ["agent", agent],
      ["args", args],
    ]);
    const rules = this.#policies.rules.filter(
      (rule) => rule.on === "call" && fits(rule.tools, tool) && fits(rule.effects, effect) && fits(rule.agents, agent),
    );
    return toRuling(this.#match(rules, own));
  }

  /** The rules about a text that match. */
  matchText({ on, agent, text }: RuledText): readonly RuleMatch[] {
    const rules = this.#policies.rules.filter((rule) => rule.on === on && fits(rule.agents, agent));
    const own = new Map<string, Value>([
      ["agent", agent],
      ["text", text],
    ]);
    return rules.length === 0 ? [] : this.#match(rules, own);
  }

  get input(): string {
    return this.#input;
  }

  wrapModel: RunGuard["wrapModel"] = (model, agent) => {
    const has = (on: string) => this.#policies.rules.some((rule) => rule.on === on && fits(rule.agents, agent.id));
    // A program costs nothing, and what it says is checked if it is shown.
    const input = has("input") && model.isProgram !== true;
    const output = has("output") && agent.audience === "user";
    return input || output ? withTextRules(model, this, { agent: agent.id, input, output }) : model;
  };

  #match(rules: readonly CompiledRule[], own: ReadonlyMap<string, Value>): readonly RuleMatch[] {
    const environment: ExpressionEnvironment = {
      get: (name) => (own.has(name) ? own.get(name) : this.#get(name)),
      isTainted: (value, budget) => this.#taint?.has(value, budget) === true,
    };
    return rules.flatMap((rule) => matchRule(rule, environment) ?? []);
  }

  #get(name: string): Value | undefined {
    const { user = null, session = null, tenant = null } = this.#started;
    switch (name) {
      case "user":
        return user;
      case "session":
        return session;
      case "tenant":
        return tenant;
      case "state":
        return this.#values;
      case "input":
        return this.#input;
      case "now":
        return new Date(this.#at).toISOString();
      case "calls":
        return this.#calls;
      case "facts":
        return this.#facts.values;
      case "untrusted_seen":
        return this.#isUntrustedSeen;
      default:
        return undefined;
    }
  }
}

const fits = (names: readonly string[] | undefined, name: string): boolean => names?.includes(name) ?? true;

const ORDER = ["allow", "ask", "deny"] as const;

function toRuling(matches: readonly RuleMatch[]): Ruling | undefined {
  const then = ORDER.findLast((one) => matches.some(({ rule }) => rule.verdict === one));
  if (then === undefined) return undefined;
  const strongest = matches.filter(({ rule }) => rule.verdict === then);
  const isOperator = then === "ask" && strongest.some(({ rule }) => rule.who === "operator");
  const reason = (then === "deny" ? strongest.map(toDenial) : toQuestion(strongest)).join("; ") || undefined;
  const rules = matches.map(({ rule }) => rule.name);
  return { decision: isOperator ? "ask_operator" : then, ...omitUndefined({ reason }), rules };
}

function toDenial({ rule: { name, message }, failure }: RuleMatch): string {
  const text = `${message ?? "not allowed"} (policy ${name})`;
  return failure === undefined ? text : `${text}: its condition could not be evaluated: ${failure}`;
}

/** Failures first: a question ends with what the rule says. */
function toQuestion(matches: readonly RuleMatch[]): readonly string[] {
  const failed = matches.flatMap(({ rule, failure }) =>
    failure === undefined ? [] : `the condition of policy ${rule.name} could not be evaluated: ${failure}`,
  );
  return [...failed, ...matches.flatMap(({ rule }) => rule.message ?? [])];
}
