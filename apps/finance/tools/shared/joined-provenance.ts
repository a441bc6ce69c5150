/**
 * Joined provenance: where a result comes from that puts values of several answers side by side.
 *
 * It is no more real than the least real of them, and no newer than the oldest. A fallback of any of them is named.
 */
import type { DataKind } from "@baton/assistant";
import { fallbackOf } from "../../market/chain/fallback.ts";
import type { Provenance } from "../../market/port/provenance.ts";

const LEAST_REAL_FIRST: readonly DataKind[] = ["history", "snapshot", "delayed", "live"];

/** The provenance of values from at least one answer. */
export function joinProvenance(parts: readonly Provenance[]): Provenance {
  const [first, ...rest] = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  if (first === undefined) throw new RangeError("there is nothing to join");
  if (rest.length === 0) return first;
  const all = [first, ...rest];
  const kind = LEAST_REAL_FIRST.find((one) => all.some((part) => part.kind === one)) ?? first.kind;
  const sources = [...new Set(all.map(({ source }) => source))];
  const oldest = all.reduce((one, other) => (Date.parse(other.as_of) < Date.parse(one.as_of) ? other : one));
  const fallbacks = [...new Set(all.flatMap((part) => fallbackOf(part) ?? []))];
  const derived_from = [...new Set(all.map((part) => `${part.source} (${part.kind}, ${part.as_of})`))];
  return {
    kind,
    source: sources.join(" + "),
    as_of: oldest.as_of,
    derived_from,
    ...(all.some(({ stale }) => stale === true) ? { stale: true } : {}),
    ...(all.some(({ unofficial }) => unofficial === true) ? { unofficial: true } : {}),
    ...(fallbacks.length === 0 ? {} : { note: fallbacks.join("; ") }),
  };
}

/** The provenance with a note before its own, whose end may speak of a fallback. */
export function withNote(provenance: Provenance, note: string | undefined): Provenance {
  if (note === undefined) return provenance;
  return { ...provenance, note: [note, ...(provenance.note === undefined ? [] : [provenance.note])].join("; ") };
}
