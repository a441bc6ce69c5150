/**
 * Vietnamese: how people say in Vietnamese who they are and what they prefer, with or without marks.
 */
import {
  asAge,
  asDenial,
  asFixed,
  asGoal,
  asName,
  asNameDenial,
  asTaste,
  asTasteDenial,
  asText,
  asTimeZone,
  asTrait,
  defineRules,
} from "./rule.ts";

const VERY = "?rất|khá|hơi|thuộc|luôn|cũng|vẫn|tương ?đối|kiểu";
const INVESTOR = "?một ?người|nhà|kiểu|dạng ?đầu ?tư";
const TO_ME = "?cho ?{i}";

/** The rules. */
export const VIETNAMESE = defineRules("vi", {
  requests: [
    { patterns: "đừng gọi {i} là|bằng *", read: asNameDenial },
    {
      patterns: `gọi {i} là|bằng ?tên ?là *
        đổi tên ?của ?{i} thành *
        xưng hô với {i} là *`,
      read: asName,
    },
    { patterns: `đừng trả|nói|viết ?lời ${TO_ME} bằng|dùng {lang}`, read: asDenial("language", "lang") },
    {
      patterns: `trả lời ${TO_ME} bằng|với {lang}
        nói|viết|giải ?chuyện ?thích ?với ${TO_ME} ?bằng {lang}
        dùng|sử ?dụng {lang}
        chuyển sang {lang}`,
      read: asTrait("language", "lang"),
    },
    {
      patterns: `trả lời ${TO_ME} ?thật|càng {detail}
        viết|giải|nói ?thích ${TO_ME} ?thật {detail}
        {detail} thôi
        câu trả lời ?nên ?cần ?phải {detail}`,
      read: asTrait("detail", "detail"),
    },
    { patterns: "dùng|sử ?dụng ?đơn ?vị {units}", read: asTrait("units", "units") },
    {
      patterns: `dùng|sử ?dụng ?đơn ?vị ?tiền ?tệ ?là {currency}
        hiển|báo|ghi|tính|quy ?thị ?đổi ${TO_ME} ?mọi|các ?giá|số ?tiền ?cả bằng|theo|ra|sang {currency}`,
      read: asTrait("currency", "currency"),
    },
    { patterns: "đặt múi giờ ?của ?{i} là|thành *", read: asTimeZone },
  ],
  statements: [
    { patterns: "tên ?của {i} không phải ?là *", read: asNameDenial },
    {
      patterns: `tên ?của {i} là|: *
        {i} tên ?là|: *`,
      read: asName,
    },
    { patterns: "{i} không biết|nói|hiểu|đọc ?được {lang}", read: asDenial("language", "lang") },
    {
      patterns: `{i} ?chỉ ?muốn|thích ?nói|dùng|biết|nghe|đọc {lang}
        {i} ?chỉ ?muốn|thích ?được ?câu trả lời bằng {lang}
        ngôn ngữ ?của ?{i} là {lang}`,
      read: asTrait("language", "lang"),
    },
    {
      patterns: `{i} không ?còn ?phải ?là ${INVESTOR} ${VERY} {risk} ?nữa
        {i} từng|đã là ${INVESTOR} {risk}`,
      read: asDenial("risk", "risk"),
    },
    {
      patterns: `{i} ?là|thuộc|có ${INVESTOR} ${VERY} ?là ?theo ?hướng ?tính ?tư ?duy {risk}
        {i} đầu tư ?theo ?kiểu|hướng|một ?cách ?rất {risk}
        phong cách ?đầu ?tư ?của {i} là ?rất|khá {risk}`,
      read: asTrait("risk", "risk"),
    },
    {
      patterns: `khẩu vị rủi ro ?của ?{i} ?là|: ${VERY} {level}
        mức ?độ ?chịu|chấp ?đựng|nhận rủi ro ?của ?{i} ?là|: ${VERY} {level}
        {i} có khẩu vị rủi ro ${VERY} {level}`,
      read: asTrait("risk", "level"),
    },
    {
      patterns: `{i} ?rất|khá ngại|sợ|ghét|tránh|né ?né rủi ro
        {i} không thích|muốn|chịu|chấp ?nhận ?được ?nhiều rủi ro ?cao|lớn
        {i} không thích|muốn mạo hiểm
        {i} ?chỉ thích|muốn ?đầu ?tư ?sự an toàn`,
      read: asFixed("risk", "cautious"),
    },
    {
      patterns: `{i} ?rất|khá|sẵn ?sàng thích|ưa|mê|dám|chấp ?nhận mạo hiểm
        {i} ?rất|khá|sẵn ?sàng thích|ưa|chấp|chịu ?nhận ?được ?nhiều rủi ro ?cao|lớn`,
      read: asFixed("risk", "aggressive"),
    },
    { patterns: `{i} ?là ${INVESTOR} ?đầu ?tư ?theo ?hướng|kiểu {horizon}`, read: asTrait("horizon", "horizon") },
    { patterns: "{i} không thích|muốn ?những|các câu trả lời dài ?dòng", read: asFixed("detail", "short") },
    { patterns: "{i} thích|muốn|cần ?những|các ?câu trả lời ?thật {detail}", read: asTrait("detail", "detail") },
    {
      patterns: `đơn vị tiền ?tệ ?của ?{i} là {currency}
        {i} ?chỉ|muốn ?muốn dùng|tính|xem ?giá ?bằng {currency}`,
      read: asTrait("currency", "currency"),
    },
    { patterns: "múi giờ ?của ?{i} là|: *", read: asTimeZone },
    {
      patterns: `{i} ?hiện|đang ?đang sống|ở|sinh ?sống ở|tại *
        {i} ?hiện|đang ?đang sống|ở *
        {i} mới|vừa chuyển đến|tới *
        {i} đến từ *`,
      read: asText("place"),
    },
    { patterns: "{i} làm nghề *\nnghề ?nghiệp ?của {i} là *", read: asText("occupation") },
    { patterns: "{i} ?là {experience}\n{i} mới ?bắt ?đầu ?tập đầu tư", read: asTrait("experience", "experience") },
    {
      patterns: "{i} ?năm ?nay *",
      read: (found) => (found.rest[1]?.bare === "tuoi" ? asAge(found) : undefined),
    },
    {
      patterns: `mục tiêu ?chính|lớn|đầu|dài|tài ?tư|hạn|chính|nhất ?của ?{i} là|: *
        {i} ?đang tiết|để|đầu kiệm|dành|tư ?tiền để|cho *`,
      read: asGoal,
    },
    {
      patterns: "{i} muốn|dự|mong|ước ?định|ước {aim} *\n{i} muốn|mong {aim}",
      read: ({ clause, language, rest, values }) => {
        const want = clause.tokens.findIndex(({ bare }) => ["muon", "dinh", "mong", "uoc"].includes(bare));
        return asGoal({ clause, language, values, rest: want === -1 ? rest : clause.tokens.slice(want + 1) });
      },
    },
    {
      patterns: `{i} không còn thích|ưa|quan|mê ?tâm ?đến|tới *
        {i} hết thích *
        {i} từng thích *`,
      read: asTasteDenial("like"),
    },
    { patterns: "{i} không còn ghét|tránh *", read: asTasteDenial("dislike") },
    {
      patterns: `{i} không|chẳng|ko|k ?hề thích|ưa|mê *
        {i} không|chẳng ?hề quan tâm ?đến|tới *
        {i} ?rất ghét|tránh *`,
      read: asTaste("dislike"),
    },
    {
      patterns: `{i} ?rất|cũng|chỉ|vẫn|khá|luôn quan tâm ?đến|tới|về *
        {i} ?rất|cũng|chỉ|vẫn|khá|luôn ưu tiên *
        {i} ?rất|cũng|chỉ|vẫn|khá|luôn thích|ưa|yêu|mê|chuộng ?thích *`,
      read: asTaste("like"),
    },
  ],
});
