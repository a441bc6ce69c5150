/**
 * Tool call request: parses the words after `baton tools call`: the crew, the tool and its arguments.
 */
import { BatonError, type Crew, type Json, type Tool } from "@baton/core";
import { nearest, parseJson } from "@baton/core/util";
import { MAX_RESULT_BYTES, toJsonProblem } from "./tool-result.ts";
import { batonCommand } from "../runs/resume-command.ts";
import { isCrew } from "../crew/crew-path.ts";
import { readStdin, STDIN, type StdinLimit } from "../runs/input.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toShellWord } from "../shell-word.ts";

/** The parsed words; without a path the crew is in this folder. */
export interface CallWords {
  readonly path: string | undefined;
  readonly tool: string;
  /** JSON, or `-` for standard input. */
  readonly args?: string;
}

/** The arguments, or why they are not valid. */
type Arguments = { readonly ok: true; readonly args: Json } | { readonly ok: false; readonly why: string };

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const LIMIT: StdinLimit = {
  maxBytes: MAX_RESULT_BYTES,
  problem: "the arguments are larger than 1 MB; make them smaller",
};

const isName = (word: string): boolean => word !== STDIN && TOOL_NAME.test(word);

/** Parses the words. One word, or a word and JSON, is a tool of the crew in this folder. */
export async function toCallWords([first, second, third]: readonly string[]): Promise<CallWords> {
  if (first === undefined) throw toMissingTool("CREW");
  if (second !== undefined && (third !== undefined || isName(second))) {
    return { path: first, tool: second, ...(third === undefined ? {} : { args: third }) };
  }
  if (!(await isCrew(".")) && (await isCrew(first))) throw toMissingTool(toShellWord(first));
  return { path: undefined, tool: first, ...(second === undefined ? {} : { args: second }) };
}

function toMissingTool(crew: string): BatonError {
  const list = crew === "CREW" ? "" : `; \`${batonCommand()} tools ${crew}\` lists them`;
  return new BatonError("invalid", `name the tool to call: ${batonCommand()} tools call ${crew} TOOL '{…}'${list}`);
}

/** Finds a tool of a crew; throws if it does not exist or is a client tool. */
export function findTool({ tools, name: crew }: Crew, name: string): Tool {
  const tool = tools.get(name);
  if (tool === undefined) {
    const names = [...tools.keys()];
    const near = nearest(name, names);
    const known = names.length === 0 ? "the crew has no tools" : `its tools are ${names.join(", ")}`;
    const hint = near === undefined ? known : `did you mean ${near}?`;
    throw new BatonError("invalid", `crew ${crew} has no tool "${toOneLine(name)}"; ${hint}`);
  }
  if (!tool.isClient) return tool;
  const problem = `${name} is a client tool: the client of a run executes it, so the crew has no code for it`;
  throw new BatonError("invalid", `${problem}; run the crew and answer its question instead`);
}

/** Reads the arguments; without any they are an empty object. */
export async function readArguments(typed: string | undefined): Promise<Arguments> {
  if (typed === undefined) return { ok: true, args: {} };
  const text = typed === STDIN ? await readStdin(LIMIT) : typed;
  if (text.trim() === "") return { ok: false, why: "the arguments are empty; write JSON such as {}" };
  const args = parseJson(text);
  return args === undefined
    ? { ok: false, why: `the arguments are not valid JSON: ${toJsonProblem(text)}` }
    : { ok: true, args };
}

/** The answers of `--answer`, by the names of questions. */
export function parseAnswers(text: string | undefined): Readonly<Record<string, Json>> {
  const answers = text === undefined ? {} : parseJson(text);
  if (typeof answers === "object" && answers !== null && !Array.isArray(answers))
    return Object.fromEntries(Object.entries(answers));
  throw new BatonError("invalid", `--answer must be a JSON object, such as '{"name": "value"}'`);
}
