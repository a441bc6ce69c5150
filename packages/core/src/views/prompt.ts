/**
 * Prompt: the system text that describes an agent to its model, and the context that it is given for a turn.
 *
 * The crew's own `system_prompt` with its placeholders filled in, or one made of name, role, backstory and the signals
 * the agent may write. Values of the run's state that are put into it are never read as templates.
 */
import type { Agent } from "../definitions/agent.ts";
import { isTerminal } from "../definitions/crew.ts";
import type { Crew } from "../definitions/definition.ts";
import { BatonError } from "../words/error.ts";
import type { Json } from "../words/json.ts";
import type { Message } from "../words/message.ts";
import { hasOthers, SPEAKER_NOTE } from "./speaker.ts";
import { toProgramName } from "../ports/program.ts";
import { lookUp, STATE_KEY } from "../words/state.ts";
import { countChars } from "../words/text.ts";

const PLACEHOLDER = new RegExp(String.raw`\{\{(?:(name|role|description|backstory)|state\.(${STATE_KEY}))\}\}`, "g");
const MAX_CHARS = 1_048_576;

/** A piece of a system prompt: text, a place for a value of the state, or the list of skills. */
type Piece = string | Readonly<{ key: string } | { skills: string }>;

/** A system prompt or a context; most have one piece of text. */
export type Template = Readonly<{ agent: string; source: "system_prompt" | "context"; pieces: readonly Piece[] }>;

/** The system prompt of an agent; throws `invalid` if it is too long. */
export function toTemplate(agent: Agent, crew: Crew): Template {
  const { systemPrompt, id } = agent;
  const isOwn = systemPrompt !== undefined && systemPrompt.trim() !== "";
  const pieces = isOwn ? fill(systemPrompt, agent, "system_prompt") : [toGeneric(agent, crew)];
  const source = "system_prompt";
  const isProgram = toProgramName((agent.model ?? crew.model)?.name ?? "") !== undefined;
  if (isProgram) return { agent: id, source, pieces };
  const own = hasOthers(crew) ? withSpeakerNote(pieces) : pieces;
  return { agent: id, source, pieces: [...own, ...listSkills(agent)] };
}

function withSpeakerNote(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.at(-1);
  const [before, words] = typeof last === "string" ? [pieces.slice(0, -1), last] : [pieces, ""];
  return [...before, `${words.trimEnd()}\n\n${SPEAKER_NOTE}`];
}

function listSkills({ skills = [] }: Agent): readonly Piece[] {
  if (skills.length === 0) return [];
  const lines = skills.map(({ name, description }) => `- ${name}: ${description}`);
  return [{ skills: `\n\nSkills you can load with the tool \`skill\` when one fits the task:\n${lines.join("\n")}` }];
}

/** The context of an agent; undefined if it has none. */
export function toContextTemplate(agent: Agent): Template | undefined {
  const { context = "", id } = agent;
  return context.trim() === "" ? undefined : { agent: id, source: "context", pieces: fill(context, agent, "context") };
}

/** The context as a message of its own; undefined if there is nothing in it. */
export function renderContext(template: Template, values: ReadonlyMap<string, Json>): Message | undefined {
  const text = render(template, values);
  return text.trim() === "" ? undefined : { role: "user", content: `<context>${text}</context>` };
}

/** A piece as it is shown, and where it comes from. */
export type Rendered = Readonly<{ text: string; source: string }>;

/** The prompt with the state in its places, piece by piece; throws `invalid` if it is too long. */
export function renderPieces(
  { agent, source, pieces }: Template,
  values: ReadonlyMap<string, Json>,
): readonly Rendered[] {
  let chars = 0;
  return pieces.map((piece) => {
    const rendered = renderPiece(piece, source, values);
    chars += rendered.text.length;
    if (chars > MAX_CHARS) throw tooLong(agent, source);
    return rendered;
  });
}

function renderPiece(piece: Piece, source: string, values: ReadonlyMap<string, Json>): Rendered {
  if (typeof piece === "string") return { text: piece, source };
  if ("skills" in piece) return { text: piece.skills, source: "skills" };
  return { text: toValueText(piece.key, values), source: `state:${piece.key}` };
}

/** The whole prompt. */
export function render(template: Template, values: ReadonlyMap<string, Json>): string {
  const [first, ...others] = template.pieces;
  if (others.length === 0 && typeof first === "string") return first;
  return renderPieces(template, values)
    .map(({ text }) => text)
    .join("");
}

function toValueText(key: string, values: ReadonlyMap<string, Json>): string {
  if (!key.endsWith("*")) return toText(lookUp(values, key));
  const prefix = key.slice(0, -1);
  return Array.from(values)
    .filter(([name]) => name.startsWith(prefix))
    .map(([, value]) => toText(value))
    .join("\n");
}

function toText(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One pass: text that was filled in is not read for placeholders again. */
function fill(text: string, agent: Agent, source: Template["source"]): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  let chars = 0;
  let from = 0;
  const add = (more: string) => {
    plain += more;
    // Each part is counted once: a long prompt may have thousands of them.
    chars += countChars(more);
    if (chars > MAX_CHARS) throw tooLong(agent.id, source);
  };
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [whole, , key] = match;
    add(text.slice(from, match.index));
    from = match.index + whole.length;
    if (key === undefined) add(toOwn(agent, whole));
    else {
      pieces.push(plain, { key });
      plain = "";
      chars = 0;
    }
  }
  add(text.slice(from));
  return plain === "" && pieces.length > 0 ? pieces : [...pieces, plain];
}

function toOwn({ name, role, description, backstory }: Agent, placeholder: string): string {
  switch (placeholder) {
    case "{{name}}":
      return name;
    case "{{role}}":
      return role;
    case "{{description}}":
      return description;
    default:
      return backstory;
  }
}

const tooLong = (agent: string, source: Template["source"]): BatonError =>
  new BatonError("invalid", `agent "${agent}": its ${source.replace("_", " ")} has more than 1,048,576 characters`);

function toGeneric(agent: Agent, crew: Crew): string {
  return [
    `You are ${agent.name}.`,
    agent.role === "" ? "" : `Role: ${agent.role}`,
    agent.description,
    agent.backstory,
    toSignalText(agent, crew),
    isTerminal(agent, crew) ? "You are the final agent: your reply is what the user reads." : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function toSignalText(agent: Agent, crew: Crew): string {
  const routes = (crew.signals.get(agent.id) ?? []).filter(({ signal }) => signal !== undefined);
  if (routes.length === 0) return "";
  const lines = routes.map(({ signal, target, description = "" }) => {
    const where = target === "" ? "ends the conversation" : `hands over to ${target}`;
    return `- ${signal}: ${description === "" ? where : description}`;
  });
  return `When it is time, end your reply with one of these signals, written exactly:\n${lines.join("\n")}`;
}
