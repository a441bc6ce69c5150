/**
 * The world outside an agent system: its model and its tools, as one HTTP server in the process of the harness.
 * So what was done is counted where no crash can lose it, and a process can be killed at an exact moment of a request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Moments of a request: it has come, its work is done but not answered, it has been answered. */
export const moments = ["arrived", "done", "answered"] as const;

/** A moment of the n-th request of a run, counted from 1. */
export interface KillPoint {
  readonly request: number;
  readonly moment: (typeof moments)[number];
}

/** A request of the system: the step that the model was asked for, or the tool that was called. */
interface Work {
  readonly key: string;
  isDone: boolean;
  isAnswered: boolean;
}

/** The run that every system plays: which tool the model calls next, by the results that it has seen. */
const plan = ["lookupOrder", "refund", "sendMail"];

/** Requests of a run that nothing disturbs: four of the model, three of tools. */
export const requestsOfRun = plan.length * 2 + 1;

const answeredGraceMs = 25;

const readBody = async (request: IncomingMessage): Promise<{ readonly results?: readonly string[] }> => {
  let text = "";
  for await (const part of request) text += String(part);
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null || !("results" in parsed)) return {};
  return Array.isArray(parsed.results) ? { results: parsed.results.map(String) } : {};
};

const reply = (results: readonly string[]) => {
  const next = plan.find((tool) => !results.includes(tool));
  return next === undefined ? { text: "The 40 dollars are on their way." } : { call: next, args: { order: "A7" } };
};

/** Serves the model and the tools of one trial, counts what was done, and calls `kill` once at its point. */
export class World implements AsyncDisposable {
  readonly #works: Work[] = [];
  readonly #server: Server;
  readonly #point: KillPoint | undefined;
  readonly #kill: () => void;

  constructor(point: KillPoint | undefined, kill: () => void) {
    this.#point = point;
    this.#kill = kill;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the world has no port");
    return `http://127.0.0.1:${address.port}`;
  }

  /** Counts how often a tool has really done its work. */
  done(tool: string): number {
    return this.#works.filter((work) => work.key === `tool ${tool}` && work.isDone).length;
  }

  /** Counts requests for something that had been answered before. */
  repeated(): number {
    const isRepeated = ({ key }: Work, at: number) =>
      this.#works.slice(0, at).some((earlier) => earlier.key === key && earlier.isAnswered);
    return this.#works.filter(isRepeated).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { results = [] } = await readBody(request);
    const tool = request.url?.startsWith("/tool/") === true ? request.url.slice("/tool/".length) : undefined;
    const work: Work = {
      key: tool === undefined ? `model ${results.join(",")}` : `tool ${tool}`,
      isDone: false,
      isAnswered: false,
    };
    const number = this.#works.push(work);
    if (this.#dies(number, "arrived")) return;
    work.isDone = true;
    if (this.#dies(number, "done")) return;
    const body = tool === undefined ? reply(results) : { done: tool, order: "A7", dollars: 40 };
    response.end(JSON.stringify(body));
    work.isAnswered = true;
    if (this.#point?.request !== number || this.#point.moment !== "answered") return;
    await sleep(answeredGraceMs);
    this.#kill();
  }

  #dies(number: number, moment: KillPoint["moment"]): boolean {
    if (this.#point?.request !== number || this.#point.moment !== moment) return false;
    this.#kill();
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
