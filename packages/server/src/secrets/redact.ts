/**
 * Redact: takes keys out of a text before it goes to a log.
 *
 * What looks like a key is taken out wherever it stands, and so is every secret the server was configured with, as it
 * is, as JSON writes it and as a URL does. Work grows with the text only.
 */
import { toMessage } from "@baton/core/util";

/** The text that replaces a key. */
const HIDDEN = "***";

/** A shorter secret would be found in ordinary words. */
const MIN_SECRET_CHARS = 4;

/** Shapes of secrets; the first group of a match stays. Each begins with fixed characters, so that no search starts twice. */
const SHAPES: readonly RegExp[] = [
  /\b(bearer\s+)[^\s"',;]+/gi,
  /\b((?:x-)?api[-_]?key[\\"']{0,4}\s*[:=]\s*[\\"']{0,4})[^\s\\"',;&]+/gi,
  /\b()bt_[A-Za-z0-9]+_[A-Za-z0-9]+/g,
  /\b()(?:sk|pk|rk|gsk|xai|hf|tvly|pplx)[-_][A-Za-z0-9_-]{8,}/g,
  /(:\/\/)[^\s/@:"'<>]{1,256}:[^\s/@"'<>]{1,256}(?=@)/g,
  /\b()AIza[A-Za-z0-9_-]{20,}/g,
];

/** Characters that at least one shape needs: most texts have none of them and are searched once. */
const TRACES = /bearer|api[-_]?key|bt_|[spr]k[-_]|xai[-_]|hf[-_]|tvly[-_]|pplx[-_]|:\/\/|AIza/i;

/** Takes something out of a text. */
export type Redact = (text: string) => string;

/** Builds a function that takes out keys and these secrets. */
export function defineRedact(secrets: readonly string[] = []): Redact {
  const hide = defineHide(secrets);
  return (text) => {
    const rest = hide(text);
    if (!TRACES.test(rest)) return rest;
    return SHAPES.reduce((clean, shape) => clean.replaceAll(shape, `$1${HIDDEN}`), rest);
  };
}

/** Builds a function that takes out these secrets alone. */
export function defineHide(secrets: readonly string[] = []): Redact {
  const forms = new Set(secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS).flatMap(formsOf));
  // The longest first: one secret may be the beginning of another.
  const hidden = [...forms].toSorted((one, other) => other.length - one.length);
  return (text) => hidden.reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text);
}

function formsOf(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

/** An error's message without secrets; undefined if it has no secret. It is searched whole, before anything shortens it. */
export function toRedactedMessage(thrown: unknown, redact: Redact): string | undefined {
  const message = thrown instanceof Error && typeof thrown.message === "string" ? thrown.message : toMessage(thrown);
  const said = redact(message);
  return said === message ? undefined : said;
}
