/**
 * @baton/store/semantic: documents that are found by meaning: embeddings around them, and an index of vectors in Qdrant.
 */
export { QdrantIndex, type QdrantOptions } from "./qdrant-index.ts";
export { type Embed, tryEmbed, type TryEmbed, type TryEmbedOptions, withEmbeddings } from "./with-embeddings.ts";
export { withQdrant, type WithQdrantOptions } from "./with-qdrant.ts";
