/**
 * Market topics: news, lists of stocks, and the market as a whole.
 */
import type { Lexicon } from "../topics/phrase-index.ts";
import type { Topic } from "./topic.ts";

/** Phrases of markets. */
export const MARKETS: Lexicon<Topic> = [
  [
    "news",
    `news, headline, people saying, saying about, sentiment on, sentiment about, moving the market, moving markets, moving the markets, driving the market, driving markets, headlines, latest news, recent news, breaking news, news about, news on, articles, article, stories,
     story about, press, what happened, what is happening, what is happening, what is new, what is new, what is new, what is up with,
     what is up with, going on with, buzz, talking about,
     tin, tin tức, tin mới, tin nóng, bản tin, điểm tin, bài báo, bài viết, báo chí, thời sự, có gì mới, có tin gì,
     chuyện gì xảy ra, chuyện gì đang xảy ra, có chuyện gì, thông tin mới, diễn biến mới`,
  ],
  [
    "why",
    `why is @ up, why is @ down, why did @, why has @, why is @ falling, why is @ rising, why is @ dropping, why are @,
     what moved @, what caused, reason for, tại sao @, vì sao @, sao @ giảm, sao @ tăng, lý do @, nguyên nhân, do đâu`,
  ],
  [
    "web",
    `search the web, search the internet, search online, web search, google it, look it up online, look up online,
     on the internet, find online, on the web, check the internet, tìm trên mạng, tra trên mạng, tìm trên web,
     tìm kiếm trên mạng, tìm kiếm trên web, tìm kiếm trên internet, tìm trên internet, tra cứu web, tra cứu trên mạng, tra google,
     lên mạng tìm, lên mạng tra, tra mạng`,
  ],
  [
    "screener",
    `screener, screen for, screen, screening, filter, filter stocks, filter for, stocks under, stocks below, stocks over,
     stocks above, stocks with, stocks that pay, stocks that have, stocks paying, stocks in the, stocks between, companies with, companies worth,
     companies under, companies over, companies in the, find stocks, find me stocks, find companies, list stocks, show me stocks, show stocks,
     stock ideas, dividend stocks, penny stocks, penny stock, large cap, large caps, small cap, small caps, mid cap, mid caps, mega cap,
     mega caps, large cap stocks, small cap stocks, mid cap stocks, growth stocks, value stocks, blue chip stocks,
     cheap stocks, best stock, which stock, what stock, best stocks, good stocks, top stocks, stocks to buy, which stocks, what stocks, stocks listed on, stocks from,
     low beta stocks, high dividend stocks, largest companies, biggest companies, biggest stocks, largest stocks,
     lọc, lọc cổ phiếu, bộ lọc, sàng lọc, tìm cổ phiếu, tìm mã, tìm các cổ phiếu, tìm những cổ phiếu, tìm các mã,
     cổ phiếu dưới, cổ phiếu giá dưới, cổ phiếu trên, cổ phiếu có, các cổ phiếu có, những cổ phiếu có, mã có, công ty có,
     cổ phiếu nào, những cổ phiếu nào, mã nào, cổ phiếu ngành, cổ phiếu nhóm, cổ phiếu công nghệ, liệt kê cổ phiếu,
     liệt kê các cổ phiếu, danh sách cổ phiếu, gợi ý cổ phiếu, cổ phiếu vốn hóa, vốn hóa lớn, vốn hóa nhỏ, vốn hóa vừa,
     cổ phiếu penny, cổ phiếu giá rẻ, cổ phiếu rẻ, cổ phiếu cổ tức, công ty lớn nhất, cổ phiếu lớn nhất, cổ phiếu tốt, ~stocks, ~companies`,
  ],
  [
    "gainers",
    `gainer, gainers, top gainers, biggest gainers, winners, biggest winners, top winners, rose most, rose the most, risen most,
     gained most, gained the most, best performing stocks, best performers, top performers, biggest movers up, movers to the upside,
     stocks up the most, up the most, soaring, jumping, surging, soared, jumped, surged, rallied, hottest stocks, hot stocks, skyrocketed, best performer, strongest stocks, biggest gains, best stocks today, gaining the most, going up most, best day,
     rallying, tăng mạnh, tăng mạnh nhất, tăng nhiều nhất, tăng giá nhiều nhất, tăng giá mạnh nhất, tăng tốt nhất, tăng cao nhất, top tăng,
     top tăng giá, tăng trần, tăng giá, tăng nhất, bứt phá`,
  ],
  [
    "losers",
    `loser, losers, top losers, biggest losers, decliners, biggest decliners, worst performing stocks, worst performers,
     fell most, fell the most, dropped most, dropped the most, dropped hardest, lost the most, down the most, biggest drops, biggest falls,
     plunging, tumbling, crashing, plunged, tumbled, crashed, sank, slumped, weakest stocks, worst performer, worst stocks, falling the most, sinking, laggards, worst day, biggest fallers,
     giảm mạnh, giảm mạnh nhất, giảm nhiều nhất, giảm giá nhiều nhất, giảm giá mạnh nhất, giảm sâu, giảm sâu nhất, top giảm,
     top giảm giá, giảm sàn, rớt giá, rớt mạnh, rớt giá nhiều nhất, mất giá nhiều nhất, lao dốc, giảm giá, giảm nhất`,
  ],
  [
    "active",
    `most active, most actively traded, most traded, highest volume, heaviest trading, heaviest volume, largest volume, most volume,
     traded most, traded the most, largest turnover, everyone trading, everyone buying, everyone is buying, everyone is trading, people buying, people are buying, people trading, people are trading, everybody trading, most popular stocks, most liquid, top volume,
     biggest volume, busiest, by volume, by trading volume,
     giao dịch nhiều nhất, giao dịch sôi động, sôi động nhất, khối lượng lớn nhất, khối lượng giao dịch lớn nhất, khối lượng cao nhất,
     khối lượng giao dịch cao nhất, khối lượng khớp lệnh lớn nhất, thanh khoản cao nhất, thanh khoản lớn nhất, thanh khoản cao, theo khối lượng,
     được giao dịch nhiều, mua bán nhiều nhất, giao dịch mạnh nhất`,
  ],
  [
    "overview",
    `market overview, market up, markets up, market down, markets down, ~market, ~markets, market summary, market today, market doing, markets doing, stock market, stock markets, markets today,
     the market, the markets, overall market, market recap, market wrap, indices, indexes, major indices, major indexes, wall street,
     market mood, market sentiment, market breadth, advancers, decliners and advancers, us market, us markets, market conditions, state of the market,
     fear index, volatility index, bull market, bear market, market snapshot,
     thị trường, thị trường chung, tổng quan thị trường, toàn cảnh thị trường, thị trường hôm nay, thị trường chứng khoán, phố wall,
     chứng khoán mỹ, các chỉ số chứng khoán, chỉ số chứng khoán, các chỉ số, chỉ số chính, tình hình thị trường, bức tranh thị trường,
     diễn biến thị trường, tâm lý thị trường, độ rộng thị trường, chứng khoán hôm nay, thị trường mỹ`,
  ],
  [
    "sectors",
    `sector, sectors, sector performance, sector returns, which sector, which sectors, best sector, worst sector, industries, heatmap, heat map,
     sector heatmap, sector rotation, groups, ngành nào, các ngành, nhóm ngành, các nhóm ngành, hiệu suất ngành, hiệu suất các ngành, ngành,
     nhóm ngành nào, bản đồ nhiệt, theo ngành`,
  ],
  [
    "components",
    `components, component, constituents, constituent, members, member companies, thành viên, companies in, companies are in, who is in, what is in, what is in,
     what is in, stocks are in, stocks make up, make up the, make up @, makes up @, are in @, is in @, in @ index, members of @, companies in @, stocks in @, belong to @, part of @, trong @, included in, part of the, belong to, in the index,
     thành phần, rổ, rổ chỉ số, nằm trong, cổ phiếu trong, công ty trong, mã trong, thuộc chỉ số, thuộc rổ, gồm những, gồm các, bao gồm`,
  ],
  [
    "calendar",
    `economic calendar, calendar, economic events, economic event, macro events, macro calendar, economic data, data releases, economic releases, fed meeting,
     fed meetings, fomc, fomc meeting, cpi, ppi, inflation data, inflation report, jobs report, nonfarm payrolls, payrolls, payroll data, gdp data, gdp release, gdp report,
     unemployment report, rate decision, interest rate decision, fed decision, central bank meeting, upcoming events, retail sales data, pce,
     gdp, unemployment rate, fed meet, announcements, macro data, economic announcements, economic reports,
     lịch kinh tế, sự kiện kinh tế, lịch sự kiện, lịch họp fed, họp fed, fed họp, lịch công bố dữ liệu, công bố cpi, công bố gdp, dữ liệu kinh tế,
     số liệu kinh tế, tin vĩ mô, sự kiện vĩ mô, lịch vĩ mô, bảng lương phi nông nghiệp, báo cáo việc làm, công bố lãi suất, quyết định lãi suất,
     công bố dữ liệu, lạm phát công bố, sự kiện quan trọng, lịch công bố`,
  ],
];
