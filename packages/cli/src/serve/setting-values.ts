/**
 * Setting values: the types of settings, as numbers and texts of files, options and variables have them.
 */
import { EMBEDDING_PROVIDERS, MODEL_PROVIDERS } from "@baton/models/choice";
import { z } from "zod";

/** A text that is not empty. */
export function text() {
  return z.string({ error: "must be a text" }).min(1, { error: "must not be empty" });
}

/** A whole number, as a number or as text. */
export function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  const toNumber = (value: unknown) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value);
  return z.preprocess(toNumber, z.int({ error }).min(min, { error }).max(max, { error }));
}

/** A list of texts; a single text is a list of one. */
export function list(isItem: (text: string) => boolean = () => true, error = "must be a list of texts") {
  return z.preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    z.array(z.string({ error }).min(1, { error }).refine(isItem, { error }), { error }),
  );
}

/** Whether it is a URL of HTTP. */
export function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
}

/** Whether it is a URL of Postgres. */
export function isPostgres(url: string): boolean {
  return URL.canParse(url) && ["postgres:", "postgresql:"].includes(new URL(url).protocol);
}

/** Whether it names an embedding model of a known provider. */
export function isEmbeddings(name: string): boolean {
  const slash = name.indexOf("/");
  return EMBEDDING_PROVIDERS.includes(name.slice(0, Math.max(0, slash))) && slash < name.length - 1;
}

/** Whether the name is well-formed. The model itself is tried when the server starts. */
export function isModel(name: string): boolean {
  const [provider = "", ...rest] = name.split("/");
  const isWhole = provider === "script" || provider === "offline";
  return MODEL_PROVIDERS.includes(provider) && (isWhole ? rest.length === 0 : rest.join("/") !== "");
}

/** A switch, as a boolean or as text. */
export function toSwitch(value: unknown): unknown {
  return value === "true" ? true : value === "false" ? false : value;
}
