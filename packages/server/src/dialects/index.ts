/**
 * Dialects by their names: the server's own, and those that are mounted.
 */
import { BatonError } from "@baton/core";
import { agui } from "./agui.ts";
import { baton } from "./baton.ts";
import { crew } from "./crew.ts";
import type { Dialect } from "./dialect.ts";
import { openai } from "./openai.ts";
import { responses } from "./responses.ts";
import { ui } from "./ui.ts";

/** The server's own wire formats. */
export const DIALECTS: readonly Dialect[] = [baton, crew, openai, responses, ui, agui];

const NAME = /^[a-z0-9_-]{1,64}$/;

/** All wire formats of a server. */
export class Dialects {
  readonly #byName = new Map(DIALECTS.map((dialect) => [dialect.name, dialect]));

  /** Throws if a name is not valid, or is that of another dialect. */
  constructor(mounted: readonly Dialect[] = []) {
    for (const dialect of mounted) {
      const { name } = dialect;
      if (!NAME.test(name))
        throw new BatonError("invalid", `the dialect "${name}" needs a name of a-z, 0-9, _ and -, at most 64`);
      const known = this.#byName.get(name);
      if (known !== undefined && known !== dialect)
        throw new BatonError("invalid", `there are two dialects called "${name}": give the mounted one another name`);
      this.#byName.set(name, dialect);
    }
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** The dialect of a name; throws if there is none. */
  get(name: string): Dialect {
    const dialect = this.#byName.get(name);
    if (dialect !== undefined) return dialect;
    throw new BatonError("internal", `there is no dialect "${name}": the server has ${this.names.join(", ")}`);
  }
}
