/**
 * Disk: how full the file system behind a path is.
 *
 * Asks the kernel for the file system's numbers; no file is opened.
 */
import { statfs } from "node:fs/promises";
import { ToolError } from "@baton/core";
import { toGibibytes, toLevel, toPercent } from "./level.ts";

/** Space of the file system that holds the path; the percentage is of what users may fill, as in `df`. */
export async function measureDisk(path: string) {
  const { blocks, bfree, bavail, bsize, files, ffree } = await statfs(path).catch((error: unknown) => {
    throw new ToolError("validation", `"${path}" cannot be looked at: it does not exist or may not be read`, {
      cause: error,
    });
  });
  const used = blocks - bfree;
  return {
    path,
    total_gib: toGibibytes(blocks * bsize),
    used_gib: toGibibytes(used * bsize),
    free_gib: toGibibytes(bavail * bsize),
    used_percent: toPercent(used, used + bavail),
    files_used_percent: toPercent(files - ffree, files),
  };
}

/** Space of the file system, judged by its fuller resource: bytes or file entries. */
export async function judgeDisk(path: string) {
  const disk = await measureDisk(path);
  const level = toLevel(Math.max(disk.used_percent, disk.files_used_percent), { warning: 80, critical: 92 });
  const advice = {
    ok: "There is enough space.",
    warning: "Space is getting short: find large or old files before it is needed.",
    critical: "The disk is nearly full: free space now, services may stop writing.",
  }[level];
  return { level, advice, ...disk };
}
