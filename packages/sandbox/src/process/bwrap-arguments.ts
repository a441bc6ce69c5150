/**
 * Bwrap arguments: the whole view of the machine that a call has, as options of bubblewrap.
 *
 * The order matters: what comes later is mounted over what came before. Nothing is here that is not listed.
 */
import { lstatSync, readlinkSync } from "node:fs";
import type { PathGrant, Sandbox } from "@baton/core/ports";
import { type FolderEntry, isInside } from "./folder-entries.ts";

/** Everything that a call sees beside the system's own programs. */
export interface SandboxView {
  /** The crew's folder: the working directory. */
  readonly folder: string;
  readonly entries: readonly FolderEntry[];
  /** Folders and files that are read, at their own places. */
  readonly readable: readonly string[];
  /** Folders that must not show through one of the system's. */
  readonly hidden: readonly string[];
  readonly paths: readonly PathGrant[];
  /** The socket of the proxy. */
  readonly socket?: string;
}

/** The uid and gid of every call. */
export const NOBODY = 65_534;
/** Where a call finds the socket of the proxy. */
export const SOCKET = "/run/baton.sock";

const MB = 1_024 * 1_024;
const SYSTEM = "/usr";
const LINKS = ["/bin", "/lib", "/lib64", "/sbin"];
const FILES = ["/etc/ssl/certs", "/etc/alternatives", "/etc/ld.so.cache"];
const ALONE =
  "--unshare-user --unshare-all --disable-userns --die-with-parent --new-session --hostname baton --cap-drop ALL";
/** Address space beyond the memory limit: Node reserves 640 MB before it starts. */
const SPARE_MB = 1_024;
const MAX_FILES = 256;

/** The options of bubblewrap for a call, up to and including the limits; the program and its arguments follow. */
export function toArguments(view: SandboxView, sandbox: Sandbox): readonly string[] {
  const { folder, entries, readable, hidden, paths, socket } = view;
  const { disk_mb = 64 } = sandbox;
  const covered = hidden.filter((path) => isInside(path, SYSTEM));
  return [
    ...ALONE.split(" "),
    "--uid",
    `${NOBODY}`,
    "--gid",
    `${NOBODY}`,
    "--ro-bind",
    SYSTEM,
    SYSTEM,
    ...LINKS.flatMap(linkSystem),
    ...FILES.flatMap((path) => ["--ro-bind-try", path, path]),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...["/dev/shm", "/tmp"].flatMap((path) => ["--size", `${disk_mb * MB}`, "--tmpfs", path]),
    "--remount-ro",
    "/dev",
    ...covered.flatMap((path) => ["--tmpfs", path]),
    ...readable.filter((path) => !isInside(path, SYSTEM)).flatMap((path) => ["--ro-bind", path, path]),
    "--dir",
    folder,
    ...entries.flatMap(({ path, link }) =>
      link === undefined ? ["--ro-bind", path, path] : ["--symlink", link, path],
    ),
    ...paths.flatMap(({ path, real, isWritable }) => [isWritable ? "--bind" : "--ro-bind", real, path]),
    ...(socket === undefined ? [] : ["--bind", socket, SOCKET]),
    ...["/", ...covered].flatMap((path) => ["--remount-ro", path]),
    "--chdir",
    folder,
    "--",
    ...toLimits(sandbox, socket === undefined ? 0 : BRIDGE_PROCESSES),
  ];
}

function linkSystem(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** Set inside: processes are counted in the sandbox's own user namespace. */
function toLimits(sandbox: Sandbox, ownProcesses: number): readonly string[] {
  const { memory_mb = 256, cpu_seconds = 10, max_processes = 64, disk_mb = 64 } = sandbox;
  const seconds = Math.ceil(cpu_seconds);
  return [
    "prlimit",
    `--nproc=${max_processes + ownProcesses}`,
    // The soft limit sends a signal that says why; the hard one ends a process that ignores it.
    `--cpu=${seconds}:${seconds + 1}`,
    `--fsize=${disk_mb * MB}`,
    `--nofile=${MAX_FILES}`,
    "--core=0",
    `--data=${(memory_mb + SPARE_MB) * MB}`,
    "--",
  ];
}

/** Threads of the bridge, which a tool does not pay for. */
const BRIDGE_PROCESSES = 16;
