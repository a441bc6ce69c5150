/**
 * Learn tools: what a crew that runs after another calls to keep the turn, learn from it and sum the session up.
 *
 * All are safe to run again. They read the user's message and the answer; only the message teaches.
 */
import { defineTool, type Tool } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { type MemoryChange, toCard } from "./change.ts";
import { toTime } from "./collections.ts";
import { learnRead, learnTurn, MODEL_STATEMENT } from "./learn-turn.ts";
import { countTools } from "./procedural.ts";
import { extractSummary, findDue, keepVersion, toSummaryInput } from "./session/summary.ts";
import { keepTurn } from "./session/session-messages.ts";
import { changeWorking, readWorking } from "./session/working-store.ts";
import { cleanWorking } from "./session/working.ts";

/** A product's options. */
export interface LearnOptions {
  /** Returns the subjects of a message, by the names that the product knows; the most frequent become a preference. */
  readonly subjects?: (text: string) => readonly string[] | Promise<readonly string[]>;
  /** Returns the kind of question; its tools are counted under that. */
  readonly kindOf?: (text: string) => string | Promise<string>;
}

const ID = z.string().min(1).max(128);
const SESSION = ID.regex(/^[a-zA-Z0-9_-]+$/);

/** The tools. */
export function defineLearnTools(options: LearnOptions = {}): readonly Tool[] {
  return [keepTurnTool(), learnTurnTool(options), saveLearned(), countToolsTool(options), findSummary(), saveSummary()];
}

function keepTurnTool(): Tool {
  return defineTool({
    name: "keepTurn",
    description: "Keeps the two messages of a run so that they can be recalled, and cleans working memory.",
    effect: "idempotent",
    input: z.object({ run: ID, session: SESSION.optional(), input: z.string(), answer: z.string() }),
    run: async ({ run, session, input, answer }, { documents, scope }) => {
      const turn = { run, input, answer, ...omitUndefined({ session }) };
      const messages = await keepTurn(documents, turn, scope.clock.now());
      if (session !== undefined && (await readWorking(documents, session)).run === run) {
        // No run is called so: what belonged to this request goes.
        await changeWorking(documents, session, (memory) => ({ memory: cleanWorking(memory, "") }));
      }
      return { messages };
    },
  });
}

function learnTurnTool({ subjects }: LearnOptions): Tool {
  return defineTool({
    name: "learnTurn",
    description: "Learns by rules what a user's message says of the user.",
    effect: "idempotent",
    input: z.object({ run: ID, input: z.string() }),
    run: async ({ run, input }, { documents, scope, note }) => {
      const at = toTime(scope.clock.now());
      const about = await subjects?.(input);
      const { changes, unread } = await learnTurn(documents, { run, input, at, ...omitUndefined({ subjects: about }) });
      for (const change of changes) note("memory", toCard(change));
      return { learned: changes.map(toTold), unread };
    },
  });
}

function saveLearned(): Tool {
  return defineTool({
    name: "saveLearned",
    description: "Keeps what a model read in a user's own words.",
    effect: "idempotent",
    input: z.object({ run: ID, input: z.string(), statements: z.array(MODEL_STATEMENT).max(20) }),
    run: async ({ run, input, statements }, { documents, scope, note }) => {
      const changes = await learnRead(documents, statements, { run, input, at: toTime(scope.clock.now()) });
      for (const change of changes) note("memory", toCard(change));
      return { learned: changes.map(toTold) };
    },
  });
}

function countToolsTool({ kindOf }: LearnOptions): Tool {
  return defineTool({
    name: "countTools",
    description: "Counts which tools answered which kind of question.",
    effect: "idempotent",
    input: z.object({
      run: ID,
      input: z.string(),
      tools: z.array(
        z.object({ tool: z.string().max(64), ok: z.int().min(0), failed: z.int().min(0), ms: z.number().min(0) }),
      ),
    }),
    run: async ({ run, input, tools }, { documents }) => {
      const kind = (await kindOf?.(input)) ?? "question";
      const counted = tools.length > 0 && (await countTools(documents, kind, { run, tools }));
      return { kind, counted };
    },
  });
}

function findSummary(): Tool {
  return defineTool({
    name: "findSummary",
    description: "Which messages of a session are to be summed up now, if any.",
    effect: "read",
    input: z.object({ session: SESSION }),
    run: async ({ session }, { documents }) => {
      const due = await findDue(documents, session);
      if (due === undefined) return { due: false };
      const { version, from, to } = due;
      return { due: true, version, from, to, text: toSummaryInput(due), extract: extractSummary(due) };
    },
  });
}

function saveSummary(): Tool {
  return defineTool({
    name: "saveSummary",
    description: "Keeps the next version of a session's summary.",
    effect: "idempotent",
    input: z.object({
      session: SESSION,
      version: z.int().min(1),
      from: z.int().min(1),
      to: z.int().min(1),
      text: z.string().trim().min(1),
    }),
    run: async ({ session, version, from, to, text }, { documents, scope }) => {
      const saved = await keepVersion(documents, { session, version, from, to }, { text, atMs: scope.clock.now() });
      return { saved, version };
    },
  });
}

const toTold = ({ id, operation, text }: MemoryChange) => ({ change: id, operation, text });
