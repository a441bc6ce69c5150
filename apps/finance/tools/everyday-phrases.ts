/**
 * Everyday phrases: how people ask for what a tool does without knowing its name, beside the words that each tool
 * brings itself. They only feed the search for tools.
 */

/** Phrases by the name of the tool. */
export const EVERYDAY_PHRASES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "getStockPrice",
    [
      "what is the stock at",
      "how expensive is a share",
      "stock worth today",
      "trading at what level",
      "cổ phiếu đang giá bao nhiêu",
      "thị giá",
    ],
  ],
  [
    "getStockQuote",
    [
      "how big is the company by market value",
      "market value of a firm",
      "stock summary and key statistics",
      "tổng hợp thông tin mã",
      "quy mô vốn hóa của công ty",
    ],
  ],
  [
    "getHistoricalPrice",
    [
      "price on a certain day in the past",
      "old prices",
      "price table of last week",
      "bảng giá các phiên trước",
      "giá năm ngoái",
    ],
  ],
  [
    "getIntradayPrices",
    ["today's moves minute by minute", "morning session", "15min 30min bars", "giá sáng nay chiều nay"],
  ],
  [
    "getPriceChange",
    ["is it up or down over years", "how well did it do", "lãi lỗ phần trăm từ đầu năm", "sinh lời 1 năm 5 năm"],
  ],
  [
    "getTechnicalIndicators",
    [
      "what do the charts say",
      "technical outlook",
      "chart signals to buy or sell",
      "support and resistance momentum",
      "đồ thị nói gì",
      "tín hiệu trên biểu đồ",
    ],
  ],
  ["getRSI", ["rsi value", "too hot or too cold", "bán quá mức", "mua quá nhiều"]],
  ["getMACD", ["macd histogram positive or negative", "trend momentum shift", "tín hiệu MACD"]],
  ["getSMA", ["50-day 100-day 200-day MA", "moving average", "đường MA", "cắt lên MA50"]],
  ["getEMA", ["exponentially weighted", "quick moving average", "đường EMA"]],
  ["getBands", ["bollinger squeeze", "volatility bands around price", "băng Bollinger"]],
  [
    "getBalanceSheet",
    [
      "what does the company own and owe",
      "shareholders equity inventory receivables",
      "cash pile and borrowings",
      "tài sản nợ vốn chủ",
      "tiền mặt và nợ vay",
    ],
  ],
  [
    "getIncomeStatement",
    [
      "sales and earnings per year",
      "is the company profitable",
      "profit and loss account",
      "lãi lỗ các năm",
      "doanh số và lợi nhuận",
    ],
  ],
  [
    "getCashFlow",
    [
      "cash burn",
      "how much cash does it generate",
      "capital spending and buybacks",
      "dòng tiền tự do",
      "tiền vào tiền ra",
    ],
  ],
  [
    "getKeyMetrics",
    [
      "ROE ROA ROIC",
      "enterprise value EV multiples",
      "quality of the business in numbers",
      "giá trị doanh nghiệp",
      "hiệu quả sử dụng vốn",
    ],
  ],
  [
    "getFinancialGrowth",
    ["growth rates year over year", "is the business growing", "tăng trưởng qua từng năm", "tốc độ phát triển"],
  ],
  [
    "getRatios",
    [
      "is it cheap or expensive by valuation ratios",
      "PE PB PS margin leverage",
      "định giá P/E P/B",
      "hệ số nợ biên lợi nhuận",
    ],
  ],
  [
    "getEarnings",
    ["earnings surprise", "reported versus expected profit", "earnings date", "ngày ra báo cáo quý", "vượt kỳ vọng"],
  ],
  ["getDividends", ["payouts to shareholders", "dividend history and ex-date", "chia cổ tức", "tiền cổ tức"]],
  [
    "getStockNews",
    [
      "articles about a company",
      "why is everybody talking about it",
      "what happened to the stock",
      "bài báo về công ty",
    ],
  ],
  [
    "getGeneralNews",
    ["business stories of the day", "morning briefing", "economy stories", "điểm tin thị trường", "bản tin tài chính"],
  ],
  [
    "webSearch",
    [
      "search the web",
      "internet lookup for an interview or a report",
      "find sources online",
      "tìm kiếm trên internet",
      "lên mạng tra",
    ],
  ],
  [
    "getScreener",
    [
      "stocks that meet criteria",
      "find shares by sector price dividend",
      "ideas for cheap stocks",
      "tìm cổ phiếu theo tiêu chí",
      "sàng lọc",
    ],
  ],
  ["getGainers", ["stocks with the best day", "winners today", "what is soaring", "tăng trần", "mã thắng lớn"]],
  ["getLosers", ["worst performers of the day", "what is crashing", "stocks that fell", "giảm sàn", "mã lao dốc"]],
  [
    "getMostActive",
    ["what is everyone trading", "most liquid shares by volume", "thanh khoản cao nhất", "giao dịch sôi động"],
  ],
  ["getCryptoPrice", ["value of one coin in dollars", "what is btc at", "giá đồng coin", "một bitcoin bao nhiêu tiền"]],
  ["getCryptoQuote", ["coin statistics of the last day", "bitcoin up or down in 24 hours", "biến động coin 24h"]],
  [
    "getCryptoHistorical",
    ["klines", "candlestick data of a coin", "past prices of a cryptocurrency", "dữ liệu nến coin", "biểu đồ coin"],
  ],
  ["getCryptoNews", ["blockchain stories", "news on a coin", "tin nóng về tiền số", "bản tin tiền số"]],
  [
    "getCryptoMarkets",
    ["crypto market overview", "ranking of coins", "which coins are hot", "thị trường tiền mã hóa", "coin nào tăng"],
  ],
  [
    "getMarketOverview",
    [
      "how is the stock market doing overall",
      "indices today",
      "market mood and VIX fear",
      "chỉ số chứng khoán hôm nay",
      "tình hình thị trường",
    ],
  ],
  [
    "getSectorPerformance",
    [
      "sector returns",
      "which industries are up",
      "technology versus energy sector",
      "nhóm ngành tăng giảm",
      "dòng tiền vào ngành nào",
    ],
  ],
  [
    "getIndexComponents",
    ["who is in the index", "members of an index", "rổ chỉ số gồm những mã nào", "thành viên VN30 S&P"],
  ],
  [
    "getEconomicCalendar",
    [
      "macro events ahead",
      "fed rate decision date",
      "jobs inflation GDP releases",
      "lịch họp FED",
      "sự kiện vĩ mô sắp tới",
    ],
  ],
  [
    "calculateVaR",
    ["loss of a holding in bad case", "tail risk in dollars", "tính VaR", "lỗ bao nhiêu trong kịch bản xấu"],
  ],
  ["getSharpeRatio", ["reward compared with risk", "performance adjusted for risk", "hiệu quả đầu tư trên rủi ro"]],
  [
    "getVolatilityAnalysis",
    [
      "how dangerous or safe is a stock",
      "standard deviation of returns",
      "wild swings",
      "độ lệch chuẩn",
      "an toàn hay mạo hiểm",
    ],
  ],
  ["tool_search", ["is there a function for this", "list your abilities", "tìm công cụ", "chức năng nào"]],
  ["getCurrentTime", ["clock in a city", "what day of the week", "hôm nay thứ mấy", "mấy giờ rồi"]],
  [
    "resolveSymbol",
    [
      "under which symbol does a brand trade",
      "which company is this ticker",
      "có mã là gì",
      "hãng này mã nào",
      "mã cổ phiếu của hãng là gì",
    ],
  ],
  [
    "calculate",
    ["subtract one number from another", "sum and average of values", "nhân chia hai số", "cộng các con số"],
  ],
  [
    "compareMetrics",
    ["one company against another", "who is more profitable of the two", "giữa hai mã chọn mã nào", "bên nào hơn"],
  ],
  [
    "runBacktest",
    [
      "how would a rule have done historically",
      "try a trading system",
      "thử chiến lược",
      "hiệu quả chiến lược trong quá khứ",
    ],
  ],
  [
    "getFilings",
    ["documents a company sent to the regulator", "annual and quarterly reports list", "báo cáo đã nộp lên SEC"],
  ],
  [
    "readFilingSection",
    [
      "what the company itself writes about its risks and business",
      "text of an item of a report",
      "công ty tự viết gì về rủi ro",
      "đọc nội dung báo cáo",
    ],
  ],
  [
    "searchFilings",
    ["who talks about a topic in official reports", "companies that mention a word", "hồ sơ nào có nhắc đến"],
  ],
  [
    "getInsiderTrades",
    ["is the boss selling his stock", "management purchases and sales", "sếp bán cổ phiếu", "ban lãnh đạo mua hay bán"],
  ],
  [
    "getInstitutionalHoldings",
    [
      "what do famous investors own",
      "stocks in a hedge fund's portfolio",
      "nhà đầu tư nổi tiếng nắm gì",
      "quỹ nắm giữ mã nào",
    ],
  ],
  [
    "getRates",
    [
      "interest on government bonds",
      "2-year 10-year 30-year yield",
      "treasury bills t-bill",
      "trái phiếu kho bạc Mỹ",
      "lãi suất fed funds SOFR",
    ],
  ],
  [
    "getEconomicSeries",
    [
      "consumer price index CPI of the United States",
      "how fast do prices rise in a country",
      "economic output and jobs of a nation",
      "giá cả tăng bao nhiêu",
      "dân số xuất khẩu nhập khẩu",
    ],
  ],
  [
    "convertCurrency",
    [
      "how many dong for a dollar",
      "foreign exchange fx",
      "euro pound yen in dollars",
      "bằng bao nhiêu tiền Việt",
      "đổi ngoại tệ",
    ],
  ],
  [
    "compareSources",
    [
      "same price at Yahoo and Cboe",
      "verify a figure with a second provider",
      "nguồn nào đúng",
      "các nguồn có khớp không",
    ],
  ],
]);
