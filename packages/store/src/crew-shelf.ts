/**
 * Crew shelf: the definitions of crews by their hashes, so that a run goes on with the crew it began with.
 */
import { BatonError, type Crew } from "@baton/core";
import { restoreCrew, toCrewRecord } from "./crew-record.ts";
import type { Database, RunRecord } from "./database.ts";

/** A stored crew with today's tools, and how those differ from the tools it began with. */
export interface Restored {
  readonly crew: Crew;
  readonly changes: readonly string[];
}

/** Restored crews kept in memory: most runs have one of few. */
const MAX_RESTORED = 100;

/** Keeps definitions, and finds them again. */
export class CrewShelf {
  readonly #database: Database;
  readonly #current: (name: string) => Crew | undefined;
  readonly #hashes = new WeakMap<Crew, Promise<string>>();
  readonly #restored = new Map<string, { readonly current: Crew; readonly restored: Restored }>();

  /** `current` gives a crew of today by its name, for the code of its tools. */
  constructor(database: Database, current: (name: string) => Crew | undefined) {
    this.#database = database;
    this.#current = current;
  }

  /** The hash of a crew whose definition is on disk. */
  keep(crew: Crew): Promise<string> {
    const known = this.#hashes.get(crew);
    if (known !== undefined) return known;
    const saving = this.#save(crew);
    this.#hashes.set(crew, saving);
    // What failed is tried again for the next run.
    saving.catch(() => this.#hashes.delete(crew));
    return saving;
  }

  /** The crew a run began with. */
  async restore({ id, crew: name, definition }: RunRecord): Promise<Restored> {
    const current = this.#current(name);
    if (current === undefined)
      throw new BatonError("not_found", `run ${id} is of crew ${name}, which is not here: it can only be cancelled`);
    if ((await this.keep(current)) === definition) return { crew: current, changes: [] };
    const known = this.#restored.get(definition);
    if (known?.current === current) return known.restored;
    const body = await this.#database.definition(definition);
    if (body === undefined) throw new BatonError("damaged", `the crew that run ${id} began with is lost`);
    const restored = restoreCrew(body, current);
    this.#restored.set(definition, { current, restored });
    const [oldest = ""] = this.#restored.size > MAX_RESTORED ? this.#restored.keys() : [];
    this.#restored.delete(oldest);
    return restored;
  }

  async #save(crew: Crew): Promise<string> {
    const { hash, body } = toCrewRecord(crew);
    await this.#database.saveDefinition(hash, body);
    return hash;
  }
}
