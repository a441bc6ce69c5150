/**
 * Heap: what a page keeps after a garbage collection.
 *
 * Compiled code is told apart from data. V8 compiles functions again while they are used, so code grows in a page that
 * keeps nothing; what a page keeps by mistake is data.
 */
import type { CDPSession, Page } from "playwright-core";
import { z } from "zod";

const COLLECTIONS = 3;
const SNAPSHOT = z.object({
  snapshot: z.object({
    meta: z.object({ node_fields: z.array(z.string()), node_types: z.tuple([z.array(z.string())], z.unknown()) }),
  }),
  nodes: z.array(z.number()),
});

/** Bytes of the page's heap. `native` (elements, styles, what the browser notes of requests) is in neither part. */
export interface Heap {
  readonly totalBytes: number;
  readonly dataBytes: number;
  readonly codeBytes: number;
}

/** Collects garbage and says what is left. */
export async function heapOf(page: Page): Promise<Heap> {
  const session = await page.context().newCDPSession(page);
  for (let round = 0; round < COLLECTIONS; round++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const sizes = await sizesOf(session);
  await session.detach();
  const codeBytes = sizes.get("code") ?? 0;
  const all = [...sizes].reduce((sum, [, bytes]) => sum + bytes, 0);
  return { totalBytes: usedSize, dataBytes: all - codeBytes - (sizes.get("native") ?? 0), codeBytes };
}

/** Bytes of the heap by the kind of what they hold. */
async function sizesOf(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const parts: string[] = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => parts.push(chunk));
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  const { snapshot, nodes } = SNAPSHOT.parse(JSON.parse(parts.join("")));
  const { node_fields: fields, node_types } = snapshot.meta;
  const [type, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
  const sizes = new Map<string, number>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = node_types[0][nodes[at + type] ?? 0] ?? "";
    sizes.set(kind, (sizes.get(kind) ?? 0) + (nodes[at + size] ?? 0));
  }
  return sizes;
}
