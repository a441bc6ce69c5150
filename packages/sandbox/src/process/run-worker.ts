/**
 * Run worker: the program of a tool with `run` in a sandbox. It imports the tool's file, makes one call, and speaks with
 * Baton over descriptor 3, one JSON value a line. It imports nothing of Baton, which need not be visible here.
 */
import { registerHooks } from "node:module";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { FromRunner, RunTask } from "./runner-message.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A crew without packages of its own imports the copies beside this file. */
function registerFallback(): void {
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!specifier.startsWith("@baton/") && specifier.split("/")[0] !== "zod") throw error;
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

/** The one call of this process. */
class RunnerCall {
  readonly #channel = new Socket({ fd: 3 });
  readonly #answers = new Map<unknown, (answer: Fields) => void>();
  readonly #state = new Map<string, unknown>();
  readonly #changes = new Map<string, unknown>();
  #asked = 0;

  /** Waits for the call, and then for answers. */
  listen(): void {
    createInterface({ input: this.#channel }).on("line", (line) => {
      const message = toFields(JSON.parse(line));
      const answer = this.#answers.get(message["answer"]);
      if (answer !== undefined) answer(message);
      else
        this.#make(toTask(message)).then(
          (told) => this.#end(told),
          (error: unknown) => this.#end(toFailed(error)),
        );
    });
  }

  async #make({ file, crew, tool: name, args, context, entries }: RunTask): Promise<FromRunner> {
    for (const [key, value] of entries) this.#state.set(key, value);
    const module = await importFile(file);
    if (typeof module === "string") return { type: "failed", kind: "permanent", message: module };
    const tool = find(fieldOf(module, "default"), crew, name);
    if (tool === undefined) return { type: "failed", kind: "permanent", message: `${file} exports no tool ${name}` };
    const prepared: unknown = await apply(tool, "prepare", [args]);
    if (fieldOf(prepared, "ok") !== true) {
      return { type: "failed", kind: "validation", message: "the arguments do not fit in the sandbox" };
    }
    const output = await apply(prepared, "run", [this.#toContext(context)]);
    return { type: "done", output: output === undefined ? null : output, state: [...this.#changes] };
  }

  #toContext(context: Fields): unknown {
    const [state, changes] = [this.#state, this.#changes];
    return {
      ...context,
      scope: { abort: new AbortController().signal, live: true, remainingMs: context["timeoutMs"] ?? Infinity },
      state: {
        get: (key: string) => (changes.has(key) ? changes : state).get(key),
        set: (key: string, value: unknown) => {
          changes.set(key, value);
        },
        entries: () => new Map([...state, ...changes]),
      },
      progress: (value: unknown) => this.#tell({ type: "progressed", value }),
      note: (kind: string, data: unknown) => this.#tell({ type: "noted", kind, data }),
      outputOf: (id: string) => this.#ask(id),
      documents: new Proxy({}, { get: () => () => Promise.reject(new Error("a sandboxed tool has no documents")) }),
    };
  }

  /** Asks for the output of an earlier call. */
  async #ask(call: string): Promise<unknown> {
    const question = ++this.#asked;
    const answer = await new Promise<Fields>((resolve) => {
      this.#answers.set(question, resolve);
      this.#tell({ type: "asked", question, call });
    });
    this.#answers.delete(question);
    if (typeof answer["error"] === "string") throw new Error(answer["error"]);
    return answer["value"];
  }

  #tell(message: FromRunner): void {
    this.#channel.write(`${JSON.stringify(message)}\n`);
  }

  #end(message: FromRunner): void {
    this.#channel.end(`${JSON.stringify(message)}\n`, () => process.exit(0));
  }
}

async function importFile(file: string): Promise<object | string> {
  try {
    const module: unknown = await import(pathToFileURL(file).href);
    return toFields(module);
  } catch (error) {
    return `${file}: the file cannot be imported: ${toText(error).slice(0, 500)}`;
  }
}

function toTask(message: Fields): RunTask;
function toTask(message: Fields): unknown {
  return message;
}

function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
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

function toText(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function toFailed(error: unknown): FromRunner {
  const read = (value: unknown, name: string): string => {
    const text = value instanceof Error ? fieldOf(value, name) : undefined;
    return typeof text === "string" ? text : "";
  };
  const code = read(error, "code") || read(error instanceof Error ? error.cause : undefined, "code");
  const message = toText(error).slice(0, 2_000);
  return { type: "failed", kind: read(error, "kind"), name: read(error, "name"), code, message };
}

registerFallback();
new RunnerCall().listen();
