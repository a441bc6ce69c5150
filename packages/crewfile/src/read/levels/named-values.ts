/**
 * Named values: the variables that a tool is granted, and how their values are kept out of the log.
 */
import { BatonError, type CallContext, type Json, ToolError } from "@baton/core";
import { toToolFailure } from "@baton/core/util";
import type { Variables } from "../env-file.ts";

/** Values that are shorter occur in texts by chance. */
const LEAST_CHARS = 8;

/** The values of the variables that a tool names; those that are not set are left out. */
export function pickValues(names: readonly string[], env: Variables): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** Replaces values by the names of their variables. */
export class ValueRedaction {
  /** The longest first: one value may contain another. */
  readonly #values: readonly (readonly [name: string, value: string])[];

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = Object.entries(values)
      .filter(([, value]) => value.length >= LEAST_CHARS)
      .toSorted(([, one], [, other]) => other.length - one.length);
  }

  text(text: string): string {
    return this.#values.reduce((left, [name, value]) => left.replaceAll(value, () => `[${name}]`), text);
  }

  json(value: Json): Json {
    if (this.#values.length === 0) return value;
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null) return value;
    if (isList(value)) return value.map((item) => this.json(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.json(item)]));
  }

  /** A failure as the log may have it. */
  error(thrown: unknown): unknown {
    if (this.#values.length === 0) return thrown;
    if (thrown instanceof BatonError) return thrown;
    const { kind, message } = toToolFailure(thrown);
    return kind === undefined || kind === "cancelled" ? thrown : new ToolError(kind, this.text(message));
  }

  /** The context of a call whose every way to the log is covered. */
  context(context: CallContext): CallContext {
    if (this.#values.length === 0) return context;
    return {
      ...context,
      progress: (value) => context.progress(this.json(value)),
      note: (kind, data) => context.note(this.text(kind), this.json(data)),
      state: { ...context.state, set: (key, value) => context.state.set(this.text(key), this.json(value)) },
    };
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
