/**
 * Highlight: code as pieces with the kind of each, in six languages. Its chunk is loaded with the first such fence.
 *
 * Text too long to be read with regular expressions in a moment stays plain.
 */
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

/** A piece of code with its kind; most of the code has none. */
export interface CodePiece {
  readonly text: string;
  readonly kind: string;
}

const LOWLIGHT = createLowlight({ bash, json, python, sql, typescript, yaml });
LOWLIGHT.registerAlias({ bash: ["shell", "console"], typescript: ["javascript", "js", "jsx", "mjs", "cjs"] });

type Node = ReturnType<typeof LOWLIGHT.highlight>["children"][number];

interface Placed {
  readonly node: Node;
  readonly kind: string;
}

/** The pieces of some code; undefined if its language is not one of them. */
export function highlight(code: string, language: string): readonly CodePiece[] | undefined {
  if (!LOWLIGHT.registered(language)) return undefined;
  const pieces: CodePiece[] = [];
  // Hostile code nests deeper than calls can.
  const left: Placed[] = place(LOWLIGHT.highlight(language, code, { prefix: "code-" }).children, "");
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, kind } = next;
    if (node.type === "text") pieces.push({ text: node.value, kind });
    if (node.type === "element") left.push(...place(node.children, kindOf(node.properties["className"]) ?? kind));
  }
  return pieces;
}

/** The first is the last, which is read first. */
function place(nodes: readonly Node[], kind: string): Placed[] {
  return nodes.map((node) => ({ node, kind })).toReversed();
}

function kindOf(names: unknown): string | undefined {
  return Array.isArray(names) && typeof names[0] === "string" ? names[0] : undefined;
}
