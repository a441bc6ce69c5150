/**
 * Crew definitions: stored by content hash, so that a run continues with the definition that it started with.
 */
import { BatonError, type Crew } from "@baton/core";
import { type RestoredCrew, restoreCrew, toCrewRecord } from "./crew-record.ts";
import type { Database, RunRecord } from "@baton/store";

/** The crews of today that a run may be of; those with other tools than it began with, too. */
export type FindCrews = (record: Pick<RunRecord, "afterOf" | "crew">) => readonly Crew[];

/** Restored crews kept in memory: most runs have one of few. */
const MAX_RESTORED = 100;

/** Stores crew definitions and restores crews from them. */
export class CrewDefinitions {
  readonly #database: Database;
  readonly #find: FindCrews;
  readonly #hashes = new WeakMap<Crew, Promise<string>>();
  readonly #restored = new Map<string, { readonly current: Crew; readonly restored: RestoredCrew }>();

  /** `find` gives crews of today, for the code of their tools and programs. */
  constructor(database: Database, find: FindCrews) {
    this.#database = database;
    this.#find = find;
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
  async restore(record: RunRecord): Promise<RestoredCrew> {
    const { id, crew: name, definition } = record;
    const crews = this.#find(record);
    const [current] = crews;
    if (current === undefined)
      throw new BatonError("not_found", `run ${id} is of crew ${name}, which is not here: it can only be cancelled`);
    for (const crew of crews) if ((await this.keep(crew)) === definition) return { crew, changes: [] };
    const known = this.#restored.get(definition);
    if (known?.current === current) return known.restored;
    const restored = await restoreStored(this.#database, record, current);
    this.#restored.set(definition, { current, restored });
    const [oldest = ""] = this.#restored.size > MAX_RESTORED ? this.#restored.keys() : [];
    this.#restored.delete(oldest);
    return restored;
  }

  /** The crew a run began with; undefined if it is not here. */
  find(record: RunRecord): Promise<Crew | undefined> {
    return this.restore(record).then(
      ({ crew }) => crew,
      () => undefined,
    );
  }

  async #save(crew: Crew): Promise<string> {
    const { hash, body } = toCrewRecord(crew);
    await this.#database.definitions.save(hash, body);
    return hash;
  }
}

/** The crew a run began with, with the tools of today's; without that, its tools can only fail. */
export async function crewOf(database: Database, record: RunRecord, current?: Crew): Promise<RestoredCrew> {
  if (current !== undefined) return new CrewDefinitions(database, () => [current]).restore(record);
  return restoreStored(database, record);
}

async function restoreStored(database: Database, { id, definition }: RunRecord, current?: Crew): Promise<RestoredCrew> {
  const body = await database.definitions.find(definition);
  if (body === undefined) throw new BatonError("damaged", `the crew that run ${id} began with is lost`);
  return restoreCrew(body, current);
}
