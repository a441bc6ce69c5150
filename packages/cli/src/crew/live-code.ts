/**
 * Live code: the tools and programs of crews whose code may change while runs use them.
 *
 * A run keeps the crew that it started with. Its tools and programs look up the code at each call and step, so the next
 * one uses the new version, and one that is under way ends in the old. After the last of those the old version is shut
 * down.
 */
import type { Crew, Model, Tool } from "@baton/core";
import { toMessage } from "@baton/core/util";
import type { CrewFile } from "@baton/crewfile";

type Prepared = Awaited<ReturnType<Tool["prepare"]>>;

/** One version of the code, by the crew's place and the name. */
interface CodeTable {
  readonly id: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly programs: ReadonlyMap<string, Model>;
  readonly calls: RunningCalls;
  readonly onShutdown: CrewFile["onShutdown"];
}

/** The code of the crews of one path. */
export class LiveCode {
  readonly #warn: (text: string) => void;
  #current: CodeTable | undefined;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** The crew of a file, with tools and programs that are looked up here. */
  toLive(crew: Crew, place: string = crew.name): Crew {
    const inside = (other: Crew, step: string) => this.toLive(other, `${place} ${step}`);
    return Object.freeze({
      ...crew,
      tools: new Map(Array.from(crew.tools, ([name, tool]) => [name, this.#toTool(tool, `${place} ${name}`)])),
      programs: new Map(Array.from(crew.programs, ([name, own]) => [name, this.#toProgram(own, `${place} ${name}`)])),
      subCrews: new Map(Array.from(crew.subCrews, ([name, other]) => [name, inside(other, `sub:${name}`)])),
      ...(crew.after === undefined ? {} : { after: inside(crew.after, "after") }),
    });
  }

  /** Uses this version from now on, and shuts the old one down when its last call has ended. */
  async use(id: string, files: readonly CrewFile[]): Promise<void> {
    const old = this.#current;
    const isSame = old?.id === id;
    const crews = files.flatMap(({ crew }) => (crew === undefined ? [] : listCrews(crew, crew.name)));
    this.#current = {
      id,
      tools: new Map(crews.flatMap(([place, { tools }]) => keyed(place, tools))),
      programs: new Map(crews.flatMap(([place, { programs }]) => keyed(place, programs))),
      calls: isSame ? old.calls : new RunningCalls(),
      onShutdown: files[0]?.onShutdown,
    };
    if (old === undefined || isSame) return;
    await old.calls.idle();
    try {
      await old.onShutdown?.();
    } catch (error) {
      this.#warn(`onShutdown of the old code failed: ${toMessage(error)}`);
    }
  }

  /** Shuts the current version down. */
  readonly shutDown = async (): Promise<void> => {
    await this.#current?.onShutdown?.();
  };

  #toTool(own: Tool, key: string): Tool {
    const now = () => this.#current?.tools.get(key);
    const bind = (prepared: Prepared): Prepared => {
      const calls = this.#current?.calls;
      if (!prepared.ok || calls === undefined) return prepared;
      return { ok: true, run: (context) => calls.during(() => prepared.run(context)) };
    };
    const { permission, digest } = own;
    return Object.freeze<Tool>({
      ...own,
      warmUp: async (tenant) => now()?.warmUp?.(tenant),
      ...(permission === undefined
        ? {}
        : { permission: (args, context) => (now()?.permission ?? permission)(args, context) }),
      ...(digest === undefined ? {} : { digest: (output, context) => (now()?.digest ?? digest)(output, context) }),
      prepare(args) {
        const prepared = now()?.prepare(args) ?? { ok: false, issues: [{ path: "", message: GONE }] };
        return prepared instanceof Promise ? prepared.then(bind) : bind(prepared);
      },
    });
  }

  #toProgram(own: Model, key: string): Model {
    return {
      ...own,
      stream: (prompt, scope) => {
        const { programs, calls } = this.#current ?? {};
        const program = programs?.get(key);
        if (program === undefined || calls === undefined) throw new Error(`the program ${own.name} is gone`);
        return calls.reading(program.stream(prompt, scope));
      },
    };
  }
}

const GONE = "the tool is no longer in the crew's code";

function listCrews(crew: Crew, place: string): readonly (readonly [place: string, crew: Crew])[] {
  const inside = Array.from(crew.subCrews, ([name, other]) => listCrews(other, `${place} sub:${name}`)).flat();
  return [[place, crew], ...inside, ...(crew.after === undefined ? [] : listCrews(crew.after, `${place} after`))];
}

function keyed<T>(place: string, named: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return Array.from(named, ([name, value]) => [`${place} ${name}`, value]);
}

/** Counts calls and steps that are under way. */
class RunningCalls {
  #running = 0;
  readonly #idle: (() => void)[] = [];

  async during<T>(work: () => T | Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#ended();
    }
  }

  async *reading<T>(stream: AsyncIterable<T>): AsyncIterable<T> {
    this.#running += 1;
    try {
      yield* stream;
    } finally {
      this.#ended();
    }
  }

  /** Settles when nothing is under way. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
