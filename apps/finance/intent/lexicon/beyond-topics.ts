/**
 * Beyond topics: filings, insiders and large holders, rates, economic series, sources side by side, and what the user
 * owns.
 */
import type { Lexicon } from "../topics/phrase-index.ts";
import type { Topic } from "./topic.ts";

/** Phrases of official data and of the user's own. */
export const BEYOND: Lexicon<Topic> = [
  [
    "filings",
    `10 k, 10 q, 8 k, 20 f, 6 k, sec filing, sec filings, filing, filings, annual report, prospectus, proxy statement, what did @ file, did @ file,
     báo cáo thường niên, hồ sơ sec, hồ sơ nộp sec, tài liệu sec, nộp sec, bản cáo bạch`,
  ],
  [
    "section",
    `risk factors, risk factor, risk factor section, md&a, management discussion, management discussion and analysis, managements discussion, item 1, item 1 a, item 1 b, item 1 c, item 2, item 3, item 5, item 7, item 7 a, item 8, item 9 a,
     business section, business description, business overview, legal proceedings, notes to the financial statements, market risk disclosures, market risk section, cybersecurity section, financial statements section,
     yếu tố rủi ro, các yếu tố rủi ro, nhân tố rủi ro, rủi ro trong báo cáo thường niên, thảo luận của ban giám đốc, phân tích của ban lãnh đạo, mô tả kinh doanh, phần kinh doanh, mục 1 a, mục 7, mục 1, mục 8, mục 7 a, tranh chấp pháp lý`,
  ],
  [
    "filing_search",
    `search filings, search sec filings, search the filings, search in filings, search edgar, full text search, filings that mention, filings mentioning, filings mention, filings about, which filings, who mentioned, mentioned in filings, mention in filings,
     tìm trong hồ sơ, tìm hồ sơ, tìm trong báo cáo sec, tìm trong hồ sơ sec, hồ sơ nào nhắc, hồ sơ nhắc đến, hồ sơ đề cập`,
  ],
  [
    "insiders",
    `insider, insiders, insider trade, insider trades, insider trading, insider buying, insider selling, insider transactions, insider transaction, form 4, form 4 s, directors bought, directors sold, executives selling, executives buying, among its directors, did the ceo sell, did the ceo buy, ceo sold, ceo bought, management buying, management selling,
     giao dịch nội bộ, cổ đông nội bộ, người nội bộ, lãnh đạo mua, lãnh đạo bán, ban lãnh đạo mua, ban lãnh đạo bán, nội bộ bán, nội bộ mua, ceo bán, ceo mua`,
  ],
  [
    "institutions",
    `13 f, 13 fs, 13 f filing, 13 f filings, 13 f holdings, 13 f portfolio, institutional holdings, institutional holding, hedge fund holdings, fund manager holdings, holdings of the fund, buffett holdings, buffett own, buffett owns, buffetts portfolio, buffett portfolio, danh mục 13 f, báo cáo 13 f, quỹ nắm giữ, danh mục của quỹ`,
  ],
  [
    "rates",
    `treasury yield, treasury yields, treasury curve, treasury yield curve, us treasury yields, treasury rates, treasury rate, treasuries, treasury, treasury bill, treasury bills, t bill, t bills, t bill rate, yield curve, bond yields, bond yield, government bond yields, government bonds, government bond, us government bonds, # year treasury, # year yield, # month treasury,
     sofr, secured overnight financing rate, effr, fed funds, fed funds rate, federal funds, federal funds rate, effective fed funds rate, effective federal funds rate, overnight rate, real yield, real yields, tips yield, tips yields, inverted yield curve, interest rates, current interest rates,
     lợi suất trái phiếu, lãi suất trái phiếu, trái phiếu chính phủ, trái phiếu kho bạc, lợi suất kho bạc, đường cong lợi suất, lợi suất thực, lãi suất fed, lãi suất liên bang, lãi suất quỹ liên bang, lãi suất qua đêm, lãi suất điều hành của fed, lợi suất trái phiếu chính phủ, lợi suất trái phiếu mỹ, lãi suất của fed`,
  ],
  [
    "series",
    `cpi, ppi, inflation, inflation rate, consumer price index, consumer prices, unemployment, unemployment rate, jobless rate, gdp, gdp growth, gross domestic product, economic growth, gdp per capita, payrolls, nonfarm payrolls, employment level, average hourly earnings, hourly earnings, population growth, government debt, national debt, public debt, trade balance, current account, labor force, labour force, participation rate,
     lạm phát, tỷ lệ lạm phát, tỉ lệ lạm phát, chỉ số giá tiêu dùng, thất nghiệp, tỷ lệ thất nghiệp, tỉ lệ thất nghiệp, tăng trưởng gdp, tăng trưởng kinh tế, tổng sản phẩm quốc nội, gdp bình quân đầu người, việc làm phi nông nghiệp, nợ công, cán cân thương mại`,
  ],
  [
    "sources",
    `sources agree, your sources agree, sources disagree, sources differ, different sources, across sources, across your sources, across the sources, between sources, between your sources, compare sources, compare your sources, compare the sources, each source, other sources, several sources, all your sources, by source,
     các nguồn, giữa các nguồn, các nguồn dữ liệu, nguồn khác nhau, so sánh nguồn, so sánh các nguồn, theo từng nguồn, hai nguồn, nguồn khác`,
  ],
  [
    "portfolio",
    `portfolio, portfolios, my portfolio, my holdings, my holding, my positions, my position, my stocks, my shares, my investments, my assets, holdings, do i own, do i hold, i own, what i own, stocks i own, stocks i hold, am i exposed, exposed am i, am i diversified, diversified am i, concentrated am i, am i concentrated, am i too concentrated, my exposure, my diversification, my allocation, my losses, my gains, my profit, my net worth, am i up, am i down, am i losing, am i making,
     danh mục, danh mục đầu tư, danh mục của tôi, danh mục của mình, cổ phiếu tôi đang giữ, cổ phiếu tôi có, cổ phiếu của tôi, cổ phiếu mình đang giữ, các khoản đầu tư của tôi, khoản đầu tư của tôi, tài sản của tôi, tôi đang giữ, tôi đang nắm, tôi đang có những mã nào, tôi đang lãi, tôi đang lỗ, mình đang lãi, mình đang lỗ`,
  ],
];

/** Words that ask for more of a portfolio than what is in it. */
export const PORTFOLIO_RISK: ReadonlySet<string> = new Set(
  `risk risky riskier riskiest risks var volatility volatile beta sharpe sortino drawdown concentration concentrated diversified diversification sector sectors exposed exposure correlation correlated allocation weights
   weight analyze analyse analysis review performance performing doing return returns contribution loss lose losing losses gain gains profit profits safe up down perform made best worst
   rui ro bien tuong quan nganh trong hieu phan tich lai lo loi suat`.split(/\s+/),
);

/** Words that ask for what is due. */
export const PORTFOLIO_EVENTS: ReadonlySet<string> = new Set(
  "reports report reporting earnings dividend dividends exdividend ex events event calendar upcoming pays paying payout payouts tuc cong lich kien".split(
    " ",
  ),
);
