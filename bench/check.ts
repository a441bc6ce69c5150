/**
 * Check: how long it takes to explore large crews, and to refuse hostile files.
 *
 * Run it with `node bench/check.ts`.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCrew } from "@baton/core";
import { explore, readCrew } from "@baton/crewfile";

const TRIES = 5;
const FILE_BYTES = 256 * 1_024;
const HOSTILE = ["[", "{", "- ", "? ", "&a ", "*a ", "a: ", "k: 1, ", "|\n", "x\n", "'", "\t", "!"];

for (const count of [50, 10_000]) {
  const crew = defineCrew({
    name: "large",
    agents: Array.from({ length: count }, (_, index) => ({ id: `a${index}`, systemPrompt: "[S0] [S1]" })),
    signals: new Map(
      Array.from({ length: count }, (_, index) => [
        `a${index}`,
        [7, 13].map((step, at) => ({ signal: `[S${at}]`, target: `a${(index * step + 1) % count}` })),
      ]),
    ),
  });
  console.log(`explore ${count} agents`.padEnd(40), `${(await least(async () => explore(crew))).toFixed(0)} ms`);
}

const folder = await mkdtemp(join(tmpdir(), "baton-bench-"));
try {
  let slowest = { ms: 0, piece: "" };
  for (const piece of HOSTILE) {
    await writeFile(join(folder, "crew.yaml"), piece.repeat(FILE_BYTES / piece.length));
    const ms = await least(() => readCrew(folder, { providers: [] }));
    if (ms > slowest.ms) slowest = { ms, piece };
  }
  const name = `slowest of ${HOSTILE.length} hostile files (${JSON.stringify(slowest.piece)})`;
  console.log(name.padEnd(40), `${slowest.ms.toFixed(0)} ms`);
} finally {
  await rm(folder, { recursive: true });
}

async function least(work: () => Promise<unknown>): Promise<number> {
  let ms = Infinity;
  for (let tries = 0; tries < TRIES; tries++) {
    const start = performance.now();
    await work();
    ms = Math.min(ms, performance.now() - start);
  }
  return ms;
}
