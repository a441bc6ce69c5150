/**
 * Fields: a map whose keys are field names, read one by one.
 *
 * A name is known because it is asked for, so there is no second list of names to keep: `end` reports every field
 * that was never asked for, as unknown or, if the reference engine knows it, as without effect.
 */
import {
  isGiven,
  report,
  reportKey,
  readChoice,
  readEntries,
  readFlag,
  readItems,
  readNumber,
  readText,
  readTextItem,
  type Cursor,
} from "../yaml/cursor.ts";

/** Advice for fields without effect that have a replacement. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["enforce_quotas", "write `block_on_quota_exceed`, its name now, or remove it"],
  ["max_request_body_size_kb", "remove it; `baton serve --max-body-mb` limits the size of requests"],
]);

/** Fields that crews written for the reference engine may hold, and that change nothing here. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  "parallel_targets",
  "parallel_execution",
  "enforce",
  "top_k",
  "organization",
  "memory_limits",
  "logging",
  "min_tool_timeout_millis",
  "stream_chunk_timeout_millis",
  "request_store_cleanup_minutes",
  "client_cache_ttl_minutes",
  "graceful_shutdown_check_millis",
  "min_agent_id_length",
  "max_agent_id_length",
  "max_memory_mb",
  "max_daily_memory_gb",
  "memory_alert_percent",
  "slow_call_threshold_seconds",
  ...INSTEAD.keys(),
]);

/** The fields of one map; every field that is present must be read before `end`. */
export class Fields {
  readonly cursor: Cursor;
  readonly #entries: ReadonlyMap<string, Cursor>;
  readonly #known = new Set<string>();

  constructor(cursor: Cursor) {
    this.cursor = cursor;
    this.#entries = readEntries(cursor) ?? new Map();
  }

  /** The field if it is present and not null. */
  get(name: string): Cursor | undefined {
    this.#known.add(name);
    const cursor = this.#entries.get(name);
    return cursor !== undefined && isGiven(cursor) ? cursor : undefined;
  }

  text(name: string): string | undefined {
    return this.#read(name, readText);
  }

  number(name: string): number | undefined {
    return this.#read(name, readNumber);
  }

  flag(name: string): boolean | undefined {
    return this.#read(name, readFlag);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    return this.#read(name, (cursor) => readChoice(cursor, choices));
  }

  items(name: string): readonly Cursor[] | undefined {
    return this.#read(name, readItems);
  }

  /** A list of texts; an item of another type becomes "", so that the others keep their positions. */
  texts(name: string): readonly string[] | undefined {
    return this.items(name)?.map((item) => readTextItem(item) ?? "");
  }

  /** Entries under names from outside. */
  entries(name: string): ReadonlyMap<string, Cursor> {
    return this.#read(name, readEntries) ?? new Map();
  }

  /** A map of fields of its own. */
  fields(name: string): Fields | undefined {
    return this.#read(name, (cursor) => new Fields(cursor));
  }

  /** Text that must be there. */
  required(name: string, meaning: string): string | undefined {
    const text = this.text(name);
    if (text !== undefined && text.trim() !== "") return text;
    const isWrong = this.get(name) !== undefined && text === undefined;
    if (isWrong || this.cursor.value.kind !== "map") return undefined;
    const defect = { code: "missing_field", message: `\`${name}\` is missing`, fix: `add \`${name}\`, ${meaning}` };
    const empty = this.#entries.get(name);
    if (empty === undefined) report({ ...this.cursor, path: this.#pathOf(name) }, defect);
    else reportKey(empty, defect);
    return undefined;
  }

  /** Reports every field that was never asked for. */
  end(): void {
    for (const [name, cursor] of this.#entries) {
      if (this.#known.has(name)) continue;
      if (WITHOUT_EFFECT.has(name)) reportWithoutEffect(cursor, name);
      else this.#reportUnknown(cursor, name);
    }
  }

  #read<T>(name: string, read: (cursor: Cursor) => T | undefined): T | undefined {
    const cursor = this.get(name);
    return cursor === undefined ? undefined : read(cursor);
  }

  #reportUnknown(cursor: Cursor, name: string): void {
    const near = cursor.source.nearest(name, this.#known);
    const fix =
      near === undefined ? `remove it; known here: ${[...this.#known].join(", ")}` : `did you mean \`${near}\`?`;
    reportKey(cursor, { code: "unknown_field", message: `there is no field \`${name.slice(0, 60)}\``, fix });
  }

  #pathOf(name: string): string {
    const { path } = this.cursor;
    return path === "" ? name : `${path}.${name}`;
  }
}

function reportWithoutEffect(cursor: Cursor, name: string): void {
  const message = `\`${name}\` has no effect in Baton`;
  const fix = INSTEAD.get(name) ?? "leave it, or remove it";
  reportKey(cursor, { code: "no_effect", severity: "warning", message, fix });
}
