/**
 * Sandbox: what a tool at a level with a boundary is granted, and the limits of its calls. Names are those of crew.yaml.
 */

/** Levels that are a security boundary. */
export const LEVELS = ["wasm", "process", "container"] as const;

/** A level that is a security boundary. */
export type LevelName = (typeof LEVELS)[number];

/** Grants and limits of one tool; without a grant it has no files, network and variables. */
export interface Sandbox {
  /** Paths, from the crew's folder or absolute. */
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** `name[:port]` (443), `*.name[:port]`, or address:port. */
  readonly hosts?: readonly string[];
  /** Names of variables: the only way a secret reaches a tool. */
  readonly env?: readonly string[];
  /** Memory of all its processes. */
  readonly memory_mb?: number;
  readonly cpu_seconds?: number;
  /** Processes and threads at once. */
  readonly max_processes?: number;
  /** `/tmp`, and one file. */
  readonly disk_mb?: number;
  readonly output_kb?: number;
}

/** The grants, which a tool at the level `wasm` cannot have. */
export const GRANTS = ["read", "write", "hosts", "env"] as const satisfies readonly (keyof Sandbox)[];

const OF_INTERPRETER: Sandbox = { memory_mb: 32, cpu_seconds: 5, output_kb: 1_024 };
const OF_PROCESSES: Sandbox = { memory_mb: 256, cpu_seconds: 10, max_processes: 64, disk_mb: 64, output_kb: 1_024 };

/** The limits that a level has, with their defaults. */
export function limitsOf(level: LevelName): Sandbox {
  return level === "wasm" ? OF_INTERPRETER : OF_PROCESSES;
}

/** Whether an isolation is a security boundary. */
export function isLevel(isolation: string | undefined): isolation is LevelName {
  return LEVELS.some((level) => level === isolation);
}
