/**
 * Words: all that channels say themselves, in both languages.
 */

/** A language that channels speak. */
export type ChatLanguage = "en" | "vi";

const EN = {
  help: "Send me a message and I will answer.\n/new begins a new conversation, /stop stops what is running, /link CODE connects this chat to your account, /unlink ends that.",
  welcome: "Hello! Send me a message.",
  linked: "This chat is now connected to your account.",
  unlinked: "This chat is no longer connected to an account.",
  notLinked: "This chat is not connected to an account.",
  wrongCode: "That code is not valid. Codes can be used once, within 15 minutes.",
  needsLink: "This chat has no access yet. Get a code from the server (baton channels link) and send /link CODE.",
  fresh: "A new conversation begins.",
  nothingRuns: "Nothing is running.",
  onlyText: "I can read text and pictures only.",
  tooLong: "That message is too long: at most 10,000 characters.",
  tooMany: "Too many messages are waiting: some of your messages were dropped. Send them again later.",
  noAnswer: "That does not answer the question:",
  morePictures: "Only the first 4 pictures were used.",
  badPicture: "A picture could not be read; it must be at most 5 MB.",
  questionOpen: "A question is open: answer it first, with its buttons.",
  pressed: "Done.",
  pressedBefore: "This was answered before.",
  notYours: "Only the person who asked may choose.",
  operator: "This waits for the approval of an operator.",
  allow: "Allow",
  deny: "Deny",
  choose: "Answer with the number or the word:",
  sources: "Sources",
  again: "(sent again after an interruption; you may have it twice)",
  noPictures: "There is a picture, but this server has no public address to show it from.",
  commands: {
    start: "Begin",
    help: "How it works",
    new: "New conversation",
    stop: "Stop",
    link: "Connect your account",
    unlink: "Disconnect your account",
  },
  failed: (code: string, id: string) => `Something went wrong (${code}, ${id}).`,
  stopped: (stopped: number, finished: number, abandoned: number) =>
    `⏹ Stopped: ${stopped} stopped, ${finished} finished, ${abandoned} abandoned.`,
  missing: (units: number, id: string) => `… ${units} more characters are missing (${id}).`,
} as const;

/** The words of one language. */
export type ChannelWords = { readonly [Key in keyof typeof EN]: Widened<(typeof EN)[Key]> };
type Widened<T> = T extends string
  ? string
  : T extends object
    ? { readonly [Key in keyof T]: Widened<T[Key]> } & Call<T>
    : T;
type Call<T> = T extends (...given: infer Given) => string ? (...given: Given) => string : unknown;

const VI: ChannelWords = {
  help: "Hãy gửi tin nhắn, tôi sẽ trả lời.\n/new bắt đầu cuộc trò chuyện mới, /stop dừng việc đang chạy, /link MÃ kết nối với tài khoản của bạn, /unlink ngắt kết nối.",
  welcome: "Xin chào! Hãy gửi tin nhắn cho tôi.",
  linked: "Cuộc trò chuyện này đã được kết nối với tài khoản của bạn.",
  unlinked: "Cuộc trò chuyện này không còn kết nối với tài khoản nào.",
  notLinked: "Cuộc trò chuyện này chưa kết nối với tài khoản nào.",
  wrongCode: "Mã không hợp lệ. Mỗi mã dùng được một lần, trong 15 phút.",
  needsLink: "Cuộc trò chuyện này chưa có quyền truy cập. Hãy lấy mã từ máy chủ (baton channels link) và gửi /link MÃ.",
  fresh: "Bắt đầu cuộc trò chuyện mới.",
  nothingRuns: "Không có gì đang chạy.",
  onlyText: "Tôi chỉ đọc được chữ và hình ảnh.",
  tooLong: "Tin nhắn quá dài: tối đa 10.000 ký tự.",
  tooMany: "Có quá nhiều tin nhắn đang chờ: một số tin đã bị bỏ. Hãy gửi lại sau.",
  noAnswer: "Câu trả lời chưa phù hợp:",
  morePictures: "Chỉ 4 hình đầu tiên được dùng.",
  badPicture: "Không đọc được một hình; tối đa 5 MB.",
  questionOpen: "Đang có câu hỏi chờ: hãy trả lời bằng các nút trước.",
  pressed: "Xong.",
  pressedBefore: "Câu hỏi này đã được trả lời.",
  notYours: "Chỉ người hỏi mới được chọn.",
  operator: "Việc này đang chờ người vận hành phê duyệt.",
  allow: "Cho phép",
  deny: "Từ chối",
  choose: "Trả lời bằng số hoặc chữ:",
  sources: "Nguồn",
  again: "(gửi lại sau khi bị gián đoạn; bạn có thể nhận hai lần)",
  noPictures: "Có một hình, nhưng máy chủ không có địa chỉ công khai để hiển thị.",
  commands: {
    start: "Bắt đầu",
    help: "Hướng dẫn",
    new: "Cuộc trò chuyện mới",
    stop: "Dừng",
    link: "Kết nối tài khoản",
    unlink: "Ngắt kết nối",
  },
  failed: (code, id) => `Đã xảy ra lỗi (${code}, ${id}).`,
  stopped: (stopped, finished, abandoned) =>
    `⏹ Đã dừng: ${stopped} việc dừng, ${finished} việc xong, ${abandoned} việc bị bỏ.`,
  missing: (units, id) => `… còn thiếu ${units} ký tự (${id}).`,
};

/** The words of a language. */
export function wordsOf(language: ChatLanguage): ChannelWords {
  return language === "vi" ? VI : EN;
}
