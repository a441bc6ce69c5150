/**
 * Shell: a shell on a terminal that a program types into and reads, as a person would.
 *
 * What was printed is plain text, without colours and spinners. Waiting fails, with all that was printed, if the command
 * ends without what was waited for, or takes too long.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/** Printed with the exit code of a command when the shell is ready for the next. */
const PROMPT = /<<ready (\d+)>>/;
const SPINNER = /[\u2800-\u28ff]/g;
/** A line is erased from its beginning, to be written again. */
const ERASED = new RegExp(String.raw`[^\n]*(?:\r|\u001b\[1?G)\u001b\[[02]?[JK]`, "g");
const COLUMNS = 110;
const ROWS = 40;
/** The longest wait of the tutorial is for npm. */
const PATIENCE_MS = 300_000;

/** A command that starts a shell with the variables that are its arguments, and with no others. */
export interface ShellOptions {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A command that ended. */
export interface Ended {
  readonly exitCode: number;
  readonly output: string;
}

/** A shell, until it is disposed of. */
export interface Shell extends AsyncDisposable {
  /** Types text as it is; a line ends with a newline. */
  readonly type: (text: string) => void;
  /** Waits until what the command has printed is as wanted. */
  readonly waitFor: (isWanted: (output: string) => boolean) => Promise<void>;
  /** Waits until the command that was typed has ended. */
  readonly end: () => Promise<Ended>;
}

/** Starts a shell and waits until it is ready. */
export async function openShell({ command, env }: ShellOptions): Promise<Shell> {
  const variables = Object.entries({ ...env, PS1: "<<ready $?>>", PS2: "" }).map(
    ([name, value]) => `'${name}=${value}'`,
  );
  const child = spawn("script", ["-qfec", `${command} ${variables.join(" ")}`, "/dev/null"]);
  const ended = once(child, "exit");
  const printed = new Printed();
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.add(String(chunk)));
  child.once("exit", () => printed.add("<<ready 1>>"));
  const shell: Shell = {
    // The key Enter sends a carriage return.
    type: (text) => child.stdin.write(text.replaceAll("\n", "\r")),
    waitFor: (isWanted) => printed.waitFor(isWanted),
    end: () => printed.end(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
  await shell.end();
  shell.type(`stty -echo cols ${COLUMNS} rows ${ROWS}\n`);
  await shell.end();
  return shell;
}

/** The output so far; without an exit code the command is running. */
interface Reading {
  readonly output: string;
  readonly exitCode: number | undefined;
}

/** The output of a command, piece by piece. */
class Printed {
  #raw = "";
  #changed = Promise.withResolvers<undefined>();

  add(text: string): void {
    this.#raw += text;
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }

  async waitFor(isWanted: (output: string) => boolean): Promise<void> {
    await this.#until(({ output, exitCode }) => {
      if (isWanted(output)) return true;
      if (exitCode !== undefined) throw new Error(`the command ended with ${exitCode} and printed:\n${output}`);
      return false;
    });
  }

  async end(): Promise<Ended> {
    await this.#until(({ exitCode }) => exitCode !== undefined);
    const { output, exitCode = 1 } = this.#read();
    this.#raw = "";
    return { output, exitCode };
  }

  async #until(isWanted: (reading: Reading) => boolean): Promise<void> {
    const abort = new AbortController();
    const late = delay(PATIENCE_MS, "late", { signal: abort.signal }).catch(() => "late");
    try {
      while (!isWanted(this.#read())) {
        const what = await Promise.race([this.#changed.promise, late]);
        if (what === "late") throw new Error(`nothing happens any more; printed was:\n${this.#read().output}`);
      }
    } finally {
      abort.abort();
    }
  }

  #read(): Reading {
    const text = stripVTControlCharacters(this.#raw.replaceAll(ERASED, ""))
      .replaceAll("\r", "")
      .replaceAll(SPINNER, "");
    const found = PROMPT.exec(text);
    if (found === null) return { output: text, exitCode: undefined };
    return { output: text.slice(0, found.index), exitCode: Number(found[1]) };
  }
}
