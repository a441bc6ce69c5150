/**
 * Provenance: where the output of a tool says that it comes from, and the list of such sources of an answer.
 */
import type { Json } from "@baton/client";
import type { CallSpan } from "../../store/story.ts";

/** Where data comes from. */
export interface Provenance {
  readonly kind: string;
  readonly source: string;
  readonly asOf: string;
  readonly note?: string;
  readonly url?: string;
}

/** A source with its number, and the call that brought it. */
export interface AnswerSource extends Provenance {
  readonly n: number;
  readonly title: string;
  readonly call: string;
}

/** A field of a JSON object. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** A text of a JSON object. */
export function textField(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : undefined;
}

/** The provenance of an output; undefined if it names none. */
export function provenanceOf(output: unknown): Provenance | undefined {
  const found = fieldOf(output, "provenance");
  const [kind, source, asOf] = [textField(found, "kind"), textField(found, "source"), textField(found, "as_of")];
  if (kind === undefined || source === undefined || asOf === undefined) return undefined;
  const [note, url] = [textField(found, "note"), textField(found, "url")];
  return {
    kind,
    source,
    asOf,
    ...(note === undefined ? {} : { note }),
    ...(url === undefined || !isLink(url) ? {} : { url }),
  };
}

/** The sources of some calls, one for each call, numbered. */
export function sourcesOf(calls: readonly CallSpan[]): readonly AnswerSource[] {
  const found = calls.flatMap(({ call, tool, args, ended }) => {
    const provenance = ended === undefined ? undefined : provenanceOf(ended.output);
    if (provenance === undefined) return [];
    const subject = mainArgument(args).split(", ", 1)[0] ?? "";
    return [{ ...provenance, title: subject === "" ? tool : `${tool} · ${subject}`, call }];
  });
  return found.map((source, index) => ({ ...source, n: index + 1 }));
}

const MAX_ARGUMENT = 60;

/** The arguments that tell one call from another, in a few words. */
export function mainArgument(args: Json): string {
  const found: string[] = [];
  const take = (value: unknown): void => {
    if (typeof value === "string" || typeof value === "number") found.push(String(value));
    else if (Array.isArray(value)) value.slice(0, 4).forEach(take);
  };
  if (typeof args === "object" && args !== null && !Array.isArray(args)) Object.values(args).forEach(take);
  const text = found
    .filter((part) => part !== "")
    .slice(0, 4)
    .join(", ");
  const characters = Array.from(text.slice(0, 2 * MAX_ARGUMENT));
  return characters.length <= MAX_ARGUMENT ? text : `${characters.slice(0, MAX_ARGUMENT - 1).join("")}…`;
}

/** True if a reader wants to see a call: data that programs load for themselves is not shown. */
export function isShownCall(call: CallSpan, model: string): boolean {
  if (!model.startsWith("code/") || model === "code/offline") return true;
  const isPlain = call.ended?.error === undefined && call.effect !== "irreversible";
  return !isPlain || (call.ended !== undefined && provenanceOf(call.ended.output) !== undefined);
}

function isLink(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === "https:" || protocol === "http:";
}
