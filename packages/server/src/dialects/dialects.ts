/**
 * Dialects by their names: the server's own, and those that are mounted.
 */
import { BatonError } from "@baton/core";
import { agui } from "./agui/agui.ts";
import { baton } from "./baton.ts";
import { crew } from "./crew.ts";
import type { AnswerExtras, Dialect } from "./dialect.ts";
import { openai } from "./openai/openai.ts";
import { responses } from "./openai/responses.ts";
import { ui } from "./ui/ui.ts";

/** The server's own wire formats. */
export const DIALECTS: readonly Dialect[] = [baton, crew, openai, responses, ui, agui];

const NAME = /^[a-z0-9_-]{1,64}$/;

/** State of the dialect that was chosen among several of one name. */
interface Chosen {
  readonly dialect: Dialect;
  readonly isOwn: boolean;
  readonly state: unknown;
}

const NO_EXTRAS: AnswerExtras = { sources: [], pictures: [] };

/** Dialects with one name as one: a run uses its crew's dialect, or the first if its crew has none. */
function toOne(same: readonly Dialect[]): Dialect {
  const [first, ...others] = same;
  if (first === undefined) throw new BatonError("internal", "the list of dialects is empty");
  if (others.length === 0) return first;
  const { crew: _, ...shared } = first;
  const chosen: Dialect<Chosen> = {
    ...shared,
    start(context) {
      const own = same.find(({ crew: id }) => id === context.model);
      const dialect = own ?? first;
      return { dialect, isOwn: own !== undefined, state: dialect.start(context) };
    },
    next({ dialect, isOwn, state }, event) {
      const [after, frames] = dialect.next(state, event);
      return [{ dialect, isOwn, state: after }, frames];
    },
    toExtras: ({ dialect, isOwn, state }, language) => (isOwn && dialect.toExtras?.(state, language)) || NO_EXTRAS,
  };
  return chosen;
}

/** All wire formats of a server. */
export class Dialects {
  readonly #byName = new Map(DIALECTS.map((dialect) => [dialect.name, dialect]));

  /** Throws if a name is not valid, or is that of another dialect; crews may have one each under the same name. */
  constructor(mounted: readonly Dialect[] = []) {
    for (const [name, same] of Map.groupBy(new Set(mounted), (dialect) => dialect.name)) {
      if (!NAME.test(name))
        throw new BatonError("invalid", `the dialect "${name}" needs a name of a-z, 0-9, _ and -, at most 64`);
      const areApart = same.length === 1 || new Set(same.map((one) => one.crew ?? "")).size === same.length;
      if (this.#byName.has(name) || !areApart)
        throw new BatonError("invalid", `there are two dialects called "${name}": give the mounted one another name`);
      this.#byName.set(name, toOne(same));
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
