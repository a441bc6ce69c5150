/**
 * Report file: the answer of a run as Markdown, with the sources that its tools name.
 */
import { writeFile } from "node:fs/promises";
import { BatonError, type Json, type RunEvent } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { type Database, readAll } from "@baton/store";

/** Writes the answer of a run that is done; one that is not done has none. */
export async function writeReport(database: Database, run: string, path: string): Promise<void> {
  const events = await readAll(database, run);
  const ended = events.findLast((event) => event.type === "run.ended");
  if (ended?.type !== "run.ended" || ended.outcome !== "done") return;
  const sources = [...new Set(events.flatMap(sourceOf))];
  const list = sources.length === 0 ? "" : `\n\n## Sources\n\n${sources.map((source) => `- ${source}`).join("\n")}`;
  try {
    await writeFile(path, `${(ended.content ?? ended.text).trim()}${list}\n`);
  } catch (thrown) {
    throw new BatonError("invalid", `the answer cannot be written to ${path}: ${String(thrown)}`, { cause: thrown });
  }
}

/** `SEC EDGAR, 2026-11-18, https://…`, if an output names where it comes from. */
function sourceOf(event: RunEvent): readonly string[] {
  if (event.type !== "call.ended" || event.output === undefined) return [];
  const provenance = lookInto(event.output, "provenance") ?? {};
  const [source, at, url] = ["source", "as_of", "url"].map((name) => toText(lookInto(provenance, name)));
  return source === undefined ? [] : [[source, at?.slice(0, 10), url].filter((part) => part !== undefined).join(", ")];
}

const toText = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined);
