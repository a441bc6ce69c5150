/**
 * Code effects: the calls that must not be repeated without a word, and those that failed code must tell of.
 */
import type { Tool } from "../../definitions/tool.ts";
import type { CallResult } from "../../words/dialogue.ts";
import { type DoneCall, findRepeated } from "./code-tool.ts";

/** The calls of one code that succeeded and had an effect. */
export class CodeEffects {
  /** In the order in which the code was handed their results. */
  readonly list: DoneCall[] = [];
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Irreversible calls of this turn that the code knows to have succeeded. */
  readonly #done: DoneCall[];

  /** `earlier` are the irreversible calls of the turn before this code. */
  constructor(tools: ReadonlyMap<string, Tool>, earlier: readonly DoneCall[]) {
    this.#tools = tools;
    this.#done = [...earlier];
  }

  /** Keeps a call that succeeded. */
  keep({ request, edited, error }: CallResult): void {
    const { id: call, tool, args } = request;
    const effect = this.#tools.get(tool)?.effect;
    if (error !== undefined || effect === "read") return;
    const done = { call, tool, args: edited ?? args };
    this.list.push(done);
    if (effect === "irreversible") this.#done.push(done);
  }

  /** The irreversible call that this one repeats. */
  findRepeated(call: Omit<DoneCall, "call">): string | undefined {
    return findRepeated(this.#done, call);
  }
}
