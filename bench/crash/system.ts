/**
 * Systems of the crash table: their adapter, the packages it needs, and a process of theirs that takes commands.
 * Peers are installed by the command, each in a folder of its own; Baton is this checkout.
 */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { z } from "zod";

/** A system and what it is installed from: exact versions. */
export interface System {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** The package whose version the table shows. */
  readonly shown?: string;
  /** Versions of packages below those, if what they ask for cannot be had or does not run on this Node. */
  readonly overrides?: Readonly<Record<string, string>>;
}

const zodVersion = "4.6.7";

export const systems: readonly System[] = [
  { name: "baton", packages: {} },
  {
    name: "langgraph",
    shown: "@langchain/langgraph",
    packages: {
      "@langchain/core": "1.2.13",
      "@langchain/langgraph": "1.4.18",
      "@langchain/langgraph-checkpoint": "1.1.5",
      "@langchain/langgraph-checkpoint-sqlite": "1.0.4",
      zod: zodVersion,
    },
    overrides: { "better-sqlite3": "13.2.0", "@langchain/protocol": "0.0.19", "@langchain/langgraph-sdk": "1.12.0" },
  },
  {
    name: "mastra",
    shown: "@mastra/core",
    packages: { "@mastra/core": "1.71.0", "@mastra/libsql": "1.23.1", zod: zodVersion },
  },
  { name: "openai-agents", shown: "@openai/agents", packages: { "@openai/agents": "0.20.0", zod: zodVersion } },
  { name: "ai-sdk", shown: "ai", packages: { ai: "7.0.173", zod: zodVersion } },
];

const adapters = join(import.meta.dirname, "adapters");
const run = promisify(execFile);

/** Installs a system's packages unless they are there, and returns the path of its adapter. */
export async function install(system: System, peers: string): Promise<string> {
  if (Object.keys(system.packages).length === 0) return join(adapters, `${system.name}.mjs`);
  const folder = join(peers, system.name);
  await mkdir(folder, { recursive: true });
  const manifest = JSON.stringify({
    private: true,
    type: "module",
    dependencies: system.packages,
    overrides: system.overrides ?? {},
  });
  const file = join(folder, "package.json");
  const installed = await readFile(file, "utf8").catch(() => "");
  if (installed !== manifest) {
    await writeFile(file, manifest);
    console.error(`installing ${system.name} …`);
    const options = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--legacy-peer-deps"];
    await run("npm", options, { cwd: folder, timeout: 600_000 });
  }
  for (const name of ["adapter.mjs", `${system.name}.mjs`]) await cp(join(adapters, name), join(folder, name));
  return join(folder, `${system.name}.mjs`);
}

const State = z.object({
  state: z.enum(["ready", "paused", "ended", "doubt", "nothing", "interrupted", "failed"]),
  text: z.string().optional(),
  message: z.string().optional(),
});

/** The state that a process prints after a command; `gone` if it ended instead. */
export type SystemState = z.infer<typeof State> | { readonly state: "gone"; readonly message?: undefined };

/** A process of a system: takes commands, prints states, can be killed. */
export class SystemProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #over: Promise<void>;

  constructor(adapter: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [adapter, ...args], { stdio: ["pipe", "pipe", "ignore"] });
    this.#over = new Promise((resolve) => {
      this.#child.once("close", () => resolve());
    });
    if (this.#child.stdout === null) throw new Error("a process of a system has no output");
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  send(command: string): void {
    this.#child.stdin?.write(`${command}\n`);
  }

  /** Reads the next state; lines that are not a state, such as a system's own messages, are passed over. */
  async state(): Promise<SystemState> {
    for (;;) {
      const line = await this.#lines.next();
      if (line.done === true) return { state: "gone" };
      const parsed = line.value.startsWith("{") ? State.safeParse(JSON.parse(line.value)) : undefined;
      if (parsed?.success === true) return parsed.data;
    }
  }

  readonly kill = (): void => {
    this.#child.kill("SIGKILL");
  };

  async end(): Promise<void> {
    this.kill();
    await this.#over;
  }
}
