/**
 * Tree watch: memory and CPU of a process and all that it started, as the kernel shows them in /proc.
 */
import { readdir, readFile, readlink, stat } from "node:fs/promises";

/** Use of a tree of processes. */
export interface TreeUse {
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

const TICKS_PER_SECOND = 100;
const BLOCK_BYTES = 512;
/** Fields of /proc/PID/stat after the name: user and system time, of the process and of its ended children. */
const TIMES = [11, 12, 13, 14];
const MAX_PROCESSES = 8_192;

/** Measures a process and its descendants; those that have just ended count as nothing. */
export async function measureTree(root: number): Promise<TreeUse> {
  const pids = [root];
  const files = new Map<string, number>();
  let [memoryBytes, cpuSeconds] = [0, 0];
  for (const pid of pids) {
    const [memory, seconds, children] = await Promise.all([readMemory(pid), readSeconds(pid), readChildren(pid)]);
    memoryBytes += memory;
    cpuSeconds += seconds;
    for (const [name, bytes] of await readMemoryFiles(pid)) files.set(name, bytes);
    if (pids.length + children.length <= MAX_PROCESSES) pids.push(...children);
  }
  for (const bytes of files.values()) memoryBytes += bytes;
  return { memoryBytes, cpuSeconds };
}

/** Pages of files are the system's cache; all others belong to the process. */
async function readMemory(pid: number): Promise<number> {
  const text = await read(`/proc/${pid}/status`);
  const kilobytes = ["RssAnon:", "RssShmem:"].map((name) => {
    const at = text.indexOf(name);
    return at === -1 ? 0 : Number.parseInt(text.slice(at + name.length), 10);
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1_024;
}

async function readSeconds(pid: number): Promise<number> {
  const text = await read(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return TIMES.reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / TICKS_PER_SECOND;
}

async function readChildren(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/** Files in memory that no folder shows; what is mapped of them is counted twice. */
async function readMemoryFiles(pid: number): Promise<readonly (readonly [string, number])[]> {
  const folder = `/proc/${pid}/fd`;
  const found: (readonly [string, number])[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const link = await readlink(`${folder}/${name}`).catch(() => "");
    if (!link.startsWith("/memfd:")) continue;
    const file = await stat(`${folder}/${name}`).catch(() => undefined);
    if (file !== undefined) found.push([`${file.dev}:${file.ino}`, file.blocks * BLOCK_BYTES]);
  }
  return found;
}

function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
