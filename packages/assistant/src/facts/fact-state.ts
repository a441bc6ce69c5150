/**
 * Fact state: the facts of a run, read from its state.
 *
 * Any tool can set state, so each fact is checked; a value that is not a valid fact is left out.
 */
import type { Json } from "@baton/core";
import type { RunState } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { DataKind, Fact, Period } from "./fact.ts";
import { FACTS_PREFIX } from "../run-state.ts";
import { hasMoney, isUnit } from "./check-figures.ts";

const KINDS: ReadonlySet<string> = new Set<DataKind>(["live", "delayed", "snapshot", "history"]);

/** Every fact of a run, in the order in which they were found. */
export function factsOfState(state: Pick<RunState, "entries">): readonly Fact[] {
  const facts: Fact[] = [];
  for (const [key, value] of state.entries()) {
    if (!key.startsWith(FACTS_PREFIX) || !Array.isArray(value)) continue;
    const items: readonly Json[] = value;
    for (const item of items) {
      const fact = readFact(item);
      if (fact !== undefined) facts.push(fact);
    }
  }
  return facts;
}

function readFact(value: Json): Fact | undefined {
  const fields = fieldsOf(value);
  const [number, unit, kind] = [fields.get("value"), fields.get("unit"), fields.get("kind")];
  if (typeof number !== "number" || !isUnit(unit) || !isKind(kind)) return undefined;
  const currency = textOf(fields, "currency");
  const [id, call, as_of] = [textOf(fields, "id"), textOf(fields, "call"), textOf(fields, "as_of")];
  if (id === undefined || call === undefined || as_of === undefined) return undefined;
  if (hasMoney(unit) && currency === undefined) return undefined;
  const period = readPeriod(fields.get("period"));
  return {
    id,
    call,
    as_of,
    value: number,
    unit,
    kind,
    path: textOf(fields, "path") ?? "",
    symbol: textOf(fields, "symbol") ?? "",
    metric: textOf(fields, "metric") ?? "",
    source: textOf(fields, "source") ?? "",
    ...omitUndefined({ currency, period, formula: textOf(fields, "formula") }),
  };
}

function readPeriod(value: Json | undefined): Period | undefined {
  const fields = fieldsOf(value);
  const end = textOf(fields, "end");
  if (end === undefined) return undefined;
  return { end, ...omitUndefined({ start: textOf(fields, "start"), label: textOf(fields, "label") }) };
}

type Fields = ReadonlyMap<string, Json>;

function fieldsOf(value: Json | undefined): Fields {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

function textOf(fields: Fields, name: string): string | undefined {
  const text = fields.get(name);
  return typeof text === "string" ? text : undefined;
}

function isKind(value: Json | undefined): value is DataKind {
  return typeof value === "string" && KINDS.has(value);
}
