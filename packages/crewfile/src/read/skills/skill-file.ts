/**
 * Skill file: one SKILL.md, its fields and its instructions.
 *
 * Everything in it is text for a model: nothing of a skill is ever executed, and `allowed-tools` grants nothing.
 */
import { realpath } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { estimateTokens } from "@baton/core/util";
import { findHidden } from "../hidden-text.ts";
import { type Cursor, readEntries, report } from "../yaml/cursor.ts";
import type { Defect, FileFinding } from "../yaml/finding.ts";
import { Fields } from "../fields/fields.ts";
import { SourceFile } from "../yaml/source-file.ts";
import { openText } from "../yaml/yaml-file.ts";
import { parseTree } from "../yaml/yaml-tree.ts";

/** A skill as agents use it. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The instructions, without the fields. */
  readonly body: string;
  /** Its folder, without links; only files below it can be read. */
  readonly folder: string;
}

/** A skill that was read, or only findings if it cannot be used. */
export interface SkillFile {
  readonly source: SourceFile;
  readonly skill?: Skill;
}

/** The file that makes a folder a skill. */
export const SKILL = "SKILL.md";

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const MAX_COMPATIBILITY = 500;
const MAX_BODY_TOKENS = 5_000;
const MARK = "---";
const HIDDEN = "hidden_text";
const LONG = "long_skill";
const NO_FIELDS = { name: "", description: "" } as const;

/** Reads the skill of a folder that has a SKILL.md. */
export async function readSkill(folder: string): Promise<SkillFile> {
  const path = join(folder, SKILL);
  const home = await realpath(folder).catch(() => folder);
  const real = await realpath(path).catch(() => path);
  if (!real.startsWith(home + sep)) {
    const source = new SourceFile(path, "");
    const message = `${SKILL} is a link out of its folder`;
    source.report({ start: 0, end: 0 }, "", { ...invalid(message), fix: "copy the file into the folder" });
    return { source };
  }
  const source = await openText(path);
  if (source.findings.length > 0) return { source };
  const parts = splitText(source);
  reportHidden(source);
  if (parts === undefined) return { source };
  const value = parseTree(source, parts.fields);
  const { name, description } = value ? readFields({ source, path: "", value }, basename(home)) : NO_FIELDS;
  reportLength(source, parts.body);
  const { findings } = source;
  findings.splice(0, findings.length, ...findings.map(toSkillFinding));
  if (source.findings.some(({ severity }) => severity === "error")) return { source };
  return { source, skill: { name, description, body: parts.body.trim(), folder: home } };
}

/** Whatever is wrong with the fields has the one code that a reader of a skill looks for. */
function toSkillFinding(finding: FileFinding): FileFinding {
  return [HIDDEN, LONG].includes(finding.code) ? finding : { ...finding, code: "invalid_skill" };
}

/** The fields between the first line and the next `---`, and the text after it. */
function splitText(source: SourceFile): Readonly<Record<"fields" | "body", string>> | undefined {
  const { text } = source;
  const lines = text.split("\n");
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === MARK);
  if (lines[0]?.trimEnd() !== MARK || end === -1) {
    const message = `${SKILL} does not begin with its fields`;
    const fix = "begin the file with a line ---, then `name` and `description`, then a line ---";
    source.report({ start: 0, end: 0 }, "", { code: "invalid_skill", message, fix });
    return undefined;
  }
  const fields = lines.slice(0, end).join("\n");
  return { fields, body: lines.slice(end + 1).join("\n") };
}

function readFields(cursor: Cursor, folder: string): Pick<Skill, "name" | "description"> {
  const fields = new Fields(cursor);
  const name = fields.text("name") ?? "";
  const description = fields.text("description") ?? "";
  for (const [field, defect] of [
    ["name", checkName(name, folder)],
    ["description", checkLength("description", description, { least: 1, most: MAX_DESCRIPTION })],
    [
      "compatibility",
      checkLength("compatibility", fields.text("compatibility") ?? "", { least: 0, most: MAX_COMPATIBILITY }),
    ],
  ] as const) {
    if (defect !== undefined) report(fields.get(field) ?? cursor, defect);
  }
  const metadata = fields.get("metadata");
  if (metadata !== undefined) readEntries(metadata);
  for (const known of ["license", "allowed-tools"]) fields.get(known);
  fields.end();
  return { name, description };
}

function checkName(name: string, folder: string): Defect | undefined {
  if (name.length > MAX_NAME || !NAME.test(name)) {
    const message = name === "" ? "`name` is missing" : `\`${name.slice(0, MAX_NAME)}\` is not a valid name of a skill`;
    return { ...invalid(message), fix: `write \`name: ${folder}\`: small letters, digits and single dashes` };
  }
  if (name === folder) return undefined;
  const message = `the name is \`${name}\`, but the folder is \`${folder}\``;
  return { ...invalid(message), fix: "give both the same name" };
}

function checkLength(field: string, text: string, { least, most }: Record<"least" | "most", number>) {
  const length = text.trim() === "" ? 0 : text.length;
  if (length < least)
    return { ...invalid(`\`${field}\` is missing`), fix: "say what the skill does and when to use it" };
  if (length <= most) return undefined;
  const message = `\`${field}\` has ${length.toLocaleString("en")} characters; at most ${most.toLocaleString("en")} are allowed`;
  return { ...invalid(message), fix: "shorten it" };
}

function invalid(message: string): Omit<Defect, "fix"> {
  return { code: "invalid_skill", message };
}

function reportHidden(source: SourceFile): void {
  const hidden = findHidden(source.text);
  if (hidden === undefined) return;
  const message = `the file has the hidden character ${hidden.name}, which a model reads and you do not see`;
  const span = { start: hidden.at, end: hidden.at + 1 };
  source.report(span, "", { code: HIDDEN, message, fix: "remove it" });
}

function reportLength(source: SourceFile, body: string): void {
  const tokens = estimateTokens({ role: "user", content: body });
  if (tokens <= MAX_BODY_TOKENS) return;
  const message = `the instructions take about ${tokens.toLocaleString("en")} tokens; a model reads them whole`;
  const fix = "move details to files beside it, which the tool `skill_read` gives one by one";
  source.report({ start: 0, end: 0 }, "", { code: LONG, severity: "warning", message, fix });
}
