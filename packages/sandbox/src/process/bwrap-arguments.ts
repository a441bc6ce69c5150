/**
 * Bwrap arguments: the whole view of the machine that a call has, as options of bubblewrap.
 *
 * The order matters: what comes later is mounted over what came before. Nothing is here that is not listed.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import type { PathGrant, Sandbox } from "@baton/core/ports";
import { type FolderEntry, isInside } from "./folder-entries.ts";
import { checkMounts, type Mount } from "./mount-check.ts";

/** Everything that a call sees beside the system's own programs; all paths but those of links have no links in them. */
export interface SandboxView {
  /** The crew's folder: the working directory. */
  readonly folder: string;
  readonly entries: readonly FolderEntry[];
  /** Folders and files that are read, at their own places. */
  readonly readable: readonly string[];
  /** Folders that must not show through one of the system's. */
  readonly hidden: readonly string[];
  readonly paths: readonly Pick<PathGrant, "real" | "isWritable">[];
  /** Other names of what is seen, if those on the way are not links themselves. */
  readonly links: readonly (FolderEntry & { readonly link: string })[];
  /** The socket of the proxy. */
  readonly socket?: string;
}

/** The command that starts a program in a sandbox, and what it reads on the descriptor of its mounts. */
export type SandboxCommand = Readonly<{ command: readonly string[]; list: string }>;

/** The uid and gid of every call. */
export const NOBODY = 65_534;
/** Where a call finds the socket of the proxy. */
export const SOCKET = "/run/baton.sock";

const MB = 1_024 * 1_024;
const SYSTEM = "/usr";
const LINKS = ["/bin", "/lib", "/lib64", "/sbin"];
const FILES = ["/etc/ssl/certs", "/etc/alternatives", "/etc/ld.so.cache"];
const ALONE = `--unshare-user --unshare-all --disable-userns --die-with-parent --new-session --hostname baton --uid ${NOBODY} --gid ${NOBODY} --cap-drop ALL`;
/** Address space beyond the memory limit: Node reserves 640 MB before it starts. */
const SPARE_MB = 1_024;
const MAX_FILES = 256;
/** Threads of the bridge, which a tool does not pay for. */
const BRIDGE_PROCESSES = 16;

/** The options of bubblewrap for a call, up to and including the limits; the program and its arguments follow. */
export function toArguments(view: SandboxView, sandbox: Sandbox): SandboxCommand {
  const { folder, entries, readable, hidden, paths, links, socket } = view;
  const { disk_mb = 64 } = sandbox;
  const covered = hidden.filter((path) => isInside(path, SYSTEM));
  const mounts: Mount[] = [];
  const bind = (option: "--bind" | "--ro-bind", source: string, place = source): readonly string[] => {
    mounts.push({ source, place });
    return [option, source, place];
  };
  // Only places that no tool can write may be looked at now: what is a link there is Baton's or the system's own.
  const show = (path: string): readonly string[] => bind("--ro-bind", realpathSync(path), path);
  const options = [
    ...ALONE.split(" "),
    ...show(SYSTEM),
    ...LINKS.filter((path) => existsSync(path)).flatMap((path) => {
      const isLink = lstatSync(path).isSymbolicLink();
      return isLink ? ["--symlink", readlinkSync(path), path] : show(path);
    }),
    ...FILES.filter((path) => existsSync(path)).flatMap(show),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...["/dev/shm", "/tmp"].flatMap((path) => ["--size", `${disk_mb * MB}`, "--tmpfs", path]),
    "--remount-ro",
    "/dev",
    ...covered.flatMap((path) => ["--tmpfs", path]),
    ...readable.filter((path) => !isInside(path, SYSTEM)).flatMap(show),
    "--dir",
    folder,
    ...entries.flatMap(({ path, link }) => (link === undefined ? bind("--ro-bind", path) : ["--symlink", link, path])),
    ...paths.flatMap(({ real, isWritable }) => bind(isWritable ? "--bind" : "--ro-bind", real)),
    ...links.flatMap(({ path, link }) => ["--symlink", link, path]),
    ...(socket === undefined ? [] : bind("--bind", socket, SOCKET)),
    ...["/", ...covered].flatMap((path) => ["--remount-ro", path]),
    "--chdir",
    folder,
    "--",
  ];
  const { command, list } = checkMounts(mounts);
  return { command: [...options, ...command, ...toLimits(sandbox, socket === undefined ? 0 : BRIDGE_PROCESSES)], list };
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
