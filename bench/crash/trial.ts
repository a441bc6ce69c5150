/**
 * A trial: one run of a system with one fault, from its start to its end, in data of its own.
 * The harness does what people do: it approves, it asks again if nothing is left of the run, and it says what it knows
 * of a call in doubt.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SystemProcess, type SystemState } from "./system.ts";
import { World, type KillPoint } from "./world.ts";

/** A fault: a kill at a point or at the pause, two approvals of one question, or a new version during the pause. */
export type Fault =
  | { readonly kind: "kill"; readonly at: KillPoint | "paused" }
  | { readonly kind: "approved twice"; readonly by: "one process" | "two processes" }
  | { readonly kind: "deploy" };

/** What became of a run. */
export interface Trial {
  readonly fault: string;
  readonly ended: boolean;
  /** Whether nothing was left of the run, so that the user had to ask again. */
  readonly askedAgain: boolean;
  /** Whether a person was asked if a call in doubt had been carried out. */
  readonly inDoubt: boolean;
  readonly refunds: number;
  /** Finished calls of models and tools that were made again. */
  readonly repeated: number;
  /** From the start of the second process to the end of the run. */
  readonly seconds: number;
  readonly message: string;
}

const limitMs = 30_000;

const nameOf = (fault: Fault): string => {
  if (fault.kind === "deploy") return "deploy during the pause";
  if (fault.kind === "approved twice") return `approved twice by ${fault.by}`;
  return fault.at === "paused" ? "kill at the pause" : `kill at request ${fault.at.request}, ${fault.at.moment}`;
};

/** Plays one run with a fault. */
export async function playTrial(adapter: string, fault: Fault): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), "baton-crash-"));
  const player = new Player(adapter, folder, fault);
  try {
    return await player.play();
  } finally {
    await player.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Plays the part of the people and the operator of a system. */
class Player {
  readonly #adapter: string;
  readonly #folder: string;
  readonly #fault: Fault;
  readonly #world: World;
  readonly #processes: SystemProcess[] = [];
  #address = "";
  #askedAgain = false;
  #inDoubt = false;
  #restartedAt = 0;

  constructor(adapter: string, folder: string, fault: Fault) {
    this.#adapter = adapter;
    this.#folder = folder;
    this.#fault = fault;
    const point = fault.kind === "kill" && fault.at !== "paused" ? fault.at : undefined;
    this.#world = new World(point, () => this.#processes.at(-1)?.kill());
  }

  async play(): Promise<Trial> {
    this.#address = await this.#world.listen();
    const last = await Promise.race([this.#steps(), sleep(limitMs, undefined, { ref: false })]);
    return {
      fault: nameOf(this.#fault),
      ended: last?.state === "ended",
      askedAgain: this.#askedAgain,
      inDoubt: this.#inDoubt,
      refunds: this.#world.done("refund"),
      repeated: this.#world.repeated(),
      seconds: this.#restartedAt === 0 ? 0 : (performance.now() - this.#restartedAt) / 1_000,
      message: last === undefined ? "no end within 30 s" : (last.message ?? last.state),
    };
  }

  async stop(): Promise<void> {
    for (const process of this.#processes) await process.end();
    await this.#world[Symbol.asyncDispose]();
  }

  async #steps(): Promise<SystemState> {
    let process = await this.#begin("1");
    let state = await this.#ask(process, "start");
    for (;;) {
      if (state.state === "gone" && this.#restartedAt === 0) {
        process = await this.#restart("1");
        state = await this.#ask(process, "recover");
      } else if (state.state === "nothing") {
        this.#askedAgain = true;
        state = await this.#ask(process, "start");
      } else if (state.state === "doubt") {
        this.#inDoubt = true;
        state = await this.#ask(process, `doubt ${this.#world.done("refund") > 0 ? "skip" : "again"}`);
      } else if (state.state === "paused") {
        [process, state] = await this.#approve(process);
      } else {
        return state;
      }
    }
  }

  async #approve(process: SystemProcess): Promise<readonly [SystemProcess, SystemState]> {
    const fault = this.#fault;
    if (fault.kind === "approved twice") return [process, await this.#approveTwice(process, fault.by)];
    const isReplaced = fault.kind === "deploy" || (fault.kind === "kill" && fault.at === "paused");
    if (!isReplaced || this.#restartedAt > 0) return [process, await this.#ask(process, "approve")];
    process.kill();
    const next = await this.#restart(fault.kind === "deploy" ? "2" : "1");
    return [next, await this.#ask(next, "recover")];
  }

  async #approveTwice(process: SystemProcess, by: "one process" | "two processes"): Promise<SystemState> {
    const second = by === "one process" ? process : await this.#begin("1");
    process.send("approve");
    second.send("approve");
    const states = [await process.state(), await second.state()];
    return states.find(({ state }) => state === "ended") ?? states[0] ?? { state: "gone" };
  }

  async #begin(version: string): Promise<SystemProcess> {
    const process = new SystemProcess(this.#adapter, [this.#folder, this.#address, version]);
    this.#processes.push(process);
    await process.state();
    return process;
  }

  async #restart(version: string): Promise<SystemProcess> {
    this.#restartedAt = performance.now();
    return this.#begin(version);
  }

  async #ask(process: SystemProcess, command: string): Promise<SystemState> {
    process.send(command);
    return process.state();
  }
}
