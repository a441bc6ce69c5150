/**
 * Model name: which model an agent or a crew asks for, in every spelling there is.
 *
 * `provider/name` is the way to write it; `primary` and `backup` hold provider, model and address apart, and so did
 * the top of an agent's file. A bare name belongs to the provider its maker is, and a warning says which.
 */
import type { ModelRef } from "@baton/core/ports";
import { report, readText, type Cursor } from "./yaml/cursor.ts";
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
  if (text === undefined || text === "" || ALONE.includes(text)) return text === "" ? undefined : text;
  const slash = text.indexOf("/");
  if (text.startsWith("auto/") && !SIZES.includes(text)) return refuseSize(model, text);
  if (slash !== -1) return isProvider(model, text.slice(0, slash), providers) ? text : undefined;
  return readBareName(model, text, providers);
}

function refuseSize(model: Cursor, text: string): undefined {
  const near = model.source.nearest(text, SIZES);
  const fix = near === undefined ? `write ${SIZES.join(" or ")}` : `did you mean \`${near}\`?`;
  report(model, { code: "unknown_model", message: `\`${text.slice(0, 60)}\` is not a model`, fix });
}

function readBareName(model: Cursor, text: string, providers: readonly string[]): string | undefined {
  const near = model.source.nearest(text, [...ALONE, ...BUILT_IN, ...providers]);
  if (near !== undefined) {
    const fix = ALONE.includes(near) ? `did you mean \`${near}\`?` : `write \`${near}/\` and the model's name`;
    report(model, { code: "unknown_model", message: `\`${text}\` is not a model`, fix });
    return undefined;
  }
  const maker = MAKERS.find(([start]) => text.startsWith(start))?.[1] ?? "openai";
  const provider = text.includes(":") ? "ollama" : maker;
  if (!isProvider(model, provider, providers)) return undefined;
  const name = `${provider}/${text}`;
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
  const all = new Set([...providers, ...ALONE, ...BUILT_IN]);
  if (all.has(name)) return true;
  const near = cursor.source.nearest(name, all);
  const known = [...all].join(", ");
  const fix = near === undefined ? `use one of ${known}` : `did you mean \`${near}\`?`;
  report(cursor, { code: "unknown_provider", message: `there is no provider \`${name.slice(0, 60)}\``, fix });
  return false;
}
