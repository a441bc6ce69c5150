/**
 * Read skills: the skills that crew.yaml names, and which agent has which.
 */
import { readdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { toProgramName } from "@baton/core/engine";
import type { ModelRef } from "@baton/core/ports";
import type { AgentFile } from "../agent-file.ts";
import { entryAt, readItems, readTextItem, report, type Cursor } from "../yaml/cursor.ts";
import type { SourceFile } from "../yaml/source-file.ts";
import { isFile } from "../yaml/yaml-file.ts";
import { readSkill, type Skill, SKILL } from "./skill-file.ts";
import { SKILL_TOOLS } from "./skill-tools.ts";

/** The skills of a crew. */
export interface Skills {
  readonly skills: ReadonlyMap<string, Skill>;
  readonly sources: readonly SourceFile[];
}

const EVERY = "/*";
const MAX_SKILLS = 100;

/** Reads the folders that a list names; `name/*` is every folder in it that has a SKILL.md. */
export async function readSkills(items: readonly Cursor[], folder: string): Promise<Skills> {
  const skills = new Map<string, Skill>();
  const sources: SourceFile[] = [];
  for (const item of items) {
    for (const path of await findFolders(item, folder)) {
      const file = await readSkill(path);
      sources.push(file.source);
      const { skill } = file;
      if (skill === undefined) continue;
      const first = skills.get(skill.name);
      if (first === undefined) skills.set(skill.name, skill);
      else if (first.folder !== skill.folder) reportTwice(item, skill.name);
    }
  }
  return { skills, sources };
}

/** An agent with the skills it names, or with all of the crew, and the tools that load them; a program has none. */
export function withSkills(agent: AgentFile, skills: Skills["skills"], model: ModelRef | undefined): AgentFile {
  const own = findOwn(agent, skills);
  const isProgram = toProgramName((agent.definition.model ?? model)?.name ?? "") !== undefined;
  if (own.length === 0 || isProgram) return agent;
  const { tools = [] } = agent.definition;
  const missing = SKILL_TOOLS.filter((name) => !tools.includes(name));
  const summaries = own.map(({ name, description }) => ({ name, description }));
  return { ...agent, definition: { ...agent.definition, tools: [...tools, ...missing], skills: summaries } };
}

function findOwn({ root }: AgentFile, skills: Skills["skills"]): readonly Skill[] {
  const field = entryAt(root, "skills");
  const items = field && readItems(field);
  if (items === undefined) return [...skills.values()];
  return items.flatMap((item) => {
    const name = readTextItem(item) ?? "";
    const skill = skills.get(name);
    if (skill !== undefined) return skill;
    const near = item.source.nearest(name, skills.keys());
    const fix = near === undefined ? "add its folder to `skills` of crew.yaml" : `did you mean \`${near}\`?`;
    report(item, { code: "missing_skill", message: `the crew has no skill \`${name.slice(0, 64)}\``, fix });
    return [];
  });
}

async function findFolders(item: Cursor, folder: string): Promise<readonly string[]> {
  const path = readTextItem(item) ?? "";
  const isEvery = path.endsWith(EVERY);
  const from = isEvery ? path.slice(0, -EVERY.length) : path;
  const home = isAbsolute(from) ? from : join(folder, from);
  if (!isEvery) {
    if (await isFile(join(home, SKILL))) return [home];
    return reportMissing(item, `there is no ${SKILL} in ${path.slice(0, 200)}`);
  }
  const names: readonly string[] = await readdir(home).catch(() => []);
  if (names.length > MAX_SKILLS) {
    const message = `${from.slice(0, 200)} has ${names.length} entries; at most ${MAX_SKILLS} are read`;
    report(item, { code: "invalid_skill", message, fix: "name the folders that the crew uses" });
    return [];
  }
  const folders = names.toSorted().map((name) => join(home, name));
  const found = await Promise.all(folders.map(async (one) => isFile(join(one, SKILL))));
  const skills = folders.filter((_, index) => found[index] === true);
  return skills.length > 0 ? skills : reportMissing(item, `no folder in ${from.slice(0, 200)} has a ${SKILL}`);
}

function reportMissing(item: Cursor, message: string): readonly string[] {
  report(item, { code: "missing_skill", message, fix: "write the path of a skill's folder, seen from crew.yaml" });
  return [];
}

function reportTwice(item: Cursor, name: string): void {
  const message = `two skills are called \`${name}\``;
  report(item, { code: "invalid_skill", message, fix: "rename one of them and its folder" });
}
