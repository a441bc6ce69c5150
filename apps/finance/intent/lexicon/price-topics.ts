/**
 * Price and technical topics: prices now and then, and what is computed from them.
 */
import type { Lexicon } from "../topics/phrase-index.ts";
import type { Topic } from "./topic.ts";

/** Phrases of prices. */
export const PRICES: Lexicon<Topic> = [
  [
    "price",
    `price, prices, stock price, going rate, price tag, trades for, going for, share price, stock prices, share prices, priced at, current price, latest price,
     last price, latest closing price, last closing price, latest close, last close, giá đóng cửa gần nhất, giá đóng cửa mới nhất, spot price, last traded, trading at, trade at, trades at, trading for, trading now, is @ trading, worth,
     how expensive, cost right now, a share cost, share of @ cost, does @ cost, cost of @, cost of one, what is @ at,
     what is @ at, where is @ at, how much is @, how much is one, how much is a, how much for, current value, value of #,
     how many dollars, ~how much, ~quote, ~cost,
     giá, thị giá, giá cổ phiếu, giá hiện tại, giá bao nhiêu, mức giá, bao nhiêu tiền, bao nhiêu đô, bao nhiêu usd,
     mấy đồng, mấy đô, đang giao dịch ở, đang giao dịch quanh, bao nhiêu một cổ, giá cả, giá trị hiện tại, @ bao nhiêu,
     bao nhiêu điểm, @ đang bao nhiêu, @ đang ở mức, ~bao nhiêu`,
  ],
  [
    "quote",
    `market cap, market caps, market capitalization, market capitalisation, capitalization, capitalisation, marketcap,
     market value, 52 week, 52 weeks, 52 w, 24 h, 24 hour, 24 hours, 24 giờ, biến động 24 h, biến động 24 giờ, biến động trong 24 h, biến động trong 24 giờ,  52 week high, 52 week low, 52 week range, # week range, year high, year low,
     yearly high, yearly low, high and low, high low, low and high, highs and lows, day range, day high, day low, daily range, trading range,
     price range, intraday range, volume, trading volume, average volume, how big is, how large is, full quote,
     detailed quote, complete quote, quote details, key statistics, key stats, key data, all time high, opening price,
     shares traded, shares of @ traded, many shares of @ traded, shares did @ trade, turnover today, today high, today low, how many shares traded, how many shares changed hands,
     vốn hóa, giá trị vốn hóa, mức vốn hóa, vốn hóa thị trường, giá trị thị trường, khối lượng, khối lượng giao dịch,
     khối lượng khớp lệnh, thanh khoản, cao nhất, thấp nhất, giá cao nhất, giá thấp nhất, đỉnh và đáy, đỉnh 52 tuần,
     đáy 52 tuần, 52 tuần, biên độ, biên độ giá, biên độ trong ngày, biên độ giá trong ngày, thông tin tổng hợp,
     thông tin giao dịch, thông tin chi tiết, báo giá đầy đủ, báo giá chi tiết, giá mở cửa, quy mô, vùng đỉnh, vùng đáy, đỉnh, đáy`,
  ],
  [
    "history",
    `price history, historical price, historical prices, historical data, history of prices, past prices, old prices,
     past price, price data, closing price, closing prices, close price, closes, close at, did @ close, daily prices,
     daily price, daily bars, daily close, daily closes, day by day, open high low close, ohlc, ohlcv, price chart,
     price on, candlestick chart, price action, price development, priced in, price table, ~chart, ~history, ~charts,
     ~graph, ~bars, ~candles,
     lịch sử giá, giá lịch sử, giá đóng cửa, đóng cửa, giá quá khứ, giá trong quá khứ, giá theo ngày, giá từng ngày,
     theo từng ngày, biểu đồ giá, đồ thị giá, diễn biến giá, diễn biến, bảng giá, dữ liệu giá, dữ liệu lịch sử,
     giá những ngày, giá các phiên, các phiên trước, ~biểu đồ, ~đồ thị, ~lịch sử, ~nến`,
  ],
  [
    "intraday",
    `intraday, intra day, intraday price, intraday prices, intraday chart, minute bars, minute candles, minute chart,
     minute by minute, hour by hour, # minute, # minutes, # min, # min bars, # hour bars, # hour candles, # hour chart,
     hourly, hourly candles, hourly chart, hourly prices, hourly bars, per minute, every # minutes, every minute,
     tick chart, kline, klines, # h, # hour, # hours, # giờ, # h bars, # h candles, during the day, within the day,
     trong phiên, giá trong phiên, giá trong ngày, diễn biến trong ngày, diễn biến trong phiên, theo phút, từng phút,
     # phút, mỗi # phút, theo giờ, từng giờ, nến # phút, nến # giờ, khung # phút, khung # giờ, khung giờ, # giờ một nến,
     biểu đồ phút, biểu đồ # phút, nến giờ`,
  ],
  [
    "change",
    `performance, performed, performing, perform, price performance, price change, price changes, return, returns,
     total return, stock return, one year return, yearly return, annual return, ytd, year to date, how much has @ gained,
     how much did @ gain, how much has @ risen, how much did @ rise, gained, gain, gains, has @ lost, risen, fallen, rose,
     fell, up or down, dropped, climbed, percent change, percentage change, change in price, changed, moved, gone up,
     gone down, how well has, how well did, went up, went down, made or lost, since january,
     tăng bao nhiêu, giảm bao nhiêu, tăng hay giảm, tăng giảm, tăng được bao nhiêu, lên hay xuống, lãi hay lỗ,
     từ đầu năm, từ đầu năm đến nay, hiệu suất, hiệu suất giá, lợi suất, tỷ suất sinh lời, suất sinh lời, sinh lời,
     sinh lợi, biến động giá, thay đổi giá, giá thay đổi, thay đổi bao nhiêu, mức tăng, mức giảm, tăng mấy, giảm mấy,
     bao nhiêu phần trăm, tăng trưởng giá, giá tăng, giá giảm, đã tăng, đã giảm, ~thay đổi, ~change`,
  ],
];

/** Phrases of indicators. */
export const TECHNICALS: Lexicon<Topic> = [
  [
    "technical",
    `technical, technicals, technical analysis, technical indicators, technical indicator, technical outlook,
     technical view, technical picture, technical signals, technical setup, chart analysis, indicators, indicator,
     chart signals, charts say, chart say, technicals say, technicals saying, technicals saying about, indicators say, indicators saying, indicators saying about, charts saying, charts saying about, bullish, bearish, bullish or bearish, trend, trends, uptrend, downtrend,
     price trend, support, resistance, support and resistance, momentum, ta of, ta on, ta for, oscillators, breakout,
     phân tích kỹ thuật, kỹ thuật, ptkt, chỉ báo kỹ thuật, chỉ báo, các chỉ báo, tín hiệu kỹ thuật, tín hiệu,
     xu hướng, xu hướng giá, hỗ trợ, kháng cự, hỗ trợ và kháng cự, hỗ trợ kháng cự, động lượng, đồ thị nói gì,
     biểu đồ nói gì, tín hiệu mua bán, góc độ kỹ thuật, mặt kỹ thuật`,
  ],
  [
    "rsi",
    `rsi, relative strength, relative strength index, overbought, oversold, over bought, over sold, chỉ số rsi,
     chỉ báo rsi, quá mua, quá bán, mua quá mức, bán quá mức, vùng quá mua, vùng quá bán, sức mạnh tương đối,
     chỉ số sức mạnh tương đối, quá mua hay quá bán, tăng quá đà, bị bán quá mức`,
  ],
  [
    "macd",
    `macd, moving average convergence divergence, macd histogram, macd line, signal line, histogram macd, tín hiệu macd,
     chỉ báo macd, đường macd, đường tín hiệu, phân kỳ hội tụ, hội tụ phân kỳ`,
  ],
  [
    "sma",
    `sma, simple moving average, simple moving averages, moving average, moving averages, simple average, day average,
     # day average, # day moving average, # day ma, # dma, dma, # d ma, # day simple moving average, # ma, ma #, sma #, days average,
     average of # days, # session average, đường ma, đường sma, đường trung bình, trung bình động, đường trung bình động,
     trung bình # ngày, trung bình # phiên, trung bình động # ngày, đường # ngày, đường trung bình # ngày,
     trung bình trượt, đường trung bình trượt, trung bình động đơn giản, mas, smas`,
  ],
  [
    "ema",
    `ema, emas, exponential moving average, exponential moving averages, exponential average, # day ema, ema #, # ema,
     # day exponential moving average, # day exponential average, exponentially weighted average,
     exponentially weighted, đường ema, trung bình động hàm mũ, trung bình hàm mũ, trung bình động lũy thừa,
     trung bình lũy thừa, đường trung bình hàm mũ, đường trung bình động hàm mũ`,
  ],
  [
    "bands",
    `bollinger, bollinger band, bollinger bands, bands, bollinger squeeze, dải bollinger, băng bollinger,
     dải băng bollinger, đường bollinger, kênh bollinger, upper band, lower band, dải trên, dải dưới, bb`,
  ],
  ["atr", "atr, average true range, biên độ thực trung bình, khoảng dao động trung bình thực"],
  ["stoch", "stochastic, stochastics, stochastic oscillator, stoch, chỉ báo stochastic, dao động ngẫu nhiên"],
  ["adx", "adx, average directional index, directional index, trend strength, sức mạnh xu hướng, độ mạnh xu hướng"],
  ["vwap", "vwap, volume weighted average price, volume weighted price, giá bình quân theo khối lượng"],
  ["obv", "obv, on balance volume, khối lượng cân bằng"],
  ["cross", "golden cross, death cross, giao cắt vàng, giao cắt tử thần, điểm cắt vàng, cắt vàng, cắt tử thần"],
];
