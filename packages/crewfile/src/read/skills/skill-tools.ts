/**
 * Skill tools: `skill` gives the instructions of a skill, `skill_read` a file beside them.
 *
 * Both only read, so that each load stands in the log. A path is followed by its real name and never out of the folder.
 */
import { constants, open, realpath } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { defineTool, type Json, type Tool, ToolError } from "@baton/core";
import { checkJson, lookInto } from "@baton/core/util";
import type { AgentFile } from "../agent-file.ts";
import type { Skill } from "./skill-file.ts";

const LOAD = "skill";
const READ = "skill_read";

/** The names of the tools that an agent with skills has. */
export const SKILL_TOOLS: readonly string[] = [LOAD, READ];

const MAX_KB = 256;

type Skills = ReadonlyMap<string, Skill>;

/** The tools of a crew's skills; an agent loads only those that it lists. Empty if there is no skill. */
export function toSkillTools(skills: Skills, agents: readonly AgentFile[]): readonly Tool[] {
  if (skills.size === 0) return [];
  const listed = new Map(agents.map(({ definition }) => [definition.id, definition.skills ?? []]));
  const permission: Tool["permission"] = (args, { agent }) => {
    const name = textAt(args, "name");
    const isListed = !skills.has(name) || listed.get(agent)?.some((skill) => skill.name === name) === true;
    return isListed ? { decision: "allow" } : { decision: "deny", reason: `${agent} does not have the skill ${name}` };
  };
  const load = defineTool({
    name: LOAD,
    description: "Gives the instructions of a skill. Load a skill before you do a task that it describes.",
    effect: "read",
    input: toInput({ name: "Name of the skill" }),
    permission,
    run: ({ name }) => findSkill(skills, name).body,
  });
  const read = defineTool({
    name: READ,
    description: "Gives a text file of a skill, which its instructions mention.",
    effect: "read",
    input: toInput({ name: "Name of the skill", path: "Path of the file, from the skill's folder" }),
    permission,
    run: async ({ name, path }) => readBeside(findSkill(skills, name), path),
  });
  return [load, read];
}

type Arguments = Readonly<Record<"name" | "path", string>>;

/** Takes these fields, all of them text; each is named with what it means. */
function toInput(fields: Readonly<Record<string, string>>) {
  const names = Object.keys(fields);
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: "string", description: fields[name] ?? "" }]),
  );
  const jsonSchema = { type: "object", properties, required: names, additionalProperties: false };
  return {
    jsonSchema,
    validate: (value: Json) => {
      const issues = checkJson(jsonSchema, value);
      if (issues.length > 0) return { ok: false as const, issues };
      const own: Arguments = { name: textAt(value, "name"), path: textAt(value, "path") };
      return { ok: true as const, value: own };
    },
  };
}

function textAt(args: Json, name: keyof Arguments): string {
  const value = lookInto(args, name);
  return typeof value === "string" ? value : "";
}

function findSkill(skills: Skills, name: string): Skill {
  const skill = skills.get(name);
  if (skill !== undefined) return skill;
  throw new ToolError(
    "validation",
    `there is no skill ${JSON.stringify(name.slice(0, 64))}; there is ${[...skills.keys()].join(", ")}`,
  );
}

async function readBeside({ name, folder }: Skill, path: string): Promise<string> {
  const said = JSON.stringify(path.slice(0, 200));
  if (isAbsolute(path)) throw new ToolError("validation", `${said} is absolute; write it from the folder of ${name}`);
  const file = await realpath(join(folder, path)).catch(() => undefined);
  if (file === undefined && !join(folder, path).startsWith(folder + sep)) throw outside(said, name);
  if (file === undefined) throw new ToolError("validation", `the skill ${name} has no file ${said}`);
  if (!file.startsWith(folder + sep)) throw outside(said, name);
  return readText(file, said);
}

function outside(said: string, name: string): ToolError {
  return new ToolError("validation", `${said} is outside the folder of the skill ${name}`);
}

async function readText(path: string, said: string): Promise<string> {
  // A pipe would otherwise wait for a writer.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const found = await file.stat();
  if (!found.isFile()) throw new ToolError("validation", `${said} is not a file`);
  if (found.size > MAX_KB * 1_024) throw new ToolError("validation", `${said} is larger than ${MAX_KB} KB`);
  const buffer = new Uint8Array(MAX_KB * 1_024);
  const { bytesRead } = await file.read(buffer);
  const text = decode(buffer.subarray(0, bytesRead));
  if (text === undefined) throw new ToolError("validation", `${said} is not a text file`);
  return text;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
