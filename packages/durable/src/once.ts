/**
 * Once: a client's request in the hands of who carries it out, so that it leads to one run however often it is sent.
 *
 * What a run writes first for it and the note that it was carried out are one change, which is written only while the
 * claim on the request is held.
 */
import type { RequestRecord } from "@baton/store";
import type { Change, Claim } from "@baton/store/ports";

/** A request that is claimed, and was not carried out before. */
export interface Once {
  readonly claim: Claim;
  readonly request: RequestRecord;
}

/** What the first change of a run adds for the request that it comes from. */
export function toCarriedOut(
  { claim, request }: Once,
  begun: NonNullable<RequestRecord["begun"]>,
): Pick<Change, "also" | "request"> {
  return { also: claim, request: { ...request, begun } };
}
