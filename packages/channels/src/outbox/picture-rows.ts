/**
 * Picture rows: the pictures of an answer, drawn as PNG and kept for a day, as messages.
 */
import { randomBytes } from "node:crypto";
import { toMessage } from "@baton/core/util";
import type { AnswerExtras } from "@baton/server/mount";
import type { BotParts } from "../parts.ts";
import { type ChannelChat, ChannelRecords, type NewRecord } from "../state/channel-records.ts";
import type { NewRow } from "../state/chat-book.ts";
import { wordsOf } from "../words.ts";
import { splitAt } from "./split-text.ts";

const MAX_PICTURES = 3;
const ID_BYTES = 32;

/** Messages, and the pictures that they show. */
export interface PictureRows {
  readonly rows: readonly NewRow[];
  readonly records: readonly NewRecord[];
}

interface Shown {
  readonly chat: ChannelChat;
  readonly run: string;
  readonly pictures: AnswerExtras["pictures"];
}

/** Draws the pictures; one that cannot be drawn is left out. */
export async function toPictureRows(parts: BotParts, { chat, run, pictures }: Shown): Promise<PictureRows> {
  const { platform, config, draw, host } = parts;
  if (pictures.length === 0) return { rows: [], records: [] };
  if (!platform.isRich && config.public_url === undefined)
    return { rows: [{ text: wordsOf(chat.language).noPictures, entities: [], run }], records: [] };
  const rows: NewRow[] = [];
  const records: NewRecord[] = [];
  for (const { svg, caption } of pictures.slice(0, MAX_PICTURES)) {
    try {
      const png = await draw(svg);
      const media = randomBytes(ID_BYTES).toString("hex");
      const [{ text }] = splitAt({ text: caption, entities: [] }, platform.maxCaptionUnits);
      rows.push({ text, entities: [], media, run });
      records.push(ChannelRecords.media(media, Buffer.from(png).toString("base64")));
    } catch (error) {
      host.logger.error("a picture was not drawn", { channel: config.name, run, error: toMessage(error) });
    }
  }
  return { rows, records };
}
