/**
 * Mount check: proves inside a sandbox, before the tool's program starts, that each mount shows the place it was made for.
 *
 * A tool that may write a folder can put a link there after Baton has looked at it, and bubblewrap follows links. The
 * kernel says of each mount which place it shows; that is compared to what it has to be.
 */
import { readFileSync } from "node:fs";
import { isInside } from "./folder-entries.ts";

/** A place of the machine that is shown at a place of the sandbox; the first has no links in it. */
export type Mount = Readonly<{ source: string; place: string }>;

/** Exit code of a sandbox whose mounts show something else. */
export const MOVED = 120;
/** The descriptor on which the sandbox reads the mounts that there must be. */
export const MOUNTS_FD = 4;

/** Counts lines that are both in the kernel's list and in Baton's; if all are, says so and becomes the tool's program. */
const SCRIPT = `n=$({ cut -d" " -f4,5 /proc/self/mountinfo | sort -u; cat <&${MOUNTS_FD}; } | sort | uniq -d | grep -c "")
[ "$n" = "$0" ] || exit ${MOVED}
echo >&${MOUNTS_FD}
exec ${MOUNTS_FD}<&-
exec "$@"`;

/** The program that checks, and the list that it reads; the program of the tool follows it. */
export function checkMounts(mounts: readonly Mount[]): Readonly<{ command: readonly string[]; list: string }> {
  const table = readFileSync("/proc/self/mountinfo", "utf8").split("\n").map(toRow).toReversed();
  const lines = new Set(mounts.map(({ source, place }) => `${toRoot(escape(source), table)} ${escape(place)}`));
  return { command: ["/bin/sh", "-c", SCRIPT, `${lines.size}`], list: [...lines, ""].join("\n") };
}

type Row = Readonly<{ root: string; point: string }>;

function toRow(line: string): Row {
  const [, , , root = "", point = ""] = line.split(" ");
  return { root, point };
}

/** The place of a path in its file system: that of the innermost mount it is in, and the way from there. */
function toRoot(path: string, newestFirst: readonly Row[]): string {
  const around = newestFirst.filter(({ point }) => point !== "" && isInside(path, point));
  const [mount] = around.toSorted((one, other) => other.point.length - one.point.length);
  const way = mount === undefined || mount.point === "/" ? path : path.slice(mount.point.length);
  return mount === undefined || mount.root === "/" ? way || "/" : `${mount.root}${way}`;
}

/** A path as the kernel writes it there. */
function escape(path: string): string {
  return path.replaceAll(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
