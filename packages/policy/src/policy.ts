/**
 * Policy: the rules of a crew as people write them, and as they are compiled. Everything wrong with them is a finding.
 */
import type { Effect, Json } from "@baton/core";
import type { Finding } from "@baton/core/ports";
import { readNames, type Reading } from "./expression/check.ts";
import { type Node, parseExpression } from "./expression/parse.ts";
import { ExpressionError } from "./expression/token.ts";

/** A fact: what earlier calls said, by key. */
export type PolicyFact = Readonly<{ from: string | readonly string[]; each?: string; key: string; value?: string }>;

/** A rule as people write it. */
export type PolicyRule = Readonly<{
  name: string;
  tools?: string | readonly string[];
  effect?: Effect | readonly Effect[];
  agents?: string | readonly string[];
  on?: "call" | "input" | "output";
  when?: string;
  then: "allow" | "ask" | "deny";
  message?: string;
  who?: "user" | "operator";
}>;

/** The policies of a crew as people write them. */
export type Policies = Readonly<{
  untrusted?: string | readonly string[];
  facts?: Readonly<Record<string, PolicyFact>>;
  rules?: readonly PolicyRule[];
}>;

/** Something wrong with policies; of an expression `span` is the part of its text. */
export type PolicyFinding = Finding & Readonly<{ span?: Readonly<{ at: number; width: number }> }>;

/** An expression that is ready, and what it reads. */
export type Compiled = Readonly<{ node: Node; reading: Reading }>;

export type CompiledRule = Readonly<{
  name: string;
  tools: readonly string[] | undefined;
  effects: readonly string[] | undefined;
  agents: readonly string[] | undefined;
  on: "call" | "input" | "output";
  when: Compiled | undefined;
  verdict: "allow" | "ask" | "deny";
  message: string | undefined;
  who: "user" | "operator";
}>;

export type CompiledFact = Readonly<{
  name: string;
  from: readonly string[];
  each: Compiled | undefined;
  key: Compiled;
  value: Compiled | undefined;
}>;

/** Policies that are ready, and what is wrong with them; with an error in `findings` they must not be used. */
export interface CompiledPolicies {
  readonly untrusted: readonly string[];
  readonly facts: readonly CompiledFact[];
  readonly rules: readonly CompiledRule[];
  readonly findings: readonly PolicyFinding[];
}

const COMMON = ["agent", "user", "session", "tenant", "state", "input", "now", "calls", "facts", "untrusted_seen"];
const CALL_NAMES = ["tool", "effect", "args", ...COMMON];
const TEXT_NAMES = ["text", ...COMMON];
const FACT_NAMES = ["output", "args"];
const NAME = /^[a-z0-9_-]{1,64}$/;
const FACT_NAME = /^[A-Za-z_]\w{0,63}$/;
const MAX_MESSAGE = 500;
const MAX_ITEMS = 500;
const EFFECTS = ["read", "idempotent", "irreversible"] as const;

type Path = Finding["path"];
type Fields = { readonly [key: string]: Json };

/** Compiles policies of unknown shape. */
export function compilePolicies(policies: Json): CompiledPolicies {
  const findings: PolicyFinding[] = [];
  const root = new Part(policies, ["policies"], findings);
  root.only(["untrusted", "facts", "rules"]);
  const untrusted = root.names("untrusted") ?? [];
  const named = root.entries("facts");
  const facts = named.map(([name, fact]) => toFact(name, fact));
  const rules = root.items("rules").map(toRule);
  const names = new Set<string>();
  for (const [at, { name }] of rules.entries()) {
    const path = ["policies", "rules", at, "name"];
    const isTwice = names.has(name);
    names.add(name);
    if (isTwice)
      root.report(path, { code: "same_rule", message: `two rules are called \`${name}\``, fix: "rename one" });
  }
  const known = named.map(([name]) => name);
  for (const [at, { when }] of rules.entries()) {
    for (const { path, ...span } of when?.reading.paths ?? []) {
      const [first, name] = path;
      if (first !== "facts" || name === undefined || known.includes(name)) continue;
      const message = `there is no fact \`${name.slice(0, 60)}\``;
      root.report(["policies", "rules", at, "when"], { code: "unknown_fact", message, fix: "add it to `facts`", span });
    }
  }
  return { untrusted, facts: facts.filter((fact) => fact !== undefined), rules, findings };
}

function toFact(name: string, part: Part): CompiledFact | undefined {
  part.only(["from", "each", "key", "value"]);
  if (!FACT_NAME.test(name))
    part.report(part.path, {
      code: "invalid_value",
      message: `\`${name}\` cannot be the name of a fact`,
      fix: "use letters, digits and _",
    });
  const from = part.names("from");
  const each = part.expression("each", FACT_NAMES);
  const names = each === undefined ? [...FACT_NAMES, "it"] : ["it", ...FACT_NAMES];
  const key = part.expression("key", names);
  const value = part.expression("value", names);
  if (from === undefined) part.missing("from", "the tools whose outputs are read");
  if (!part.has("key")) part.missing("key", "an expression such as `output.id`");
  return from === undefined || key === undefined ? undefined : { name, from, each, key, value };
}

function toRule(part: Part): CompiledRule {
  part.only(["name", "tools", "effect", "agents", "on", "when", "then", "message", "who"]);
  const name = part.text("name") ?? "";
  const on = part.choice("on", ["call", "input", "output"]) ?? "call";
  const then = part.choice("then", ["allow", "ask", "deny"]);
  const message = part.text("message");
  if (!part.has("name")) part.missing("name", "letters a to z, digits, _ and -");
  else if (!NAME.test(name)) part.wrong("name", "is not a valid name: use 1 to 64 of a-z, 0-9, _ and -");
  if (!part.has("then")) part.missing("then", "allow, ask or deny");
  if (then === "deny" && (message ?? "") === "") part.missing("message", "what the model and the user read");
  if ((message?.length ?? 0) > MAX_MESSAGE) part.wrong("message", `has more than ${MAX_MESSAGE} characters`);
  if (on !== "call" && then === "ask") part.wrong("then", `cannot be \`ask\` in a rule on ${on}: write allow or deny`);
  const ofCalls = ["tools", "effect"].find((field) => on !== "call" && part.has(field));
  if (ofCalls !== undefined) part.wrong(ofCalls, `has no meaning in a rule on ${on}`);
  if (then !== "ask" && part.has("who")) part.wrong("who", "is only for rules with `then: ask`");
  return {
    name,
    tools: part.names("tools"),
    effects: part.names("effect", EFFECTS),
    agents: part.names("agents"),
    on,
    when: part.expression("when", on === "call" ? CALL_NAMES : TEXT_NAMES),
    verdict: then ?? "deny",
    message,
    who: part.choice("who", ["user", "operator"]) ?? "user",
  };
}

type Defect = Pick<PolicyFinding, "code" | "message" | "fix" | "span">;

/** A part of policies, read field by field. */
class Part {
  readonly path: Path;
  readonly #fields: Fields;
  readonly #findings: PolicyFinding[];

  constructor(value: Json, path: Path, findings: PolicyFinding[]) {
    this.path = path;
    this.#findings = findings;
    this.#fields = isFields(value) ? value : {};
    if (!isFields(value))
      this.report(path, { code: "wrong_type", message: `\`${path.at(-1)}\` must be a map`, fix: "write fields" });
  }

  report(path: Path, defect: Defect): void {
    this.#findings.push({ severity: "error", path, ...defect });
  }

  wrong(field: string, what: string): void {
    this.report([...this.path, field], { code: "invalid_value", message: `\`${field}\` ${what}`, fix: "change it" });
  }

  missing(field: string, what: string): void {
    this.report(this.path, { code: "missing_field", message: `\`${field}\` is missing`, fix: `write ${what}` });
  }

  has(field: string): boolean {
    return Object.hasOwn(this.#fields, field) && this.#fields[field] !== null;
  }

  only(known: readonly string[]): void {
    for (const field of Object.keys(this.#fields)) {
      if (known.includes(field)) continue;
      const fix = `write one of ${known.join(", ")}`;
      const message = `there is no field \`${field.slice(0, 60)}\``;
      this.#findings.push({
        severity: "error",
        path: [...this.path, field],
        part: "name",
        code: "unknown_field",
        message,
        fix,
      });
    }
  }

  text(field: string): string | undefined {
    const value = this.has(field) ? this.#fields[field] : undefined;
    if (value === undefined || typeof value === "string") return value;
    // A name such as 404 is a number in YAML.
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    this.wrong(field, "must be text");
    return undefined;
  }

  choice<T extends string>(field: string, choices: readonly T[]): T | undefined {
    const text = this.text(field);
    const choice = choices.find((one) => one === text);
    if (text !== undefined && choice === undefined) this.wrong(field, `must be ${choices.join(", ")}`);
    return choice;
  }

  /** A name, or a list of names. */
  names(field: string, choices?: readonly string[]): readonly string[] | undefined {
    const value = this.has(field) ? this.#fields[field] : undefined;
    if (value === undefined) return undefined;
    const all: readonly Json[] = Array.isArray(value) ? value : [value];
    const names = all.filter((one) => typeof one === "string");
    const isKnown = choices === undefined || names.every((name) => choices.includes(name));
    if (names.length < all.length || !isKnown || all.length > MAX_ITEMS)
      this.wrong(field, `must be a name or a list of names${choices === undefined ? "" : ` of ${choices.join(", ")}`}`);
    return names;
  }

  expression(field: string, names: readonly string[]): Compiled | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const path = [...this.path, field];
    try {
      const node = parseExpression(text);
      const reading = readNames(node, names);
      for (const { at, width, code, message } of reading.problems)
        this.report(path, { code, message, fix: "change the expression", span: { at, width } });
      return { node, reading };
    } catch (thrown) {
      if (!(thrown instanceof ExpressionError)) throw thrown;
      const { at, width, message } = thrown;
      this.report(path, { code: "syntax", message, fix: "change the expression", span: { at, width } });
      return undefined;
    }
  }

  items(field: string): readonly Part[] {
    const value = this.has(field) ? this.#fields[field] : [];
    const list: readonly Json[] = Array.isArray(value) ? value : [];
    if (!Array.isArray(value) || list.length > MAX_ITEMS) this.wrong(field, `must be a list of at most ${MAX_ITEMS}`);
    return list.slice(0, MAX_ITEMS).map((item, at) => new Part(item, [...this.path, field, at], this.#findings));
  }

  entries(field: string): readonly (readonly [string, Part])[] {
    if (!this.has(field)) return [];
    const value = this.#fields[field] ?? null;
    if (!isFields(value) || Object.keys(value).length > MAX_ITEMS) {
      this.wrong(field, `must be a map of at most ${MAX_ITEMS}`);
      return [];
    }
    const own = [...this.path, field];
    return Object.entries(value).map(([name, item]) => [name, new Part(item, [...own, name], this.#findings)]);
  }
}

function isFields(value: Json): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
