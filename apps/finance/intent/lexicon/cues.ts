/**
 * Cues: words that are not a topic but say how a question is meant: what it refers to, which market it is about, whether it
 * is small talk. Compared like topics, beside them.
 */
import type { Lexicon } from "../topics/phrase-index.ts";

/** What a cue says. */
export type Cue =
  | "pronoun"
  | "plural_pronoun"
  | "follow"
  | "instead"
  | "definition"
  | "greeting"
  | "thanks"
  | "chitchat"
  | "help"
  | "tools"
  | "outside"
  | "coin"
  | "stock"
  | "vietnam"
  | "america"
  | "fund"
  | "own"
  | "today"
  | "past"
  | "quarterly"
  | "annual"
  | "ttm"
  | "which"
  | "list";

/** Every cue with its phrases. */
export const CUES: Lexicon<Cue> = [
  [
    "pronoun",
    `it, its,  this stock, that stock, this company, that company, the company, the stock, this one, that one, this ticker, this coin, that coin, the coin, this share,
     nó, của nó, mã này, mã đó, mã ấy, cổ phiếu này, cổ phiếu đó, cổ phiếu ấy, công ty này, công ty đó, công ty ấy, doanh nghiệp này, doanh nghiệp đó, hãng này, coin này, coin đó, đồng này, đồng coin này, con này, con hàng này, này`,
  ],
  [
    "plural_pronoun",
    `they, them, their, these stocks, those stocks, these companies, those companies, both, both of them, the two, these two, those two, all of them, these, those,
     chúng, của chúng, các mã này, các mã đó, những mã này, hai mã này, hai mã đó, hai công ty này, các công ty này, hai cổ phiếu này, cả hai, cả ba, các cổ phiếu này, những cổ phiếu này`,
  ],
  [
    "follow",
    `what about, how about, and, and what about, and how about, also, then, what else, same for, the same for, now for, and for, or, more, tell me more, go on, continue, elaborate, in more detail, again, next, why, why so, how so,
     còn, thế còn, vậy còn, còn nữa, thì sao, thế thì, vậy thì, tương tự, cũng vậy, nói thêm, chi tiết hơn, kể thêm, tiếp đi, tiếp tục, nữa, thêm, tại sao, vì sao, sao vậy`,
  ],
  [
    "instead",
    "instead, rather, i mean, i meant, switch to @, change to @, change it to @, đổi sang @, chuyển sang @, đổi thành @, thay bằng @, ý tôi là, ý mình là, thay vào đó, thay vì",
  ],
  [
    "definition",
    `what is a, what is an, what are, what is the meaning of, what does, what do, meaning of, mean, means, define, definition of, explain, explain what, how does, how do, how to, what is the difference between, difference between, tell me what,
     là gì, nghĩa là gì, có nghĩa là gì, có nghĩa gì, giải thích, định nghĩa, khái niệm, là như thế nào, hoạt động thế nào, tính như thế nào, cách tính, cách đọc, dùng để làm gì, thế nào là, ý nghĩa, ý nghĩa của, khác nhau thế nào`,
  ],
  [
    "greeting",
    `hi, hello, hey, good morning, good afternoon, good evening, greetings, howdy, hiya, yo, hi there, hello there, morning,
     xin chào, chào, chào bạn, chào buổi sáng, chào em, chào anh, chào chị, alo, hế lô, helo, hê lô`,
  ],
  [
    "thanks",
    `thanks, thank you, thx, many thanks, cheers, great thanks, appreciate it, bye, goodbye, see you, good night, ok thanks, nice work, good job, well done, awesome, perfect, cool, got it, ok, okay, alright, great, nice, understood, i see, yes, no, sure, wow,
     cảm ơn, cám ơn, cảm ơn bạn, cảm ơn nhiều, tạm biệt, hẹn gặp lại, tuyệt vời, hay quá, giỏi quá, tốt lắm, đã hiểu, hiểu rồi, được rồi, vâng, dạ, ừ, đồng ý`,
  ],
  [
    "chitchat",
    `how are you, how are you doing, how is it going, how are things, are you human, are you a robot, are you a bot, are you real, do you like, your favorite, your favourite, joke, tell me a joke, are you happy, i love you, you are funny, im bored, im bored, i am bored, i am tired, nice to meet you, do you sleep, do you have feelings, how old are you, sing, tell me a story, lol, haha, hahaha, what is your name, what is your name, what is your name, your name,
     bạn khỏe không, khỏe không, bạn thế nào, bạn có khỏe, kể chuyện cười, chuyện cười, kể chuyện, bạn bao nhiêu tuổi, bạn có người yêu, bạn là người hay máy, buồn quá, chán quá, mệt quá, vui quá, tôi buồn, bạn thích gì, ăn cơm chưa, hát, bạn tên gì, bạn tên là gì, tên bạn là gì, rất vui được gặp`,
  ],
  [
    "help",
    `help, help me, what can you do, what do you do, how can you help, what are you able, who are you, what are you, how do i use, how to use, what can i ask, your features, features, capabilities, commands, instructions, what tools, which tools, what kind of questions, how does this work, what data do you have, where does your data, what can you help, can you help,
     giúp, trợ giúp, bạn làm được gì, bạn có thể làm gì, bạn có thể giúp gì, giúp được gì, bạn là ai, hướng dẫn, hướng dẫn sử dụng, cách sử dụng, cách dùng, tính năng, chức năng, tôi có thể hỏi gì, hỏi được gì, hỏi những gì, những công cụ nào, bạn biết làm gì, bạn giúp được gì, dữ liệu từ đâu, lấy dữ liệu`,
  ],
  [
    "tools",
    `your tools, your tool, tools do you have, tool do you have, what tools, which tools, which tool, what tool, search your tools, công cụ nào, công cụ của bạn, những công cụ nào, công cụ gì`,
  ],
  [
    "outside",
    `weather, recipe, recipes, cook, cooking, python, javascript, java, code, coding, program, function that, script, poem, song, lyrics, movie, movies, film, football, soccer, basketball, world cup, election, president, politics, politician, translate, translation, homework, essay, email, capital of, population of, doctor, medicine, headache, restaurant, hotel, flight, travel, trip, vacation, horoscope, religion, history of rome, math problem, birthday, gift, dating, love letter, game, sort a list, bake, pizza, cake, dinner, lunch,
     thời tiết, trời mưa, nấu ăn, nấu, công thức nấu, món ăn, lập trình, viết code, viết hàm, bài thơ, làm thơ, bài hát, phim, bóng đá, đá bóng, bầu cử, tổng thống, chính trị, dịch sang, dịch câu, phiên dịch, bài tập, bài văn, thủ đô, dân số, bác sĩ, đau đầu, thuốc gì, nhà hàng, khách sạn, du lịch, tử vi, tôn giáo, sinh nhật, quà tặng, trò chơi, phở, bánh`,
  ],
  [
    "coin",
    `coin, coins, crypto, cryptos, cryptocurrency, cryptocurrencies, token, tokens, altcoin, altcoins, usdt, binance, blockchain, defi, stablecoin, memecoin, digital currency,
     đồng coin, tiền điện tử, tiền mã hóa, tiền số, tiền ảo, tiền kỹ thuật số, đồng tiền`,
  ],
  [
    "stock",
    "stock, stocks, share, shares, equity, equities, ticker, cổ phiếu, cp, cổ phần, chứng khoán, mã cổ phiếu, mã chứng khoán",
  ],
  ["fund", "etf, etfs, fund, trust, quỹ, quỹ etf, mini trust"],
  [
    "vietnam",
    "vietnam, vietnamese, viet nam, việt nam, hose, hsx, hnx, upcom, sàn việt nam, hồ chí minh, vn stock, tiền đồng",
  ],
  ["america", "us, usa, american, nyse, nasdaq, amex, new york, united states, mỹ, hoa kỳ, sàn mỹ, phố wall"],
  ["own", "my, i own, i have, i bought, of mine, của tôi, của mình, tôi có, tôi đang giữ, mình có, mình đang giữ"],
  [
    "today",
    "today, now, right now, currently, current, at the moment, this morning, latest, hôm nay, bây giờ, hiện tại, hiện nay, hiện giờ, lúc này, sáng nay, chiều nay, phiên nay",
  ],
  [
    "past",
    `yesterday, last week, last month, last year, last quarter, past week, past month, past year, past, since, ago, historical, historically, during, between, recent years,
     hôm qua, tuần trước, tháng trước, năm ngoái, năm trước, quý trước, tuần qua, tháng qua, năm qua, vừa qua, gần đây, trước đây, hồi, kể từ`,
  ],
  [
    "quarterly",
    `quarter, quarters, quarterly, by quarter, each quarter, per quarter, last quarter, q 1, q 2, q 3, q 4, quý, theo quý, hàng quý, hằng quý, từng quý, mỗi quý, các quý, quý trước, quý này, quý gần nhất, quý #`,
  ],
  [
    "annual",
    "annual, annually, yearly, by year, per year, each year, fiscal year, fiscal years, hàng năm, hằng năm, theo năm, từng năm, mỗi năm, các năm, cả năm",
  ],
  [
    "ttm",
    "ttm, trailing twelve months, trailing 12 months, last twelve months, last 12 months, past twelve months, past 12 months, 12 tháng gần nhất, 12 tháng qua, mười hai tháng, 4 quý gần nhất, bốn quý gần nhất, trailing",
  ],
  ["which", "which, what are the, which of, nào, những mã nào, cái nào"],
  ["list", "list, top, show me, best, worst, biggest, largest, liệt kê, danh sách, những, các"],
];
