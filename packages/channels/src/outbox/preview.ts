/**
 * Preview: what a chat sees while a run works: a draft of the answer, or that the bot is typing. Never kept, never retried.
 */
import { type BotParts, sleep, toChatId } from "../parts.ts";
import type { ChannelChat } from "../state/channel-records.ts";
import { toRichText } from "./rich-text.ts";

const DRAFT_MS = 1_000;
const TYPING_MS = 4_000;
/** Text of an answer that a draft is made of. */
const MAX_DRAFT_CHARS = 8_192;

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
    this.#parts.own(this.#show(text, AbortSignal.any([abort.signal, this.#parts.abort])));
  }

  end(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #show(text: () => string, abort: AbortSignal): Promise<void> {
    const { platform, clock } = this.#parts;
    let hasDrafts = platform.isRich && this.#chat.isPrivate;
    let shown: string | undefined;
    let waitMs = hasDrafts ? DRAFT_MS : 0;
    for (;;) {
      await sleep(clock, waitMs, abort);
      if (abort.aborted || this.#chat.isGone) return;
      waitMs = hasDrafts ? DRAFT_MS : TYPING_MS;
      const now = hasDrafts ? toEnd(text(), platform.maxUnits) : "";
      if (hasDrafts && now === shown) continue;
      shown = now;
      const outcome = hasDrafts
        ? await this.#call("sendMessageDraft", { draft_id: this.#draft, text: now, can_stop: true })
        : await this.#call("sendChatAction", { action: "typing" });
      if (outcome.type !== "refused") continue;
      if (outcome.code === 429) waitMs = outcome.retryAfterMs ?? TYPING_MS;
      else if (outcome.code < 500) hasDrafts = false;
    }
  }

  #call(method: string, parameters: object) {
    const { client, platform, abort } = this.#parts;
    return client.call(method, { chat_id: toChatId(this.#chat.target, platform), ...parameters }, abort);
  }
}

/** The end of a longer text, after `…`. */
function toEnd(markdown: string, maxUnits: number): string {
  const { text } = toRichText(markdown.slice(-MAX_DRAFT_CHARS));
  if (markdown.length <= MAX_DRAFT_CHARS && text.length <= maxUnits) return text;
  const end = text.slice(-(maxUnits - 1));
  const first = end.charCodeAt(0);
  return `…${first >= 0xdc00 && first <= 0xdfff ? end.slice(1) : end}`;
}
