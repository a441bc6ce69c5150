/**
 * Facts: what the calls of a run said, by key, kept up with its log.
 */
import type { Json } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { evaluate, isKey, newBudget } from "./expression/evaluate.ts";
import { ExpressionError } from "./expression/token.ts";
import { isList, type Value } from "./expression/value.ts";
import type { Compiled, CompiledFact } from "./policy.ts";

/** A call that ended well. */
export type GoodCall = Readonly<{ tool: string; args: Json; output: Json }>;

/** The facts of a run. */
export class Facts {
  readonly #definitions: readonly CompiledFact[];
  readonly #values: ReadonlyMap<string, Map<Value, Value>>;

  constructor(definitions: readonly CompiledFact[]) {
    this.#definitions = definitions;
    this.#values = new Map(definitions.map(({ name }) => [name, new Map()]));
  }

  /** Facts by name and key. */
  get values(): Value {
    return this.#values;
  }

  /** Takes what a call said; a call whose expressions fail says nothing. */
  add({ tool, args, output: raw }: GoodCall): void {
    const own = this.#definitions.filter(({ from }) => from.includes(tool));
    if (own.length === 0) return;
    const output = toStructure(raw);
    for (const fact of own) {
      try {
        for (const [key, value] of read(fact, args, output)) this.#values.get(fact.name)?.set(key, value);
      } catch (thrown) {
        if (!(thrown instanceof ExpressionError)) throw thrown;
      }
    }
  }
}

function read({ each, key, value }: CompiledFact, args: Json, output: Json): readonly (readonly [Value, Value])[] {
  const budget = newBudget();
  const inCall = (it: Value) => ({
    get: (name: string) => (name === "it" ? it : name === "output" ? output : name === "args" ? args : undefined),
  });
  const of = ({ node }: Compiled, it: Value) => evaluate(node, inCall(it), budget);
  const items = each === undefined ? [output] : of(each, output);
  if (!isList(items)) throw new ExpressionError("`each` is not a list");
  return items.map((it) => {
    const name = of(key, it);
    if (!isKey(name)) throw new ExpressionError("`key` is neither text nor a number");
    return [name, value === undefined ? it : of(value, it)];
  });
}

/** An output that is JSON text of an object or a list, as that. */
function toStructure(output: Json): Json {
  if (typeof output !== "string" || !/^\s*[[{]/.test(output)) return output;
  return parseJson(output) ?? output;
}
