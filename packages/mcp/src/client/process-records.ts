/**
 * Process records: the processes of servers that this Baton has started, in its data folder.
 *
 * A Baton that was killed cannot end them; the next one does, if the process that started them is gone. A process is
 * known by its id and the time of its start, so that another one with the same id is left alone.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "@baton/core/util";
import { isObject } from "./json-rpc.ts";
import { killGroup } from "./process-group.ts";

/** The records of one data folder. */
export class ProcessRecords {
  readonly #folder: string;
  readonly #own = startOf(process.pid) ?? "";

  constructor(data: string) {
    this.#folder = join(data, "mcp-processes");
  }

  /** Records a process that was started. It is written at once: the next moment may be the last. */
  add(pid: number): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const record = { pid, start: startOf(pid) ?? "", owner: { pid: process.pid, start: this.#own } };
    writeFileSync(this.#pathOf(pid), JSON.stringify(record), { mode: 0o600 });
  }

  /** Forgets a process that has ended. */
  remove(pid: number): void {
    rmSync(this.#pathOf(pid), { force: true });
  }

  /** Ends every process whose Baton is gone; returns how many there were. */
  endLeftBehind(): number {
    let count = 0;
    for (const name of listFiles(this.#folder)) {
      const record = readRecord(join(this.#folder, name));
      if (record !== undefined && startOf(record.owner.pid) === record.owner.start) continue;
      if (record !== undefined && startOf(record.pid) === record.start) {
        killGroup(record.pid, "SIGKILL");
        count++;
      }
      rmSync(join(this.#folder, name), { force: true });
    }
    return count;
  }

  #pathOf(pid: number): string {
    return join(this.#folder, `${pid}.json`);
  }
}

type StartedProcess = Readonly<{ pid: number; start: string }>;

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readRecord(path: string): (StartedProcess & Readonly<{ owner: StartedProcess }>) | undefined {
  try {
    const record = parseJson(readFileSync(path, "utf8"));
    const owner = isObject(record) ? toStarted(record["owner"]) : undefined;
    const own = toStarted(record);
    return own === undefined || owner === undefined ? undefined : { ...own, owner };
  } catch {
    return undefined;
  }
}

function toStarted(value: unknown): StartedProcess | undefined {
  if (!isObject(value)) return undefined;
  const { pid, start } = value;
  return typeof pid === "number" && pid > 1 && typeof start === "string" ? { pid, start } : undefined;
}

/** When a process was started, as the system tells it; undefined if there is none. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
