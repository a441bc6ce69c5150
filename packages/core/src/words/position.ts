/**
 * Position: the place of a step, call or lane in a run, as text.
 *
 * A turn is `3`, its first step `3.1`, that step's second call `3.1.2`. A group's member has the lane `4/quiz/student`, a
 * sub-crew the lane `2/alpha`, and both may be inside another sub-crew; a lane's positions begin with it.
 */

const MEMBER_PARTS = 3;

/** Whether a lane is that of a group's member; the run's own line and sub-crews are not. */
export function isMember(lane: string): boolean {
  return lane !== "" && lane.split("/").length % 2 === 1;
}

/** The names of the sub-crews that a lane is in, outermost first, as a prefix: `alpha/`, or nothing. */
export function toCrewPath(lane: string): string {
  if (lane === "") return "";
  const parts = lane.split("/");
  const own = parts.length % 2 === 1 ? parts.slice(0, -MEMBER_PARTS) : parts;
  return own.map((name, at) => (at % 2 === 1 ? `${name}/` : "")).join("");
}

/** The position of a lane's turn. */
export function toTurn(lane: string, count: number): string {
  return lane === "" ? `${count}` : `${lane}/${count}`;
}
