/**
 * Position: the place of a step, call or lane in a run, as text.
 *
 * A turn is `3`, its first step `3.1`, that step's second call `3.1.2`. A group's member has the lane `4/quiz/student`, an
 * item of a map `2/checks/17`, a sub-crew `2/alpha`, an agent or crew that is called as a tool `1.1.2/researcher`. Each
 * may be inside another; a lane's positions begin with it.
 */

/** As much of a crew as is needed to find the crew of a lane. */
interface Nested {
  readonly groups: ReadonlyMap<string, { readonly map?: string }>;
  readonly subCrews: ReadonlyMap<string, Nested>;
}

/** Whether a lane is neither the run's own line nor that of crews to which the baton went. */
export function isMember(lane: string): boolean {
  if (lane === "") return false;
  const parts = lane.split("/");
  return parts.length % 2 === 1 || parts.some((part, at) => at % 2 === 0 && !isTurn(part));
}

/** Whether a lane is that of a call, or in it; no id has a dot. */
export function isOfCall(lane: string): boolean {
  return lane.includes(".");
}

const isTurn = (part: string): boolean => /^\d+$/.test(part);

/** The names of the crews that a lane is in, outermost first, as a prefix: `alpha/`, or nothing. */
export function toCrewPath(lane: string, crew?: Nested): string {
  const parts = lane.split("/");
  let path = "";
  let inside = crew;
  for (let at = 1; at < parts.length;) {
    const name = parts[at] ?? "";
    const group = inside?.groups.get(name);
    const isGroup = inside === undefined ? isGroupAt(parts, at) : group !== undefined;
    const entered = isGroup ? (group?.map ?? "") : name;
    const isCrew = inside === undefined ? !isGroup && isTurn(parts[at - 1] ?? "") : inside.subCrews.has(entered);
    if (isCrew) path += `${entered}/`;
    if (isCrew) inside = inside?.subCrews.get(entered);
    at += isGroup ? 3 : 2;
  }
  return path;
}

/** Whether a name is followed by a member or an item, and not by a turn of its own. */
function isGroupAt(parts: readonly string[], at: number): boolean {
  if (!isTurn(parts[at - 1] ?? "") || at + 1 >= parts.length) return false;
  const [next = "", after] = parts.slice(at + 1);
  return !/^[\d.]+$/.test(next) || (isTurn(next) && (after === undefined || /^[\d.]+$/.test(after)));
}

/** The position of a lane's turn. */
export function toTurn(lane: string, count: number): string {
  return lane === "" ? `${count}` : `${lane}/${count}`;
}
