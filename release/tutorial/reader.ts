/**
 * Reader: follows a tutorial in a machine, literally, and takes the time of each of its sections.
 *
 * A command must end well before the next one is typed in its terminal, unless the reader stopped it with a key.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Machine, openTerminal } from "./machine.ts";
import { hasLines, type Step } from "./page.ts";
import type { Shell } from "./shell.ts";

/** No machine in a folder can run these. */
const LEFT_OUT = /^docker /;
/** Where a command of the page asks for the id of a run: the first that the command before it printed. */
const RUN_ID = /^[0-9a-f]{8}\b/m;

/** A section of the page, and how long it took. */
export interface Section {
  readonly title: string;
  readonly seconds: number;
  readonly leftOut: readonly string[];
}

/** The machine, its variables, and the folder of the project. */
export interface ReaderOptions {
  readonly machine: Machine;
  /** Variables that every terminal has. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder that the page's files are in. */
  readonly project: string;
}

interface Terminal {
  readonly shell: Shell;
  /** The command that is running; undefined if none is. */
  command: string | undefined;
  isStopped: boolean;
  /** Texts that the command must print, in this order. */
  wanted: readonly string[];
}

/** Does all that a page says, and gives its sections. */
export async function follow(steps: readonly Step[], following: ReaderOptions): Promise<readonly Section[]> {
  await using reader = new Reader(following);
  const sections: { title: string; started: number; leftOut: string[] }[] = [];
  for (const step of steps) {
    if (step.type === "section") {
      await reader.finish();
      sections.push({ title: step.title, started: performance.now(), leftOut: [] });
    } else if (step.type === "command" && LEFT_OUT.test(step.line)) sections.at(-1)?.leftOut.push(step.line);
    else await reader.take(step);
  }
  await reader.finish();
  const ends = [...sections.slice(1).map(({ started }) => started), performance.now()];
  return sections.map(({ title, started, leftOut }, index) => {
    return { title, leftOut, seconds: ((ends[index] ?? started) - started) / 1_000 };
  });
}

class Reader implements AsyncDisposable {
  readonly #following: ReaderOptions;
  readonly #terminals: Terminal[] = [];
  #current = 0;
  #output = "";

  constructor(following: ReaderOptions) {
    this.#following = following;
  }

  async take(step: Exclude<Step, { readonly type: "section" }>): Promise<void> {
    switch (step.type) {
      case "terminal":
        this.#current = step.index;
        return;
      case "file":
        await this.finish();
        return this.#write(step.path, step.text);
      case "command":
        return this.#run(step.line);
      case "keys": {
        const terminal = await this.#terminal();
        terminal.isStopped ||= step.isControl;
        terminal.shell.type(step.keys);
        return;
      }
      case "output":
        return this.#expect(step.lines);
    }
  }

  /** Waits for the end of whatever is running. */
  async finish(): Promise<void> {
    for (const terminal of this.#terminals) await this.#end(terminal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { shell } of this.#terminals) await shell[Symbol.asyncDispose]();
  }

  async #run(line: string): Promise<void> {
    const terminal = await this.#terminal();
    await this.#end(terminal);
    terminal.command = line.replace("RUN", RUN_ID.exec(this.#output)?.[0] ?? "RUN");
    terminal.shell.type(`${terminal.command}\n`);
  }

  async #expect(lines: readonly string[]): Promise<void> {
    const terminal = await this.#terminal();
    terminal.wanted = [...terminal.wanted, ...lines];
    const { wanted, command } = terminal;
    await terminal.shell
      .waitFor((output) => hasLines(output, wanted))
      .catch((error: unknown) => {
        throw new Error(`${command ?? ""}: it does not print\n${wanted.join("\n")}`, { cause: error });
      });
  }

  async #end(terminal: Terminal): Promise<void> {
    const { command, isStopped, shell } = terminal;
    if (command === undefined) return;
    const { exitCode, output } = await shell.end();
    if (exitCode !== 0 && !isStopped) throw new Error(`${command}: ended with ${exitCode} and printed:\n${output}`);
    this.#output = output;
    Object.assign(terminal, { command: undefined, isStopped: false, wanted: [] });
  }

  async #terminal(): Promise<Terminal> {
    const there = this.#terminals[this.#current];
    if (there !== undefined) return there;
    const { machine, env } = this.#following;
    const made: Terminal = {
      shell: await openTerminal(machine, env),
      command: undefined,
      isStopped: false,
      wanted: [],
    };
    this.#terminals.push(made);
    return made;
  }

  async #write(path: string, text: string): Promise<void> {
    const { machine, project } = this.#following;
    const file = join(machine.folder, project, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
