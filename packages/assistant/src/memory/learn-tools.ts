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
import { readCore } from "./core/core-store.ts";
import { toNumberedProfile } from "./core/entry.ts";
import { keepLearned, LEARNED } from "./learned.ts";
import { redact } from "./refuse/redact.ts";
import { findDue, keepVersion, toSummaryInput } from "./session/summary.ts";
import { keepTurn, newestOfUser } from "./session/session-messages.ts";
import { changeWorking, readWorking } from "./session/working-tools.ts";
import { cleanWorking } from "./session/working.ts";

const ID = z.string().min(1).max(128);
const SESSION = ID.regex(/^[a-zA-Z0-9_-]+$/);

/** The tools. */
export function defineLearnTools(): readonly Tool[] {
  return [keepTurnTool(), findLessons(), saveLearned(), findSummary(), saveSummary()];
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

/** The user's messages that a model reads to learn from: the newest of the session. */
const READ_MESSAGES = 6;

function findLessons(): Tool {
  return defineTool({
    name: "findLessons",
    description: "What is remembered of the user, and the user's newest messages, for a model to learn from.",
    effect: "read",
    input: z.object({ session: SESSION.optional(), input: z.string() }),
    run: async ({ session, input }, { documents }) => {
      const known = toNumberedProfile(await readCore(documents));
      const earlier = session === undefined ? [] : await newestOfUser(documents, session, READ_MESSAGES);
      const own = redact(input);
      const said = earlier.includes(own) ? earlier : [...earlier, own];
      const lines = said.map((text) => `- ${JSON.stringify(text)}`);
      return {
        said,
        text: `Remembered:\n${known === "" ? "nothing" : known}\n\nThe user's messages:\n${lines.join("\n")}`,
      };
    },
  });
}

function saveLearned(): Tool {
  return defineTool({
    name: "saveLearned",
    description: "Keeps what a model read in a user's own words.",
    effect: "idempotent",
    input: z.object({ run: ID, said: z.array(z.string()).max(2 * READ_MESSAGES), learned: LEARNED }),
    run: async ({ run, said, learned }, { documents, scope, note }) => {
      const changes = await keepLearned(documents, learned, { run, said, at: toTime(scope.clock.now()) });
      for (const change of changes) note("memory", toCard(change));
      return { learned: changes.map(toTold) };
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
      return { due: true, version, from, to, text: toSummaryInput(due) };
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
