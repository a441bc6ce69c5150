/**
 * Procedural memory: which tools answered which kind of question: how often, how often they failed, how long they took.
 *
 * A run counts once, however often it is reported.
 */
import { BatonError } from "@baton/core";
import type { Document, Documents } from "@baton/core/ports";
import { z } from "zod";
import { changeDocument } from "./change-document.ts";
import { MEMORY } from "./collections.ts";

const COUNTS = z.object({
  kind: z.string(),
  questions: z.int(),
  tools: z.record(z.string(), z.object({ ok: z.int(), failed: z.int(), ms: z.number() })),
  runs: z.array(z.string()),
});

/** The tool counts of one kind of question. */
export type ToolCounts = Readonly<z.output<typeof COUNTS>>;

/** The calls of one tool in one run. */
export interface ToolUse {
  readonly tool: string;
  readonly ok: number;
  readonly failed: number;
  readonly ms: number;
}

const REMEMBERED_RUNS = 100;
const MAX_TOOLS = 60;
/** A tool is worth a word from so many uses on. */
const MIN_USES = 2;
const HINTED_TOOLS = 4;
const HINTED_KINDS = 8;
const KIND = /^[a-z0-9_]{1,64}$/;

/** Counts what a run used for a kind of question. False if the run was counted before. */
export async function countTools(
  documents: Documents,
  kind: string,
  { run, tools }: Readonly<{ run: string; tools: readonly ToolUse[] }>,
): Promise<boolean> {
  if (!KIND.test(kind)) throw new BatonError("invalid", `"${kind}" is not a kind of question: use a-z, 0-9 and _`);
  return changeDocument(documents, { collection: MEMORY.procedural, id: kind }, (found) => {
    const before = (found && parseCounts(found)) ?? { kind, questions: 0, tools: {}, runs: [] };
    if (before.runs.includes(run)) return { result: false };
    const data = addUses(before, run, tools);
    return { result: true, put: { data, index: { questions: data.questions } } };
  });
}

/** Reads the tool counts of every kind of question, the most frequent first. */
export async function readCounts(documents: Documents): Promise<readonly ToolCounts[]> {
  const query = { orderBy: "questions", order: "descending", limit: 100 } as const;
  const { documents: found } = await documents.list(MEMORY.procedural, query);
  return found.flatMap((one) => parseCounts(one) ?? []);
}

/** A hint for an agent that chooses tools: what answered questions of a kind before, and what failed. */
export function toHint(counts: readonly ToolCounts[]): string {
  return counts
    .slice(0, HINTED_KINDS)
    .flatMap(({ kind, tools }) => {
      const used = Object.entries(tools).filter(([, { ok, failed }]) => ok + failed >= MIN_USES);
      const good = used.filter(([, { ok, failed }]) => ok > failed).toSorted(([, one], [, other]) => other.ok - one.ok);
      const bad = used.filter(([, { ok, failed }]) => failed >= ok);
      const parts = [
        ...good.slice(0, HINTED_TOOLS).map(([name, { ok, failed }]) => `${name} ${ok} of ${ok + failed}`),
        ...bad.slice(0, HINTED_TOOLS).map(([name, { ok, failed }]) => `${name} failed ${failed} of ${ok + failed}`),
      ];
      return parts.length === 0 ? [] : [`${kind}: ${parts.join(", ")}`];
    })
    .join("\n");
}

function addUses(before: ToolCounts, run: string, uses: readonly ToolUse[]): ToolCounts {
  const tools = new Map(Object.entries(before.tools));
  for (const { tool, ok, failed, ms } of uses) {
    const known = tools.get(tool) ?? { ok: 0, failed: 0, ms: 0 };
    if (tools.has(tool) || tools.size < MAX_TOOLS) {
      tools.set(tool, { ok: known.ok + ok, failed: known.failed + failed, ms: known.ms + ms });
    }
  }
  const runs = [...before.runs, run].slice(-REMEMBERED_RUNS);
  return { kind: before.kind, questions: before.questions + 1, tools: Object.fromEntries(tools), runs };
}

const parseCounts = ({ data }: Document): ToolCounts | undefined => COUNTS.safeParse(data).data;
