/**
 * Wish words: how people ask that something is kept for them: a memory, a holding, an alert, a time; and the words that
 * may stand before such a request without making it a question, a report or a refusal.
 */
import type { Lexicon } from "../topics/phrase-index.ts";

/** What a phrase asks for, or says about the user. */
export type WishCue =
  | "remember"
  | "preference"
  | "goal"
  | "skill"
  | "fact"
  | "being"
  | "aside"
  | "own"
  | "bought"
  | "sold"
  | "put"
  | "take"
  | "alert"
  | "tell"
  | "watch";

/** How Vietnamese say "I". */
const PRONOUNS = ["tôi", "mình", "tui", "em", "tớ", "mk"] as const;

/** Vietnamese phrases in which `~` stands for each word for "I". */
function withPronouns(phrases: string): string {
  return phrases
    .split(",")
    .flatMap((phrase) => PRONOUNS.map((pronoun) => phrase.replace("~", pronoun)))
    .join(",");
}

/** Phrases of wishes; of several at a word the longest counts, so "i like it" says nothing of the user. */
export const WISH_WORDS: Lexicon<WishCue> = [
  [
    "remember",
    `remember, keep in mind, bear in mind, note that, make a note, take note, dont forget, do not forget, never forget, save to memory,
     save in memory, save to your memory, save this to memory, save that to memory, add to memory, add this to memory, save this, save that, store this, store that,
     memorize, memorise, commit to memory, nhớ, nhớ rằng, nhớ là, nhớ giúp, nhớ hộ, nhớ dùm, nhớ cho, ghi nhớ, ghi nhớ rằng, ghi nhớ giúp, hãy nhớ, lưu lại, lưu giúp, lưu vào bộ nhớ,
     lưu ý, lưu ý rằng, lưu ý là, ghi lại, ghi chú, đừng quên`,
  ],
  [
    "preference",
    `i like, i love, i prefer, i hate, i dislike, i do not like, i dont like, i favor, i favour, i avoid, i enjoy, i am a fan of, im a fan of,
     i am interested in, im interested in, i am not interested in, im not interested in, i care about, i only, i only buy, i only invest, i never buy, i never invest, i never trade, i never hold,
     i usually, i mostly, i mainly, i always, i tend to, i focus on, call me, my preference, my preferences, my favorite, my favourite, my favorites, my favourites,
     my risk tolerance, my risk appetite, my risk profile, my investment style, my style, my strategy is, i dont want to own, i do not want to own, i refuse to,
     ${withPronouns(`~ thích, ~ rất thích, ~ ưa, ~ ghét, ~ không thích, ~ tránh, ~ ưu tiên, ~ chuộng, ~ quan tâm đến, ~ quan tâm tới, ~ chỉ mua, ~ chỉ đầu tư, ~ không bao giờ mua, ~ không mua,
     ~ thường, ~ luôn, gọi ~ là, hãy gọi ~ là, khẩu vị rủi ro của ~, sở thích của ~, phong cách đầu tư của ~, ~ theo trường phái, ~ sợ rủi ro, ~ ngại rủi ro, ~ chấp nhận rủi ro`)}`,
  ],
  [
    "goal",
    `my goal, my goals, my aim, my objective, my investment goal, my financial goal, i want to retire, i plan to retire, i hope to retire, i want to save, i want to build, i want to reach, i want to buy a house,
     i want to buy a home, i am saving, im saving, i am saving for, im saving for, i am investing for, im investing for, i invest for, i want passive income, i want financial,
     ${withPronouns(`mục tiêu của ~, mục tiêu đầu tư của ~, ~ muốn nghỉ hưu, ~ dự định nghỉ hưu, ~ muốn tiết kiệm, ~ đang tiết kiệm, ~ đặt mục tiêu, ~ muốn mua nhà, ~ muốn tự do tài chính, ~ đầu tư để, ~ đầu tư cho`)}`,
  ],
  [
    "skill",
    `i am new to, im new to, i am a beginner, im a beginner, i have no experience, i have experience, i am experienced, im experienced, i know how to,
     ${withPronouns(`~ mới bắt đầu, ~ là người mới, ~ mới đầu tư, ~ mới tập, ~ có kinh nghiệm, ~ chưa có kinh nghiệm, ~ biết cách`)}`,
  ],
  [
    "fact",
    `my name is, my names, my name, my age, my job, my occupation, my salary, my budget, my broker, my time zone, my timezone, i live in, i work as, i work at, i work in, i work for, i was born, i earn, i invest, i am from, im from,
     i am based in, im based in, i trade, i use, i speak, i pay, i am # years, im # years, i am #, im #, i have # kids, i have # children, i am married, im married, i am retired, im retired,
     ${withPronouns(`tên ~, tên của ~, ~ tên, ~ tên là, ~ sống ở, ~ ở, ~ làm nghề, ~ làm việc, ~ làm, ~ # tuổi, ~ năm nay # tuổi, nghề của ~, thu nhập của ~, lương của ~, ngân sách của ~, ~ đầu tư, ~ dùng, ~ giao dịch`)}`,
  ],
  ["being", `i am, im, ${withPronouns("~ là")}`],
  [
    "aside",
    `i like it, i like this, i like that, i like your, i like how, i like what, i like you, i love it, i love this, i love that, i love you, i love your, i love how, i hate it, i hate this, i hate you, i like to know, i like to see,
     i prefer to see, i prefer to know, i always wonder, i use this, i use you, my name is not important, i work on it, remember when, remember what, remember how, remember who, remember which, remember where, remember the, remember me, remember anything,
     remember everything, remember things, nhớ gì, nhớ không, nhớ không nhỉ, nhớ những gì, nhớ lần, nhớ được,
     my name was, ${withPronouns("~ thích nó, ~ là ai, ~ là gì, ~ ở đâu, ~ tên gì, ~ tên là gì, tên ~ là gì, ~ thường hỏi, ~ làm gì, ~ làm sao, ~ làm thế nào, ~ dùng thế nào, ~ đầu tư gì, ~ đầu tư vào đâu, ~ đầu tư bao nhiêu")}`,
  ],
  [
    "own",
    `i own, i have, i hold, i am holding, im holding, ive got, i have got, i now have, i now own, i currently own, i currently have, i currently hold, i am long, my holdings are, my position is, my positions are, my portfolio is, my portfolio has, my portfolio,
     ${withPronouns(`~ có, ~ đang có, ~ giữ, ~ đang giữ, ~ nắm giữ, ~ đang nắm giữ, ~ nắm, ~ đang nắm, ~ sở hữu, ~ đang sở hữu, ~ hiện có, ~ hiện giữ, ~ còn, danh mục của ~ có, danh mục của ~ gồm`)}`,
  ],
  [
    "bought",
    `i bought, i just bought, i have bought, ive bought, i purchased, i have purchased, i picked up, i got, mua thêm, mua vào,
     ${withPronouns(`~ mua, ~ vừa mua, ~ mới mua, ~ đã mua, ~ mua thêm, ~ vừa mua thêm, ~ mới mua thêm, ~ đã mua thêm`)}`,
  ],
  [
    "sold",
    `i sold, i just sold, i have sold, ive sold, i sold all, i have sold all, bán hết,
     ${withPronouns(`~ bán, ~ vừa bán, ~ mới bán, ~ đã bán, ~ bán hết, ~ đã bán hết, ~ vừa bán hết`)}`,
  ],
  [
    "put",
    `add, put, import, upload, include, record, log, register, enter, update, set, change, correct, thêm, cho, đưa, ghi, nhập, cập nhật, sửa, đặt, bổ sung`,
  ],
  [
    "take",
    `remove, delete, drop, take, erase, clear, empty, reset, cancel, stop, disable, turn off, switch off, get rid of, xóa, xoá, bỏ, gỡ, loại, hủy, huỷ, tắt, dừng, ngừng, xóa hết, xóa sạch, bỏ hết, hủy hết, tắt hết, làm trống`,
  ],
  [
    "alert",
    `alert me, alert us, notify me, let me know, warn me, ping me, remind me, message me, email me, text me, send me an alert, send an alert, send me a notification, give me an alert,
     set an alert, set alert, set alerts, set up an alert, set me an alert, set a price alert, set up a price alert, set up alerts, create an alert, create alert, create a price alert, add an alert, make an alert, set a reminder, create a reminder,
     báo khi, báo nếu, báo cho, nhắc khi, cảnh báo, cảnh báo cho, cảnh báo khi, cảnh báo nếu, thông báo khi, thông báo nếu, thông báo cho, đặt cảnh báo, tạo cảnh báo, thêm cảnh báo, cài cảnh báo, lập cảnh báo, đặt nhắc, nhắn cho, nhắn khi,
     ${withPronouns("báo ~, báo cho ~, báo giúp ~, nhắc ~, nhắc cho ~, cảnh báo ~, cảnh báo cho ~, thông báo ~, thông báo cho ~, nhắn ~, nhắn cho ~")}`,
  ],
  [
    "tell",
    `tell me when, tell me if, tell me once, tell me as soon as, inform me when, inform me if, ${withPronouns("cho ~ biết khi, cho ~ biết nếu, nói cho ~ biết khi")}`,
  ],
  [
    "watch",
    `watch, keep an eye on, monitor, track, follow, keep track of, keep watching, start watching, stop watching, stop following, stop tracking, unwatch, unfollow, theo dõi, bỏ theo dõi, ngừng theo dõi, thôi theo dõi, để mắt tới, để ý`,
  ],
];

/** Words that may stand before a request, folded. */
export const FILLERS: ReadonlySet<string> = new Set(
  `please pls plz kindly remember can could would will you u hey hi hello ok okay also and then now just so btw by the way i want need like id im to lets let us go ahead yes sure thanks thank well
   oh dear assistant bot first second finally next too but again actually from always henceforth afterwards later today still really quickly
   hay xin vui long lam on ban giup gium dum toi minh em anh chi nho cho va roi thi oi a nay luon can muon nhe voi ho u vang da cung nua tiep nhung tu gio sau tro di cu lai
   chao nha nhe dum tui to mk bot xong`.split(/\s+/),
);

/** Words that introduce what others said. */
export const SAYING: ReadonlySet<string> = new Set(
  `says said say saying tells told wrote writes written reads read states stated claims claimed asks asked reports reported suggests suggested quote quoted
   viet noi bao ghi dua doc khuyen`.split(/\s+/),
);

/** Words that make a sentence a supposition. */
export const SUPPOSING: ReadonlySet<string> = new Set(
  "if suppose supposing imagine assume assuming pretend neu".split(" "),
);

/** What a text is called that somebody else wrote. */
export const PASTED: ReadonlySet<string> = new Set(
  `headline headlines article articles news email emails mail message messages tweet tweets post posts text texts quote quotes snippet passage paragraph document documents page website
   table csv title titles review reviews comment comments filing filings transcript caption translate summarize summarise rewrite paraphrase proofread explain classify sentence sentences
   tin bai tieu thu doan bang nhan luan dung cau dich trich`.split(/\s+/),
);
