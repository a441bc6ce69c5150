/**
 * The searcher's tools: make a vector of a text, and find the notes nearest to a vector.
 *
 * Everything is in memory and only read.
 */
import { defineTool, ToolError } from "@baton/core";
import { z } from "zod";
import { COLLECTIONS, findCollection, searchCollection } from "./collection.ts";
import { DIMENSIONS, embed, toWords } from "./embedding.ts";

const CollectionName = z.string().trim().min(1).max(100).describe("A collection's name, from ListCollections");

const generateEmbedding = defineTool({
  name: "GenerateEmbedding",
  description: `The vector of a text: ${DIMENSIONS} numbers made from its words, for SearchCollection.`,
  effect: "read",
  input: z.object({ text: z.string().trim().min(1).max(2_000).describe("The key words of a question") }),
  run: ({ text }) => {
    const words = toWords(text);
    if (words.length === 0)
      throw new ToolError("validation", "the text has only filler words; use words that say something");
    return { words, vector: embed(text) };
  },
});

const searchCollectionTool = defineTool({
  name: "SearchCollection",
  description: "The notes of a collection nearest to a vector, with their cosine similarity.",
  effect: "read",
  input: z.object({
    collection_name: CollectionName,
    query_vector: z
      .union([z.array(z.number()).length(DIMENSIONS), z.string().max(200)])
      .describe("A vector from GenerateEmbedding: the key that stands for it, or the numbers unchanged"),
    limit: z.int().min(1).max(10).default(3).describe("How many notes to return at most"),
  }),
  run: ({ collection_name, query_vector, limit }) => {
    // Baton puts the vector in the place of its key; a text that is still one names no vector.
    if (typeof query_vector === "string") {
      throw new ToolError(
        "validation",
        `there is no vector "${query_vector}": give the key that GenerateEmbedding returned`,
      );
    }
    const hits = searchCollection(findCollection(collection_name), query_vector, limit);
    return hits.length > 0 ? hits : "No note is near the query. Try other words or another collection.";
  },
});

const listCollections = defineTool({
  name: "ListCollections",
  description: "The collections that can be searched.",
  effect: "read",
  input: z.object({}),
  run: () => COLLECTIONS.map(({ name, description, notes }) => ({ name, description, notes: notes.length })),
});

const getCollectionInfo = defineTool({
  name: "GetCollectionInfo",
  description: "What is in a collection: its size, its vectors' dimensions, how nearness is measured, and an example.",
  effect: "read",
  input: z.object({ collection_name: CollectionName }),
  run: ({ collection_name }) => {
    const { name, description, notes } = findCollection(collection_name);
    return {
      name,
      description,
      notes: notes.length,
      dimensions: DIMENSIONS,
      distance: "cosine",
      example: notes[0]?.text,
    };
  },
});

export default [generateEmbedding, searchCollectionTool, listCollections, getCollectionInfo];
