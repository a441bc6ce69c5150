/**
 * Preview: what a chat sees while a run works: a draft of the answer, or that the bot is typing. Never kept, never retried.
 */
import type { ChannelChat } from "../state/channel-records.ts";
import { type BotParts, sleep } from "../parts.ts";
import { toChatId } from "./outbox.ts";
import { toRichText } from "./rich-text.ts";

const DRAFT_MS = 1_000;
const TYPING_MS = 4_000;

/** The preview of one run in one chat. */
export class Preview {
  readonly #parts: BotParts;
  readonly #chat: ChannelChat;
  readonly #draft: number;
  #abort: AbortController | undefined;

  constructor(parts: BotParts, chat: ChannelChat, run: string) {
    this.#parts = parts;
    this.#chat = chat;
    this.#draft = Number.parseInt(run.replaceAll("-", "").slice(-7), 16) || 1;
  }

  /** Shows what is said from now on. */
  begin(text: () => string): void {
    this.end();
    const abort = new AbortController();
    this.#abort = abort;
    this.#parts.own(this.#show(text, abort.signal));
  }

  end(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #show(text: () => string, abort: AbortSignal): Promise<void> {
    const { platform, clock, abort: ended } = this.#parts;
    const both = () => abort.aborted || ended.aborted || this.#chat.isGone;
    let hasDrafts = platform.isRich && this.#chat.isPrivate;
    let shown = "";
    if (!hasDrafts) await this.#call("sendChatAction", { action: "typing" });
    while (!both()) {
      await sleep(clock, hasDrafts ? DRAFT_MS : TYPING_MS, abort);
      if (both()) return;
      const now = hasDrafts ? toEnd(toRichText(text()).text, platform.maxUnits) : "";
      if (hasDrafts && now === shown) continue;
      const isTaken = hasDrafts
        ? await this.#call("sendMessageDraft", { draft_id: this.#draft, text: now, can_stop: true })
        : await this.#call("sendChatAction", { action: "typing" });
      if (!isTaken) hasDrafts = false;
      shown = now;
    }
  }

  async #call(method: string, parameters: object): Promise<boolean> {
    const { client, platform } = this.#parts;
    const outcome = await client.call(method, { chat_id: toChatId(this.#chat.target, platform), ...parameters });
    return outcome.type === "done" || (outcome.type === "refused" && outcome.code === 429);
  }
}

function toEnd(text: string, maxUnits: number): string {
  return text.length <= maxUnits ? text : `…${text.slice(text.length - maxUnits + 1)}`;
}
