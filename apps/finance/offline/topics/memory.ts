/**
 * Memory: what was kept of the user's words, and what is remembered of the user and of earlier conversations.
 */
import { z } from "zod";
import type { QuestionLanguage } from "../../intent/intent.ts";
import { toList, toPlainText } from "../words/markdown.ts";
import { toQuoted } from "../words/quoted.ts";
import type { Topic } from "../section.ts";
import type { SeenCall, View } from "../view.ts";

const TEXT = {
  en: {
    title: "Memory",
    saved: (text: string) => `I will remember: “${text}”`,
    known: (text: string) => `I knew that already: “${text}”`,
    refused: (text: string, why: string) => `I did not keep “${text}”: ${why}`,
    undo: "Each change has a card; you can undo it there, or ask what I remember about you.",
    recalled: "this is what I remember about you",
    talked: "these are your earlier messages about that",
    nothing: "there is no memory of that yet: tell me what to remember",
    summary: "The conversation so far",
  },
  vi: {
    title: "Ghi nhớ",
    saved: (text: string) => `tôi sẽ nhớ: “${text}”`,
    known: (text: string) => `tôi đã biết điều này: “${text}”`,
    refused: (text: string, why: string) => `tôi không lưu “${text}”: ${why}`,
    undo: "Mỗi thay đổi có một thẻ, bạn có thể hoàn tác ở đó, hoặc hỏi tôi đang nhớ gì về bạn.",
    recalled: "đây là những gì tôi nhớ về bạn",
    talked: "đây là các tin nhắn trước đây của bạn về chuyện này",
    nothing: "tôi chưa có ghi nhớ nào về điều này: hãy nói điều bạn muốn tôi nhớ",
    summary: "Cuộc trò chuyện đến nay",
  },
} as const;

/** Why something is not kept, in Vietnamese, by what the tool's sentence says. */
const REASONS: readonly (readonly [english: string, vietnamese: string])[] = [
  ["private key", "nội dung có khoá riêng"],
  ["card number", "nội dung có số thẻ"],
  ["password", "nội dung có mật khẩu hoặc bí mật"],
  ["access key", "nội dung có khoá truy cập"],
  ["instructions", "nội dung là chỉ dẫn cho trợ lý, không phải thông tin về bạn"],
];

const SAVED = z.object({ saved: z.literal(true), text: z.string(), operation: z.string() });
const REFUSED = z.object({ saved: z.literal(false), reason: z.string() });
const ASKED = z.looseObject({ content: z.string() });

/** What was kept, or why not. */
export const memorySaved: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const said = calls.flatMap((call) => toSaved(view, call));
  const [first] = said;
  if (first === undefined) return undefined;
  const body = [
    ...(said.length > 1 ? [toList(said)] : []),
    ...(calls.some(({ output }) => SAVED.safeParse(output).success) ? [words.undo] : []),
  ];
  return {
    title: words.title,
    lead: `${first}.`,
    body: said.length > 1 ? [toList(said.slice(1)), ...body.slice(1)] : body,
    facts: [],
  };
};

function toSaved({ language }: View, { args, output }: SeenCall): readonly string[] {
  const words = TEXT[language];
  const saved = SAVED.safeParse(output).data;
  if (saved !== undefined) return [words[saved.operation === "NOOP" ? "known" : "saved"](toPlainText(saved.text))];
  const refused = REFUSED.safeParse(output).data;
  const content = ASKED.safeParse(args).data?.content ?? "";
  // What is refused may be a secret: it is not repeated whole.
  return refused === undefined
    ? []
    : [words.refused(toQuoted(content.slice(0, 60)).text, toReason(refused.reason, language))];
}

function toReason(reason: string, language: QuestionLanguage): string {
  if (language === "en") return toPlainText(reason);
  return REASONS.find(([english]) => reason.includes(english))?.[1] ?? "nội dung không phù hợp để lưu";
}

const FOUND = z.object({
  items: z.array(
    z.looseObject({ text: z.string(), role: z.string().optional(), at: z.union([z.string(), z.number()]).optional() }),
  ),
});
const MAX_ITEMS = 12;

/** What is remembered. */
export const recalled: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const found = calls.flatMap(({ output }) => FOUND.safeParse(output).data?.items ?? []);
  const isTalk = calls.some(({ tool }) => tool === "recallMemory");
  const items = found.map(({ text, role }) =>
    role === "assistant" ? toQuoted(text).text : toPlainText(text.slice(0, 200)),
  );
  const lines = [...new Set([...(isTalk ? [] : view.profile.map(withoutBullet).map(toPlainText)), ...items])].slice(
    0,
    MAX_ITEMS,
  );
  const summary = view.summary.slice(0, 8).map((line) => toQuoted(line).text);
  if (lines.length === 0 && summary.length === 0)
    return { title: words.title, lead: `${words.nothing}.`, body: [], facts: [] };
  const lead = lines.length === 0 ? `${words.nothing}.` : `${isTalk ? words.talked : words.recalled}:`;
  const told = summary.length === 0 ? [] : [`${words.summary}:`, toList(summary)];
  return { title: words.title, lead, body: [...(lines.length === 0 ? [] : [toList(lines)]), ...told], facts: [] };
};

const withoutBullet = (line: string): string => line.replace(/^[-•*]\s+/, "");
