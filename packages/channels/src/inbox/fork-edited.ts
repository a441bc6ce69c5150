/**
 * Fork edited: the run of a message whose text has changed, begun again with the new words in a session of its own.
 */
import { type BotParts, ownerOf } from "../parts.ts";
import type { UpdateOf } from "../platform/update.ts";
import { type ChannelChat, SAID } from "../state/channel-records.ts";

const EDITABLE_MS = 48 * 60 * 60 * 1_000;

interface Edited {
  readonly update: UpdateOf<"edit">;
  /** Cancels a run that goes on. */
  readonly cancel: (run: string) => Promise<void>;
}

/** Forks the run of an edited message; undefined if there is nothing to fork. */
export async function forkEdited(
  parts: BotParts,
  chat: ChannelChat,
  { update, cancel }: Edited,
): Promise<string | undefined> {
  const { records, host, config, clock } = parts;
  const said = await records.find(SAID, `said/${chat.id}/${update.message}`);
  if (said === undefined || said.isAnswer || said.text === update.text) return undefined;
  if (clock.now() - said.at > EDITABLE_MS) return undefined;
  const { runs } = host.store.database;
  const record = await runs.find(said.run);
  const owner = ownerOf(parts, chat);
  if (record?.tenant !== owner.tenant || record.user !== owner.user) return undefined;
  await cancel(said.run);
  const session = `${config.name}-${chat.id}-${chat.n + 1}`;
  // A process that died after the fork has left it in the session.
  const [made] = await runs.list({ ...owner, session, limit: 1 });
  if (made !== undefined) return made.id;
  return host.fork(said.run, { seq: await findMessage(parts, said), input: update.text, session });
}

/** The event that took a message. */
async function findMessage({ host }: BotParts, { run, text }: { run: string; text: string }): Promise<number> {
  const controller = new AbortController();
  let last = 1;
  const length = await host.store.database.logs.length(run);
  for await (const { event } of host.follow(run, controller.signal)) {
    if ((event.type === "run.started" || event.type === "run.resumed") && event.input === text) last = event.seq;
    if (event.seq >= length) controller.abort();
  }
  return last;
}

/** Whether a run is not in a state for a command: it has ended, or was answered. */
export function isSettled(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return ["run_ended", "not_found", "conflict", "question_open"].some((one) => one === code);
}
