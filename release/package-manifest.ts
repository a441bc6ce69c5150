/**
 * Package manifest: what the package.json of a packed package says, made of the one in the repository.
 *
 * The repository's names TypeScript, so that development needs no build. The packed one names JavaScript and declarations.
 * What only development needs is left out.
 */
import { posix } from "node:path";
import { z } from "zod";

/** The oldest Node that the packed packages run on. */
export const OLDEST_NODE = "22.18.0";

const TEXTS = z.record(z.string(), z.string());

/** The fields of a package.json in packages/ that are read. */
export const SOURCE_MANIFEST = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  type: z.literal("module"),
  files: z.array(z.string()).min(1),
  bin: TEXTS.optional(),
  exports: TEXTS.optional(),
  dependencies: TEXTS.default({}),
  peerDependencies: TEXTS.optional(),
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean() })).optional(),
});

/** A package.json in packages/. */
export type SourceManifest = z.infer<typeof SOURCE_MANIFEST>;

/** Where an export is found in a packed package. */
interface ExportTarget {
  readonly types: string;
  readonly default: string;
}

/** A package.json as it is packed. */
export interface PackedManifest extends Omit<SourceManifest, "exports"> {
  readonly exports?: Readonly<Record<string, ExportTarget | string>>;
  readonly engines: Readonly<Record<"node", string>>;
}

/** The manifest of the packed package. */
export function toPackedManifest(source: SourceManifest): PackedManifest {
  const { exports: _, ...rest } = source;
  const exports = publicExports(source).map(([name, path]) => [name, toTarget(path)] as const);
  return {
    ...rest,
    ...(exports.length > 0 && { exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" } }),
    engines: { node: `>=${OLDEST_NODE}` },
  };
}

/** The exports for users: of the test helpers only `./testing`; the others start the servers of the repository's tests. */
export function publicExports({ exports = {} }: SourceManifest): readonly (readonly [name: string, path: string])[] {
  return Object.entries(exports).filter(([name]) => name === "./testing" || !name.endsWith("/testing"));
}

function toTarget(path: string): ExportTarget {
  const { dir, name } = posix.parse(path);
  return { types: `${dir}/${name}.d.ts`, default: `${dir}/${name}.js` };
}
