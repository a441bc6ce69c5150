/**
 * Model name: which model an agent or a crew asks for, in every spelling there is.
 *
 * `provider/name` is the way to write it; `primary` and `backup` hold provider, model and address apart, and so did
 * the top of an agent's file. A bare name belongs to the provider its maker is, and a warning says which.
 */
import type { ModelRef } from "@baton/core/ports";
import { report, readText, type Cursor } from "./yaml/cursor.ts";
import type { Defect } from "./yaml/finding.ts";
import type { Fields } from "./fields/fields.ts";

/** Providers that are a model by themselves. */
const ALONE: readonly string[] = ["script", "offline"];

/** Sizes of the default model; the provider is chosen when the crew runs. */
const SIZES: readonly string[] = ["auto/small", "auto/large"];

/** Words before a slash that are not providers: programs of code.ts, and models by size. */
const BUILT_IN: readonly string[] = ["code", "auto"];

/** Providers of models whose name has no provider, by the start of the name. */
const MAKERS: readonly (readonly [start: string, provider: string])[] = [
  ["claude", "anthropic"],
  ["gemini", "google"],
];

/** The model that `provider`, `model` and `provider_url` of a map name. */
export function readModel(fields: Fields, providers: readonly string[]): ModelRef | undefined {
  const provider = fields.get("provider");
  const model = fields.get("model");
  const url = fields.text("provider_url");
  const name = provider === undefined ? readName(model, providers) : joinName(provider, model, providers);
  if (name === undefined) return undefined;
  return url === undefined || url === "" ? { name } : { name, url };
}

/** The model that one text names: `provider/name`, `code/name`, `auto/size`, `script`, `offline`, or a bare name. */
export function readName(model: Cursor | undefined, providers: readonly string[]): string | undefined {
  if (model === undefined) return undefined;
  const text = readText(model)?.trim();
  if (text === undefined || text === "") return undefined;
  const defect = findModelDefect(text, providers, model.source.nearest);
  if (defect !== undefined) {
    report(model, defect);
    return undefined;
  }
  return ALONE.includes(text) || text.includes("/") ? text : readBareName(model, text, providers);
}

/** Finds the known name closest to a mistyped one. */
type FindNearest = (name: string, known: Iterable<string>) => string | undefined;

/** Finds the mistake in the name of a model; a bare name that is near to no known one is not a mistake. */
export function findModelDefect(text: string, providers: readonly string[], nearest: FindNearest): Defect | undefined {
  if (ALONE.includes(text)) return undefined;
  const slash = text.indexOf("/");
  const message = `\`${text.slice(0, 60)}\` is not a model`;
  if (text.startsWith("auto/") && !SIZES.includes(text)) {
    const near = nearest(text, SIZES);
    const fix = near === undefined ? `write ${SIZES.join(" or ")}` : `did you mean \`${near}\`?`;
    return { code: "unknown_model", message, fix };
  }
  if (slash !== -1) return findProviderDefect(text.slice(0, slash), providers, nearest);
  const near = nearest(text, [...ALONE, ...BUILT_IN, ...providers]);
  if (near === undefined) return undefined;
  const fix = ALONE.includes(near) ? `did you mean \`${near}\`?` : `write \`${near}/\` and the model's name`;
  return { code: "unknown_model", message, fix };
}

/** The name of a model with the provider that its maker is. */
export function toFullName(text: string): string {
  const maker = MAKERS.find(([start]) => text.startsWith(start))?.[1] ?? "openai";
  return `${text.includes(":") ? "ollama" : maker}/${text}`;
}

function readBareName(model: Cursor, text: string, providers: readonly string[]): string | undefined {
  const name = toFullName(text);
  if (!isProvider(model, name.slice(0, name.indexOf("/")), providers)) return undefined;
  const message = `\`${text}\` names no provider and is read as \`${name}\``;
  report(model, { code: "bare_model", severity: "warning", message, fix: `write \`${name}\`` });
  return name;
}

function joinName(provider: Cursor, model: Cursor | undefined, providers: readonly string[]): string | undefined {
  const company = readText(provider);
  const name = model === undefined ? undefined : readText(model);
  if (company === undefined || !isProvider(provider, company, providers)) return undefined;
  if (ALONE.includes(company)) return company;
  if (name === undefined || name === "") {
    report(provider, { code: "missing_field", message: "`model` is missing beside `provider`", fix: "add `model`" });
    return undefined;
  }
  return name.startsWith(`${company}/`) ? name : `${company}/${name}`;
}

/** Whether a name is a provider's; another one is reported. */
export function isProvider(cursor: Cursor, name: string, providers: readonly string[]): boolean {
  const defect = findProviderDefect(name, providers, cursor.source.nearest);
  if (defect !== undefined) report(cursor, defect);
  return defect === undefined;
}

function findProviderDefect(name: string, providers: readonly string[], nearest: FindNearest): Defect | undefined {
  const all = new Set([...providers, ...ALONE, ...BUILT_IN]);
  if (all.has(name)) return undefined;
  const near = nearest(name, all);
  const fix = near === undefined ? `use one of ${[...all].join(", ")}` : `did you mean \`${near}\`?`;
  return { code: "unknown_provider", message: `there is no provider \`${name.slice(0, 60)}\``, fix };
}
