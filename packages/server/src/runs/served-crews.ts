/**
 * Served crews: the crews of a server by their names in routes, and the crew that a stored run began with.
 */
import { BatonError, type Crew } from "@baton/core";
import { toProgramName } from "@baton/core/engine";
import { crewOf } from "@baton/durable";
import type { Database, RunRecord } from "@baton/store";
import { notFound } from "../gateway/problem.ts";
import type { ServedCrew } from "../options.ts";

/** Definitions of crews that are not served any more, kept in memory. */
const MAX_PAST = 100;

/** All crews of a server. */
export class ServedCrews {
  #list: CrewIndex;
  readonly #past = new Map<string, Crew>();

  /** Throws if there is no crew, or two have the same id or name. */
  constructor(crews: readonly ServedCrew[]) {
    this.#list = toIndex(crews);
  }

  get all(): readonly ServedCrew[] {
    return this.#list.all;
  }

  get first(): ServedCrew {
    return this.#list.first;
  }

  /** Serves these from now on; throws, and serves what it did, if they cannot be served. */
  replace(crews: readonly ServedCrew[]): void {
    this.#list = toIndex(crews);
  }

  /** The crew of that id or name; an id wins over a name. */
  find(id: string): ServedCrew | undefined {
    return this.#list.byId.get(id) ?? this.#list.byName.get(id);
  }

  /** The crew of that id or name, or the first one; throws a `Problem` for the field if there is none. */
  get(id: string | undefined, field?: string): ServedCrew {
    if (id === undefined) return this.first;
    const served = this.find(id);
    if (served !== undefined) return served;
    const [what, path] = field === "model" ? ["model", "/v1/models"] : ["crew", "/api/crews"];
    throw notFound(`${what} ${id}`, { field, next: `GET ${path} has all ${what}s.` });
  }

  /** The models that the crews name; a program is not one. */
  get models(): readonly string[] {
    const names = this.all.flatMap(({ crew }) => toModelNames(crew));
    return [...new Set(names.filter((name) => toProgramName(name) === undefined))];
  }

  /** Returns the id of a run's crew in routes; its name if it is no longer served. */
  idOf({ crew }: Pick<RunRecord, "crew">): string {
    return this.#list.byName.get(crew)?.id ?? crew;
  }

  /** The name in the store of a crew with this id; the id itself if it is not served. */
  nameOf(id: string): string {
    return this.#list.byId.get(id)?.crew.name ?? id;
  }

  /** The crew a run began with: its streams must not change with today's. */
  async restore(database: Database, record: RunRecord): Promise<Crew> {
    const current = this.#list.byName.get(record.crew)?.crew;
    const known = this.#past.get(record.definition);
    if (known !== undefined) return known;
    const { crew } = await crewOf(database, record, current);
    this.#past.set(record.definition, crew);
    const [oldest = ""] = this.#past.size > MAX_PAST ? this.#past.keys() : [];
    if (oldest !== "") this.#past.delete(oldest);
    return crew;
  }
}

/** Crews by their names. */
interface CrewIndex {
  readonly all: readonly ServedCrew[];
  readonly first: ServedCrew;
  readonly byId: ReadonlyMap<string, ServedCrew>;
  readonly byName: ReadonlyMap<string, ServedCrew>;
}

function toIndex(all: readonly ServedCrew[]): CrewIndex {
  const [first] = all;
  if (first === undefined) throw new BatonError("invalid", "the server needs at least one crew");
  const byId = new Map(all.map((served) => [served.id, served]));
  const byName = new Map(all.map((served) => [served.crew.name, served]));
  if (byId.size === all.length && byName.size === all.length) return { all, first, byId, byName };
  throw new BatonError("invalid", "two crews have the same id or name: give each its own");
}

/** The models that a crew and its sub-crews name. */
function toModelNames({ model, agents, subCrews }: Crew): readonly string[] {
  const refs = [model, ...Array.from(agents.values(), (agent) => [agent.model, agent.backup]).flat()];
  const own = refs.flatMap((ref) => (ref === undefined ? [] : [ref.name]));
  return [...own, ...Array.from(subCrews.values(), toModelNames).flat()];
}
