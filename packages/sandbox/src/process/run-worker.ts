/**
 * Run worker: the program of a tool with `run` in a sandbox. It imports the tool's file, makes one call, and speaks with
 * Baton over descriptor 3, one JSON value a line. It imports nothing of Baton, which need not be visible here.
 */
import { createInterface } from "node:readline";
import { Socket } from "node:net";
import { pathToFileURL } from "node:url";
import type { FromRunner, RunTask } from "./runner-message.ts";

type Unknown = Readonly<Record<string, unknown>>;

const channel = new Socket({ fd: 3 });
const lines = createInterface({ input: channel });
const answers = new Map<number, (answer: Unknown) => void>();
const state = new Map<string, unknown>();
const changes = new Map<string, unknown>();
const controller = new AbortController();
let asked = 0;

lines.on("line", (line) => {
  const message: Unknown = JSON.parse(line);
  const { answer } = message;
  if (typeof answer === "number") answers.get(answer)?.(message);
  else call(toTask(message)).then(end, (error: unknown) => fail(error));
});

function toTask(message: Unknown): RunTask;
function toTask(message: Unknown): unknown {
  return message;
}

async function call({ file, crew, tool: name, args, context, entries }: RunTask): Promise<FromRunner> {
  for (const [key, value] of entries) state.set(key, value);
  const module: unknown = await import(pathToFileURL(file).href);
  const tool = find(fieldOf(module, "default"), crew, name);
  if (tool === undefined) return { type: "failed", kind: "permanent", message: `${file} exports no tool ${name}` };
  const prepared: unknown = await apply(tool, "prepare", [args]);
  if (fieldOf(prepared, "ok") !== true) {
    return { type: "failed", kind: "validation", message: "the arguments do not fit in the sandbox" };
  }
  const output = await apply(prepared, "run", [toContext(context)]);
  return { type: "done", output: output === undefined ? null : output, state: [...changes] };
}

function toContext(context: Unknown): unknown {
  return {
    ...context,
    scope: { abort: controller.signal, live: true, remainingMs: context["timeoutMs"] ?? Infinity },
    state: {
      get: (key: string) => (changes.has(key) ? changes : state).get(key),
      set: (key: string, value: unknown) => void changes.set(key, value),
      entries: () => new Map([...state, ...changes]),
    },
    progress: (value: unknown) => tell({ type: "progressed", value }),
    note: (kind: string, data: unknown) => tell({ type: "noted", kind, data }),
    outputOf: (id: string) => ask(id),
    documents: new Proxy({}, { get: () => () => Promise.reject(new Error("a sandboxed tool has no documents")) }),
  };
}

/** Asks for the output of an earlier call. */
async function ask(call: string): Promise<unknown> {
  const question = ++asked;
  const answer = await new Promise<Unknown>((resolve) => {
    answers.set(question, resolve);
    tell({ type: "asked", question, call });
  });
  answers.delete(question);
  if (typeof answer["error"] === "string") throw new Error(answer["error"]);
  return answer["value"];
}

function find(exported: unknown, crew: readonly string[] | undefined, name: string): unknown {
  const listed: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  const isNamed = (wanted: string | undefined) => (one: unknown) => fieldOf(one, "name") === wanted;
  if (crew === undefined) return listed.find(isNamed(name));
  const [first, ...steps] = crew;
  const held = steps.reduce((one, step) => fieldOf(one, step), listed.find(isNamed(first)));
  return entryOf(fieldOf(held, "tools"), name);
}

/** A field by its name; `sub:NAME` is one of the crews inside. */
function fieldOf(value: unknown, name: string): unknown {
  if (name.startsWith("sub:")) return entryOf(fieldOf(value, "subCrews"), name.slice(4));
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function entryOf(map: unknown, name: string): unknown {
  return map instanceof Map ? map.get(name) : undefined;
}

function apply(target: unknown, name: string, args: readonly unknown[]): unknown {
  const method = fieldOf(target, name);
  return typeof method === "function" ? Reflect.apply(method, target, args) : undefined;
}

function tell(message: FromRunner): void {
  channel.write(`${JSON.stringify(message)}\n`);
}

function fail(error: unknown): void {
  const read = (name: string): string => {
    const value = error instanceof Error ? fieldOf(error, name) : undefined;
    return typeof value === "string" ? value : "";
  };
  const cause = error instanceof Error ? fieldOf(error.cause, "code") : undefined;
  const code = read("code") || (typeof cause === "string" ? cause : "");
  const message = error instanceof Error ? error.message || error.name : String(error);
  end({ type: "failed", kind: read("kind"), name: read("name"), code, message: message.slice(0, 2_000) });
}

function end(message: FromRunner): void {
  channel.end(`${JSON.stringify(message)}\n`, () => process.exit(0));
}
