/**
 * Other topics: risk, advice, comparison, and what is not about data.
 */
import type { Lexicon } from "../topics/phrase-index.ts";
import type { Topic } from "./topic.ts";

/** Phrases of all else. */
export const OTHERS: Lexicon<Topic> = [
  [
    "var",
    `var, value at risk, risk of losing, risk of loss, chance of losing, lose money on, losing money on, confidence, confidence level, độ tin cậy, mức tin cậy, how much could i lose, how much can i lose, maximum loss, max loss, worst case loss, worst daily loss, expected loss, tail risk,
     could lose, can i lose, might i lose, could i lose, giá trị rủi ro, giá trị chịu rủi ro, mất tối đa, lỗ tối đa, mất bao nhiêu, lỗ nhiều nhất, có thể mất, có thể lỗ, thua lỗ tối đa`,
  ],
  [
    "sharpe",
    `sharpe, sharpe ratio, sortino, sortino ratio, risk adjusted return, risk adjusted returns, risk adjusted performance, risk adjusted,
     reward for risk, risk reward, chỉ số sharpe, hệ số sharpe, tỷ lệ sharpe, tỷ số sharpe, hệ số sortino, lợi nhuận điều chỉnh theo rủi ro, điều chỉnh theo rủi ro,
     lợi nhuận trên rủi ro, xứng đáng với rủi ro`,
  ],
  [
    "volatility",
    `volatility, volatile, drawdown, drawdowns, max drawdown, maximum drawdown, beta, standard deviation, riskier, safer, more volatile, less volatile, rủi ro hơn, an toàn hơn, biến động hơn, ít rủi ro hơn, ~risk, ~risks, risky, how risky, risk level, risk analysis, risk score, risk profile,
     dangerous, ~safe, how safe, swings, price swings, peak to trough,
     độ biến động, biến động, biến động mạnh, mức độ biến động, độ lệch chuẩn, mức sụt giảm, sụt giảm tối đa, sụt giảm, hệ số beta, ~rủi ro, mức rủi ro, mức độ rủi ro, phân tích rủi ro,
     ~an toàn, mạo hiểm, nguy hiểm, dao động`,
  ],
  [
    "backtest",
    `backtest, back test, buy and hold, buy hold, mua và giữ, mua giữ, mua rồi giữ, backtesting, backtested, test a strategy, test the strategy, trading strategy, strategy, simulate, simulation, what if i had, if i had bought, if i had invested, if i invested, if i had put, had i put, how much would, would be worth, be worth today, be worth now, if i had traded, had i bought, had i invested,
     would have made, historically traded, chiến lược, kiểm định, kiểm thử, kiểm tra chiến lược, thử chiến lược, nếu tôi mua, nếu mua, nếu đã mua, nếu đầu tư, giả sử mua, mô phỏng, thử nghiệm chiến lược, kiểm tra lại chiến lược`,
  ],
  [
    "advice",
    `should i buy, should i sell, should i hold, should we buy, should i invest, should i get, is it worth buying, worth buying, good buy, a buy, still a buy, is @ a good, good investment, good time to buy, good time to sell, time to buy, time to sell, buy or sell, buy, sell or hold, hold or sell, buy now,
     invest in, worth investing, would you buy, recommend, do you recommend, recommendation, good stock, worth it, price target, target price, forecast, outlook, prediction, predict, will @ go up, will @ be worth, will @ be, be worth in, will @ rise, will @ fall, will @ go down,
     go up tomorrow, go to the moon, bullish case, bear case, take profit, cut losses,
     nên mua, có nên mua, nên bán, có nên bán, có nên đầu tư, nên đầu tư, nên giữ, có nên giữ, mua được không, đáng mua, có đáng mua, đáng đầu tư, có tốt không, tốt không, mua hay bán, nên mua hay bán, khuyến nghị, đầu tư vào, có ổn không, tư vấn, dự báo, dự đoán, triển vọng, giá mục tiêu, mục tiêu giá, chốt lời, cắt lỗ, có tiềm năng, tiềm năng, xuống tiền, bắt đáy, có nên, mua vào, bán ra`,
  ],
  [
    "analysis",
    `analyze, analyse, analysis, analysis of, analyzing, tell me about, overview of, give me an overview, look at, deep dive, deep look, thoughts on, think of, think about, opinion on, opinion of, evaluate, assess, rate @, lowdown, what does @ do, what do you know about, view on, assessment, review, summary of, summarize, summarise, rundown, take on, info on, information on, information about, check out, details on, profile of,
     phân tích, đánh giá, nhận định, tổng quan về, nói về, cho tôi biết về, thông tin về, giới thiệu về, nhận xét, xem xét, tìm hiểu, tìm hiểu về, quan điểm về, nghĩ gì về, nghĩ sao về, tổng quan`,
  ],
  [
    "report",
    `full report, complete report, detailed report, comprehensive report, in depth report, full analysis, complete analysis, comprehensive analysis, in depth analysis, thorough analysis, full research, research report, deep research, full write up, write a report, report on, equity research, investment report, deep dive report, full breakdown, full picture,
     báo cáo đầy đủ, báo cáo chi tiết, báo cáo toàn diện, báo cáo phân tích, báo cáo tổng hợp, phân tích toàn diện, phân tích đầy đủ, phân tích chuyên sâu, phân tích sâu, nghiên cứu sâu, nghiên cứu chuyên sâu, báo cáo về, viết báo cáo, làm báo cáo, lập báo cáo, báo cáo chuyên sâu, nghiên cứu toàn diện`,
  ],
  [
    "compare",
    `compare, compared, compares, comparing, comparison, vs, versus, against, side by side, which is better, which one is better, which one, which is, which has, which of, who has, better than, cheaper than, bigger than, larger than, stronger than, safer than, riskier than, difference between, relative to, compare to, compared to, compared with, better, cheaper, faster, nhanh hơn, safer, riskier, more profitable, more volatile, head to head, stack up,
     so sánh, so với, so sánh với, đối chiếu, cái nào, mã nào tốt hơn, cổ phiếu nào tốt hơn, bên nào, công ty nào, tốt hơn, rẻ hơn, đắt hơn, lớn hơn, mạnh hơn, an toàn hơn, hiệu quả hơn, hơn, khác nhau, đặt cạnh, đọ, ai hơn, giữa`,
  ],
  ["correlation", "correlation, correlated, correlate, correlations, tương quan, hệ số tương quan, mối tương quan"],
  [
    "score",
    "piotroski, piotroski score, f score, piotroski f score, altman, altman z, altman z score, z score, điểm piotroski, chỉ số altman, bankruptcy risk, nguy cơ phá sản",
  ],
  [
    "time",
    `what time, current time, time is it, time now, what day is it, what day is today, what date, today date, todays date, current date, which day is, what is the time, what is the time, what is the time, the time in, date today, time in,
     mấy giờ, giờ hiện tại, hôm nay thứ mấy, thứ mấy, hôm nay ngày mấy, ngày mấy, ngày bao nhiêu, hôm nay là ngày, bây giờ là mấy giờ, giờ việt nam, giờ new york, giờ mỹ, ngày hôm nay là`,
  ],
  [
    "open",
    `market open, markets open, market closed, markets closed, is nyse open, exchange open, is wall street open, trading hours, opening hours, market hours, when does the market open, when does the market close, open right now, market still open, nyse open, nasdaq open,
     mở cửa chưa, đóng cửa chưa, có mở cửa, đã mở cửa, đang mở cửa, còn mở cửa, giờ giao dịch, giờ mở cửa, mấy giờ mở cửa, mở cửa lúc, thị trường mở cửa, thị trường đóng cửa, thị trường mỹ mở cửa, thị trường mỹ đã mở cửa, có giao dịch không, market open today, is the market open`,
  ],
  [
    "resolve",
    `ticker of, ticker for, ticker symbol, ticker symbol of, ticker symbol for, the ticker, what ticker, stock symbol, symbol of, symbol for, stock code, which ticker, what company is, which company is, what stock is, @ là mã gì, @ là công ty gì, mã @ là của, stock ticker, what symbol, which symbol, trades under, under what ticker, which exchange, what exchange, which stock exchange, what stock exchange, where is @ listed, sàn nào, niêm yết ở đâu,
     mã cổ phiếu của, mã chứng khoán của, mã chứng khoán, mã của, mã giao dịch, mã gì, có mã là gì, mã là gì, mã cổ phiếu là gì, mã nào là của, ticker của, có mã nào, mã ck, mã cổ phiếu gì, ký hiệu`,
  ],
  [
    "recall",
    `do you remember, what did i ask, what did we talk about, what did we discuss, last time we, we talked about, we discussed, were we talking, were we talking about, we were talking about, were we discussing, you remember, earlier you said, what did i say, what did you say, did i tell you, my earlier question, previous conversation, conversation history, what have we, what do you know about me, what did i tell you, my preferences, you know about me, what do you remember, do you know what kind of, do you know my, do you know who i am, do you know how i, what kind of investor am i, what kind of investor i am, have i asked, i asked you, did i ask, i asked about, who am i, what is my name, what are my preferences, what is my goal, what are my goals, what is my risk profile, what is my risk tolerance, my investment preferences, what do i like, what do i prefer, remember about me, remember about, remember me, remember anything about, remember when, remember what, remember the,
     bạn còn nhớ, còn nhớ, nhớ không, hôm trước tôi hỏi, tôi đã hỏi, lần trước, chúng ta đã nói, đã trao đổi, đã nói gì, tôi đã nói gì, câu hỏi trước của tôi, bạn biết gì về tôi, cuộc trò chuyện trước, bạn nhớ gì, nhớ gì về, biết gì về tôi, biết gì về mình, mình đã hỏi, vừa hỏi gì, sở thích của tôi là gì, sở thích đầu tư của tôi, khẩu vị rủi ro của tôi là gì, mục tiêu của tôi là gì, tên tôi là gì, tôi tên gì, tôi tên là gì, tôi là ai, tôi thích gì, mình thích gì, tôi thích cổ phiếu nào, mình thích cổ phiếu nào, tôi đã kể, tôi từng nói, tôi từng hỏi, hôm qua tôi hỏi, tuần trước tôi hỏi`,
  ],
  [
    "remember",
    `remember that, remember i, remember my, please remember, save this, save that, save to memory, note that i, keep in mind, dont forget, dont forget, store this, memorize,
     hãy nhớ, nhớ rằng, nhớ là, nhớ giúp, ghi nhớ, lưu lại, lưu ý rằng tôi, lưu giúp, hãy lưu, ghi lại`,
  ],
  [
    "watch",
    `set an alert, set alerts, alert, alerts, price alert, price alerts, my alerts, alert me, create an alert, notify me, watchlist, my watchlist, watch list, watchlists, add to my watchlist, remind me, reminders, my reminders, my schedules, scheduled questions, schedules, am i watching, i am watching, stocks i watch, stocks i follow,
     đặt cảnh báo, cảnh báo, cảnh báo giá, những cảnh báo, các cảnh báo, cảnh báo khi, báo cho tôi khi, danh sách theo dõi, nhắc tôi, lịch nhắc, thông báo cho tôi khi, mã đang theo dõi, tôi đang theo dõi, mình đang theo dõi`,
  ],
  [
    "convert",
    "convert, exchange rate, exchange rates, currency, currency rate, fx rate, forex rate, usd to vnd, quy đổi, quy ra, đổi ra, đổi sang, tỷ giá, tỉ giá, tỷ giá hối đoái, đổi tiền",
  ],
  [
    "commodity",
    "gold price, oil price, oil prices, silver price, price of gold, price of oil, price of silver, gold prices, giá vàng, giá dầu, giá bạc, giá xăng, giá xăng dầu, vàng sjc",
  ],
  [
    "doing",
    `~doing, ~how did @ do, ~how has @ done, ~how is @, ~how is @, ~how is @, ~how are @, ~how about, ~how did, ~how does, ~looking, ~look, ~thế nào, ~ra sao, ~sao rồi, ~như thế nào, ~tình hình, ~tình hình @, ~ổn không, ~today, ~hôm nay, ~update, ~cập nhật`,
  ],
];
