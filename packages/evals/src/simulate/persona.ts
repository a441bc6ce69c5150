/**
 * Persona: a user of a simulation, as a YAML file describes it, and what it says next.
 */
import { readFile } from "node:fs/promises";
import { BatonError, type Crew, defineCrew, Engine, type Model, type Run } from "@baton/core";
import { parse } from "yaml";
import { z } from "zod";
import { doubles } from "../eval-case.ts";
import { seeded } from "../statistics.ts";

const MAX_BYTES = 256 * 1_024;
/** The word with which a persona ends a conversation. */
const STOP = "[STOP]";
const HOW = "needs one of `says`, `model` with `goal`, and `program`";

const text = z.string().min(1);
const persona = z
  .strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -"),
    says: z
      .array(z.union([text, z.array(text).min(1)]))
      .min(1)
      .optional(),
    model: text.optional(),
    goal: text.optional(),
    knows: z.union([text, z.record(z.string(), z.json())]).optional(),
    program: z.string().startsWith("code/").optional(),
    answers: z.record(z.string(), z.json()).default({}),
    tools: doubles.default({}),
    max_turns: z.int().min(1).max(200).default(12),
  })
  .refine(({ says, model, program }) => [says, model, program].filter((one) => one !== undefined).length === 1, HOW)
  .refine(({ model, goal }) => (model === undefined) === (goal === undefined), "needs `goal` with `model`");

/** A user of a simulation. */
export type Persona = z.infer<typeof persona> & Readonly<{ file: string }>;

/** Reads personas, a file each; throws one `invalid` that lists everything wrong with them. */
export async function readPersonas(files: readonly string[]): Promise<readonly Persona[]> {
  const read = await Promise.all(files.map(readPersona));
  const personas = read.flatMap((one) => (typeof one === "object" && "name" in one ? [one] : []));
  const problems = read.flatMap((one) => ("problems" in one ? one.problems : []));
  const names = personas.map(({ name }) => name);
  const double = personas.find(({ name }, at) => names.indexOf(name) !== at);
  if (double !== undefined) problems.push(`${double.file}: another persona is called ${double.name}`);
  if (problems.length > 0) throw new BatonError("invalid", problems.join("\n"));
  return personas;
}

async function readPersona(file: string): Promise<Persona | { readonly problems: string[] }> {
  const source = await readFile(file, "utf8").catch(() => undefined);
  if (source === undefined) return { problems: [`${file} cannot be read`] };
  if (source.length > MAX_BYTES) return { problems: [`${file} is larger than 256 KB`] };
  try {
    const parsed = persona.safeParse(parse(source, { maxAliasCount: 50 }));
    if (parsed.success) return { ...parsed.data, file };
    return {
      problems: parsed.error.issues.map(
        ({ path, message }) => `${file}: ${["persona", ...path].join(".")}: ${message}`,
      ),
    };
  } catch (error) {
    return { problems: [`${file}: ${error instanceof Error ? error.message.split("\n", 1).join("") : String(error)}`] };
  }
}

/** Gives what a persona says next; undefined if it has no more to say, null if it has ended the conversation. */
export type Speaker = (heard: string) => Promise<string | undefined | null>;

/** A persona that begins a conversation: its choices follow from the seed. */
export function openSpeaker(one: Persona, seed: number, model: Model | undefined): Speaker {
  const { says, max_turns: most } = one;
  const random = seeded(seed);
  const think = model === undefined ? undefined : openThinker(one, model);
  let turns = 0;
  return async (heard) => {
    if (turns >= most) return undefined;
    turns += 1;
    const entry = says?.[turns - 1];
    const drawn = typeof entry === "object" ? entry[Math.floor(random() * entry.length)] : entry;
    const said = think === undefined ? drawn : await think(heard);
    return said?.trim() === STOP || (think !== undefined && said?.includes(STOP) === true) ? null : said;
  };
}

const START = "Begin the conversation.";

/** A model or program that speaks for the user: what the crew says is what it is asked. */
function openThinker({ name, goal, knows }: Persona, model: Model): (heard: string) => Promise<string> {
  const known = knows === undefined ? "" : `\n\nYou know: ${typeof knows === "string" ? knows : JSON.stringify(knows)}`;
  const crew: Crew = defineCrew({
    name: "persona",
    agents: [
      {
        id: "persona",
        systemPrompt: `You play a person who talks with an assistant. Write only what that person says.\n\nYour goal: ${goal ?? ""}${known}\n\nIf you have what you want, or see that you will not get it, write ${STOP}.`,
      },
    ],
    behaviors: { persona: { waitForSignal: true } },
  });
  const engine = new Engine({ model: () => model });
  let run: Run | undefined;
  return async (heard) => {
    if (run === undefined) run = engine.start(crew, { input: heard || START });
    else await run.resume(heard || START);
    const { outcome, content, error } = await run.result;
    if (outcome === "paused") return content.trim();
    throw new BatonError("model", `persona ${name} failed: ${error?.message ?? outcome}`);
  };
}
