/**
 * Use crew catalog: the crews that are served, each with its drawing once it was needed.
 */
import type { CrewDetail, CrewInfo } from "@baton/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { useRequest } from "../loading/use-request.ts";

/** The crews. */
export interface CrewCatalog {
  /** Undefined while they are loaded. */
  readonly crews: readonly CrewInfo[] | undefined;
  readonly details: ReadonlyMap<string, CrewDetail>;
  /** Crews that are not served any more. */
  readonly missing: ReadonlySet<string>;
  /** Loads a crew, unless it is there. */
  readonly want: (crew: string) => void;
}

/** Loads crews. */
export function useCrewCatalog(): CrewCatalog {
  const { client, me } = useApp();
  const crews = useRequest(`crews ${me?.user ?? ""}`, () => client.crews());
  const [details, setDetails] = useState<ReadonlyMap<string, CrewDetail>>(new Map());
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const asked = useRef(new Set<string>());
  const want = useCallback(
    (crew: string) => {
      if (asked.current.has(crew)) return;
      asked.current.add(crew);
      client.crew(crew).then(
        (detail) => setDetails((now) => new Map(now).set(crew, detail)),
        () => {
          asked.current.delete(crew);
          setMissing((now) => new Set(now).add(crew));
        },
      );
    },
    [client],
  );
  return { crews: crews.state === "ready" ? crews.value : undefined, details, missing, want };
}

/** Loads the crews that have something to try. */
export function useAllCrews({ crews, want }: CrewCatalog): void {
  useEffect(() => {
    for (const { id, examples } of crews ?? []) if (examples.length > 0) want(id);
  }, [crews]);
}

/** The crew that a message goes to: that of the conversation, the chosen one, or the first assistant. */
export function useAskedCrew(
  { crews, want }: CrewCatalog,
  { chosen, last }: Readonly<{ chosen: string | undefined; last?: string | undefined }>,
): string | undefined {
  const first = crews?.find(({ kind }) => kind === "assistant") ?? crews?.[0];
  const known = crews?.some(({ id }) => id === chosen) === true ? chosen : undefined;
  const asked = last ?? known ?? first?.id;
  useEffect(() => {
    if (asked !== undefined) want(asked);
  }, [asked]);
  return asked;
}
