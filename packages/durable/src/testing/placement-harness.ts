/**
 * Placement stage: processes on one database, each with an engine and a placement of its own, that crash, freeze, wake and
 * stop; and the runs that tests of a placement start in them.
 */
import assert from "node:assert/strict";
import { type Crew, defineCrew, defineTool, type Model, type RunEvent, scriptModel } from "@baton/core";
import { type Clock, Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type Database, readAll, Store } from "@baton/store";
import { aroundCalls } from "@baton/store/testing";
import { z } from "zod";
import { DurableEngine } from "../engine/durable-engine.ts";
import type { Placement } from "../placement/placement.ts";
import { ProcessClock } from "./process-clock.ts";

/** The placement of one process, and what may happen to that. */
export interface PlacementLink {
  readonly placement: Placement;
  /** The process is gone: nothing more is heard of it. */
  crash(): void;
  /** The process does nothing until it wakes. */
  freeze(): void;
  wake(): void;
}

/** One database and one way to place work, for any number of processes. */
export interface PlacementLab extends AsyncDisposable {
  readonly clock: Clock;
  /** Time for which a process counts as alive after its last renewal. */
  readonly leaseMs?: number;
  /** Opens the database for one more process. */
  open(): Promise<Database>;
  /** A placement for one more process: one that executes, or one that only accepts runs. */
  link(role: "worker" | "server"): Promise<PlacementLink>;
  /** Lets time pass until the work is done. */
  run<T>(work: Promise<T>): Promise<T>;
}

/** A process of a lab. */
export interface Member {
  readonly engine: DurableEngine;
  readonly name: string;
  /** Of its crews. */
  readonly version: number;
  /** It has crashed or stopped. */
  isOver: boolean;
  /** Its offers do not arrive. */
  losesOffers: boolean;
  crash(): void;
  freeze(): void;
  wake(): void;
  stop(): Promise<void>;
}

/** A call of a tool, as the world outside sees it. */
interface Deed {
  readonly process: string;
  readonly run: string;
  readonly tool: "Note" | "Hold";
}

/** A prompt, and the process that sent it. */
interface Asked {
  readonly process: string;
  readonly run: string;
  readonly system: string;
}

const PATIENCE_MS = 30_000;
const POLL_MS = 10;

/** One crew leaves a note, is held for as long as the test wants, and answers; the other one waits for a message. */
const SCRIPT = new Map([
  ["a", [{ call: [{ tool: "Note" }] }, { call: [{ tool: "Hold" }] }, { say: "Done." }]],
  ["b", [{ say: "What now?" }, { say: "Go. [GO]" }]],
  ["c", [{ say: "Gone." }]],
]);

/** The processes of one test, and what they do to the world. */
export class PlacementHarness implements AsyncDisposable {
  readonly deeds: Deed[] = [];
  readonly asked: Asked[] = [];
  readonly #lab: PlacementLab;
  readonly #members: Member[] = [];
  readonly #released = new Set<string>();
  readonly #scope: Scope;
  #reader: Database | undefined;

  constructor(lab: PlacementLab) {
    this.#lab = lab;
    this.#scope = Scope.root({ clock: lab.clock, name: "harness" });
  }

  /** Starts a process; prompts of its crews name their version. */
  async add(role: "worker" | "server", version = 1): Promise<Member> {
    const name = `${role}-${this.#members.length + 1}`;
    const clock = new ProcessClock(this.#lab.clock);
    const alive = () => clock.alive();
    const link = await this.#lab.link(role);
    const database = aroundCalls(await this.#lab.open(), alive);
    const store = await Store.open({ database, clock, owner: name, ...omitUndefined({ leaseMs: this.#lab.leaseMs }) });
    const crews = this.#crews(name, alive, version);
    const { placement } = link;
    const engine = new DurableEngine({
      store,
      crews,
      model: () => this.#model(name),
      placement: {
        isLocal: placement.isLocal,
        isWatching: placement.isWatching,
        lookMs: placement.lookMs,
        offer: async (work, options) => (member.losesOffers ? undefined : placement.offer(work, options)),
        serve: (begin) => placement.serve(begin),
        stop: () => placement.stop(),
      },
    });
    const member: Member = {
      engine,
      name,
      version,
      isOver: false,
      losesOffers: false,
      crash: () => {
        member.isOver = true;
        clock.kill();
        link.crash();
      },
      freeze: () => {
        clock.freeze();
        link.freeze();
      },
      wake: () => {
        clock.wake();
        link.wake();
      },
      stop: async () => {
        member.isOver = true;
        await engine.stop();
        await store[Symbol.asyncDispose]();
      },
    };
    this.#members.push(member);
    await engine.recover();
    return member;
  }

  async start(
    member: Member | undefined,
    id: string,
    { crew = "holds", session }: { readonly crew?: string; readonly session?: string | undefined } = {},
  ): Promise<void> {
    assert.ok(member);
    const found = this.#crews(member.name, () => Promise.resolve(), member.version).find(({ name }) => name === crew);
    assert.ok(found);
    await member.engine.start(found, { id, input: "go", ...(session !== undefined && { session }) });
  }

  /** Lets held calls end: of a run (`id`), of a run in one process (`id in worker-1`), or of all runs (`*`). */
  release(what: string): void {
    this.#released.add(what);
  }

  /** Waits until a run is held in a worker, not in the one that it was in before; gives the worker's name. */
  async held(id: string, before?: string): Promise<string> {
    const find = () =>
      this.deeds.find(({ run, tool, process }) => run === id && tool === "Hold" && process !== before)?.process;
    await this.until(() => find() !== undefined, `run ${id} is executed`);
    return find() ?? "";
  }

  times(id: string, tool: Deed["tool"]): number {
    return this.deeds.filter((deed) => deed.run === id && deed.tool === tool).length;
  }

  async record(id: string) {
    this.#reader ??= await this.#lab.open();
    return this.#reader.runs.find(id);
  }

  async log(id: string): Promise<readonly RunEvent[]> {
    this.#reader ??= await this.#lab.open();
    return readAll(this.#reader, id);
  }

  /** Waits for the end of a run; gives its log. */
  async ended(id: string): Promise<readonly RunEvent[]> {
    await this.until(async () => (await this.record(id))?.status === "ended", `run ${id} ends`);
    return this.log(id);
  }

  /** Each run of a session ended before the next one began. */
  async checkAlone(ids: readonly string[]): Promise<void> {
    const times = await Promise.all(ids.map((id) => this.log(id)));
    const spans = times.map((events) => ({ from: events[0]?.at ?? 0, to: events.at(-1)?.at ?? 0 }));
    const sorted = spans.toSorted((one, other) => one.from - other.from);
    for (const [index, { from }] of sorted.entries()) assert.ok((sorted[index - 1]?.to ?? 0) <= from);
  }

  async pass(ms: number): Promise<void> {
    await this.#scope.sleep(ms);
  }

  async until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const { clock } = this.#lab;
    const end = clock.monotonic() + PATIENCE_MS;
    while (!(await isSo())) {
      assert.ok(clock.monotonic() < end, `${what}: that did not happen`);
      await this.#scope.sleep(POLL_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release("*");
    for (const member of this.#members) {
      member.wake();
      if (!member.isOver) await this.#lab.run(member.stop());
    }
    await this.#scope[Symbol.asyncDispose]();
  }

  #model(process: string): Model {
    const model = scriptModel(SCRIPT);
    return {
      ...model,
      stream: (prompt, scope) => {
        this.asked.push({ process, run: prompt.run, system: prompt.system });
        return model.stream(prompt, scope);
      },
    };
  }

  #crews(process: string, alive: () => Promise<void>, version: number): readonly Crew[] {
    const does = async (run: string, toolName: Deed["tool"]): Promise<void> => {
      await alive();
      this.deeds.push({ process, run, tool: toolName });
    };
    const input = z.object({});
    const note = defineTool({
      name: "Note",
      description: "Leaves a note.",
      effect: "idempotent",
      input,
      run: async (_, { run }) => does(run, "Note"),
    });
    const hold = defineTool({
      name: "Hold",
      description: "Holds on.",
      effect: "read",
      input,
      timeoutMs: PATIENCE_MS,
      run: async (_, { run, scope }) => {
        await does(run, "Hold");
        const names = ["*", run, `${run} in ${process}`];
        while (!names.some((name) => this.#released.has(name))) await scope.sleep(POLL_MS);
        await alive();
      },
    });
    return [
      defineCrew({
        name: "holds",
        agents: [{ id: "a", systemPrompt: `version ${version}`, tools: ["Note", "Hold"], isTerminal: true }],
        tools: [note, hold],
        permissions: { "*": "allow" },
      }),
      defineCrew({
        name: "waits",
        agents: [{ id: "b" }, { id: "c", isTerminal: true }],
        signals: { b: [{ signal: "[GO]", target: "c" }] },
        behaviors: { b: { waitForSignal: true } },
      }),
    ];
  }
}
