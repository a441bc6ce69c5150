/**
 * Mermaid: a crew as a Mermaid flow chart.
 *
 * Every text is escaped, so that no name can change the chart.
 */
import type { Crew } from "@baton/core";
import { toDiagram, type Arrow, type Box } from "./diagram.ts";

const CLASSES: readonly (readonly [name: string, style: string])[] = [
  ["group", "fill:#f5f3ff,stroke:#6d28d9"],
  ["program", "fill:#eff6ff,stroke:#1d4ed8"],
  ["pause", "fill:#fffbeb,stroke:#b45309"],
  ["crew", "fill:#ecfdf5,stroke:#047857"],
  ["terminal", "stroke:#334155,stroke-width:3px"],
  ["entry", "stroke:#0f766e,stroke-width:3px"],
  ["unreachable", "stroke-dasharray:4 3,color:#94a3b8"],
];

/** Draws a crew as Mermaid text. */
export function toMermaid(crew: Crew): string {
  const { boxes, arrows, leftOut } = toDiagram(crew);
  // The first link is the one from the start.
  const cycle = arrows.flatMap(({ isCycle }, index) => (isCycle ? [index + 1] : []));
  const entry = boxes.findIndex(({ marks }) => marks.includes("entry"));
  const lines = [
    "start((start))",
    ...boxes.map(toNode),
    `start --> n${entry}`,
    ...arrows.map(toLink),
    ...(cycle.length === 0 ? [] : [`linkStyle ${cycle.join(",")} stroke:#c2410c`]),
    ...(leftOut === "" ? [] : [`more["${leftOut}"]`]),
    ...CLASSES.flatMap(([name, style]) => toClass(name, style, boxes)),
  ];
  return ["flowchart TD", ...lines.map((line) => `  ${line}`), ""].join("\n");
}

function toNode({ kind, title, subtitle, marks }: Box, index: number): string {
  const parts = [
    `<b>${escape(title)}</b>`,
    ...(subtitle === "" ? [] : [`<small>${escape(subtitle)}</small>`]),
    ...(marks.includes("pause") ? ["waits for the user"] : []),
    ...(marks.includes("terminal") ? ["ends the run"] : []),
  ];
  const text = `"${parts.join("<br/>")}"`;
  if (kind === "end") return `n${index}(((${text})))`;
  if (kind === "group") return `n${index}[[${text}]]`;
  if (kind === "program") return `n${index}[/${text}/]`;
  if (kind === "crew") return `n${index}[\\${text}/]`;
  return marks.includes("pause") ? `n${index}{{${text}}}` : `n${index}(${text})`;
}

function toClass(name: string, style: string, boxes: readonly Box[]): string[] {
  const members = boxes.flatMap((box, index) =>
    box.kind === name || box.marks.some((mark) => mark === name) ? [`n${index}`] : [],
  );
  return members.length === 0 ? [] : [`classDef ${name} ${style}`, `class ${members.join(",")} ${name}`];
}

function toLink({ from, to, labels, isRule }: Arrow): string {
  return `n${from} ${isRule ? "-.->" : "-->"}|"${labels.map(escape).join("<br/>")}"| n${to}`;
}

/** Mermaid's own way to write a character by its number, for all that could mean something to it. */
function escape(text: string): string {
  return Array.from(text, (character) => (isPlain(character) ? character : `#${character.codePointAt(0)};`)).join("");
}

function isPlain(character: string): boolean {
  return /[\p{L}\p{M}\p{N} _.,-]/u.test(character);
}
