/**
 * Collection: notes with their vectors, held in memory and searched by cosine.
 *
 * The notes are bundled in `data/collections.json`; their vectors are made once, when the crew is loaded.
 */
import { readFileSync } from "node:fs";
import { ToolError } from "@baton/core";
import { z } from "zod";
import { cosine, embed } from "./embedding.ts";

const Note = z.object({ id: z.string(), text: z.string() });

const Collections = z.object({
  collections: z.array(z.object({ name: z.string(), description: z.string(), notes: z.array(Note).min(1) })),
});

/** A named set of notes. */
interface Collection {
  readonly name: string;
  readonly description: string;
  readonly notes: readonly { readonly id: string; readonly text: string; readonly vector: readonly number[] }[];
}

/** Below this, two texts without a common word may be as near as that by chance. */
const MIN_SCORE = 0.2;

/** A note and how near it is: 1 for the same words, around 0 for nothing in common. */
interface Hit {
  readonly id: string;
  readonly score: number;
  readonly text: string;
}

/** All collections there are. */
export const COLLECTIONS: readonly Collection[] = Collections.parse(
  JSON.parse(readFileSync(new URL("data/collections.json", import.meta.url), "utf8")),
).collections.map(({ notes, ...rest }) => ({
  ...rest,
  notes: notes.map((note) => ({ ...note, vector: embed(note.text) })),
}));

/** The collection of a name; a tool error that lists the names where there is none. */
export function findCollection(name: string): Collection {
  const collection = COLLECTIONS.find((candidate) => candidate.name === name.toLowerCase());
  if (collection !== undefined) return collection;
  const known = COLLECTIONS.map((candidate) => candidate.name).join(", ");
  throw new ToolError("validation", `no collection "${name}"; collections are: ${known}`);
}

/** The notes nearest to a vector, nearest first; those that are near by chance only are left out. */
export function searchCollection({ notes }: Collection, vector: readonly number[], limit: number): readonly Hit[] {
  return notes
    .map(({ id, text, vector: other }) => ({ id, score: Math.round(1_000 * cosine(vector, other)) / 1_000, text }))
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}
