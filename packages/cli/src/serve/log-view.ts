/**
 * Log view: writes the server's log, each line as readable text or as the JSON that it is.
 *
 * Lines are held back until the server's address has been printed, so that the address is the first line also if both
 * streams go to one file. As text, a line that is not JSON is printed unchanged.
 */
import { cutLine, type Line, styleLine, type Tone } from "../terminal/styled-line.ts";
import { toOneLine } from "../terminal/printable.ts";
import type { Output } from "../terminal/screen.ts";

const TONES: ReadonlyMap<string, Tone> = new Map<string, Tone>([
  ["error", "bad"],
  ["warn", "warn"],
  ["debug", "dim"],
]);

/** Fields that are shown elsewhere on the line or not at all. */
const HIDDEN: ReadonlySet<string> = new Set(["level", "time", "msg", "request", "session", "tenant", "user"]);
const SHORT_CHARS = 12;

/** Writes the JSON lines of a log in a format. */
export class LogView {
  readonly #output: Pick<Output, "paint" | "write">;
  readonly #format: "text" | "json";
  #held: string[] | undefined = [];

  constructor(output: Pick<Output, "paint" | "write">, format: "text" | "json") {
    this.#output = output;
    this.#format = format;
  }

  write(line: string): void {
    const { paint, write } = this.#output;
    if (this.#held !== undefined) this.#held.push(line);
    else write(this.#format === "json" ? line : `${paint(toLogLine(line))}\n`);
  }

  /** Writes the lines that were held back. As text, the line with the address is left out: it has been printed. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const line of held) if (this.#format === "json" || !line.includes('"msg":"listening"')) this.write(line);
  }
}

/** `10:41:07 run ended  run 1a2b3c4d5e6f, crew hello, outcome done` */
export function toLogLine(json: string): Line {
  const fields = parse(json);
  if (fields === undefined) return styleLine(toOneLine(json));
  const { level, time, msg } = fields;
  const tone = TONES.get(String(level)) ?? "plain";
  const about = Object.entries(fields).flatMap(([name, value]) =>
    HIDDEN.has(name) || value === null || isRepeated(name, value, fields) ? [] : [`${name} ${toShown(name, value)}`],
  );
  const sign = level === "error" ? "✗ " : level === "warn" ? "▲ " : "";
  const head = styleLine([`${toClock(String(time))} `, "dim"], [sign + toOneLine(String(msg)), tone]);
  return cutLine([...head, ...(about.length === 0 ? [] : styleLine([`  ${about.join(", ")}`, "dim"]))], Infinity);
}

/** Whether the error's message says it too: the stack of an error with a known cause, or the cause itself. */
function isRepeated(name: string, value: unknown, { error }: Readonly<Record<string, unknown>>): boolean {
  if (typeof value !== "string" || typeof error !== "string") return false;
  return name === "stack" ? value.startsWith("BatonError") : name === "cause" && error.includes(value);
}

function parse(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/** Run ids are shown in their short form. */
function toShown(name: string, value: unknown): string {
  const text = toOneLine(typeof value === "string" ? value : JSON.stringify(value));
  return name === "run" ? text.replaceAll("-", "").slice(-SHORT_CHARS) : text;
}

/** The local time of day. */
function toClock(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? "--:--:--" : at.toTimeString().slice(0, "hh:mm:ss".length);
}
