/**
 * Inbox: commands on their way to runs, until the logs of those say what came of them.
 */
import type { Posted } from "../database.ts";
import { parseFate, toFateText } from "../posted-fate.ts";
import type { Ask } from "./connection.ts";
import { parseName, toName } from "./sealed.ts";

type Row = Readonly<Record<"id" | "fate" | "command", string>>;

const POST = `
insert into baton_inbox (run, id, fate, command)
select id, $2, $3, $4 from baton_runs where id = $1 and status <> 'ended'
returning run
`;

/** Keeps a command for a run that has not ended; false if there is no such run. */
export async function post(ask: Ask, { run, id, command, fate }: Posted): Promise<boolean> {
  return (await ask({ text: POST }, [toName(run), toName(id), toFateText(fate), command])).length > 0;
}

/** The commands of a run, by their ids. */
export async function findPosted(ask: Ask, run: string): Promise<readonly Posted[]> {
  const text = "select id, fate, command from baton_inbox where run = $1 order by id";
  const rows = await ask<Row>({ text }, [toName(run)]);
  return rows.map(({ id, fate, command }) => ({ run, id: parseName(id), command, fate: parseFate(fate) }));
}

/** Changes the fate of a command, or removes it; false if it is not there. */
export async function settle(
  ask: Ask,
  { run, id }: Pick<Posted, "run" | "id">,
  fate: Posted["fate"] | "withdrawn",
): Promise<boolean> {
  const key = [toName(run), toName(id)];
  const [text, values] =
    fate === "withdrawn"
      ? ["delete from baton_inbox where run = $1 and id = $2 returning id", key]
      : ["update baton_inbox set fate = $3 where run = $1 and id = $2 returning id", [...key, toFateText(fate)]];
  return (await ask({ text }, values)).length > 0;
}

/** Runs with commands that their owners have not seen. */
export async function findUnread(ask: Ask): Promise<readonly string[]> {
  const text = "select distinct run from baton_inbox where fate = 'sent' limit 1000";
  return (await ask<{ run: string }>({ text }, [])).map(({ run }) => parseName(run));
}
