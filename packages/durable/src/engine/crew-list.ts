/**
 * Crew list: the crews of today by name, for starts and recovery.
 *
 * A crew that runs after another one need not be served: it is found by the runs that follow others, and a served crew
 * may have the same name.
 */
import type { Crew } from "@baton/core";
import type { RunRecord } from "@baton/store";

/** Follow-up crews of one name that are kept: each start may bring its own. */
const MAX_ALIKE = 16;

/** Crews by name. */
export class CrewList {
  readonly #served = new Map<string, Crew>();
  readonly #after = new Map<string, readonly Crew[]>();

  constructor(crews: readonly Crew[]) {
    this.replace(crews);
  }

  /** These are the crews of today from now on. */
  replace(crews: readonly Crew[]): void {
    this.#served.clear();
    for (const crew of crews) this.#served.set(crew.name, crew);
    for (const crew of crews) this.addAfter(crew);
  }

  /** Makes known what runs after runs of a crew. */
  addAfter({ after }: Crew): void {
    if (after === undefined) return;
    const known = this.#after.get(after.name) ?? [];
    if (!known.includes(after)) this.#after.set(after.name, [...known, after].slice(-MAX_ALIKE));
  }

  /** The crews that a run may be of. */
  find({ crew, afterOf }: Pick<RunRecord, "afterOf" | "crew">): readonly Crew[] {
    const after = afterOf === undefined ? undefined : this.#after.get(crew);
    if (after !== undefined) return after;
    const served = this.#served.get(crew);
    return served === undefined ? [] : [served];
  }

  /** Whether the crew of a run is here. */
  has(record: Pick<RunRecord, "afterOf" | "crew">): boolean {
    return this.find(record).length > 0;
  }
}
