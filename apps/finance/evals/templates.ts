/**
 * Templates: questions with places for a listing, another one, and numbers.
 *
 * `{a}` and `{b}` are names or tickers as people write them, `{A}` and `{B}` their canonical symbols, `{n}` a number of
 * days, `{m}` an amount.
 */

/** About companies of the US. */
export const COMPANY_TEMPLATES = `
what is the price of {a}? | stock_price | getStockPrice {A}
{a} share price | stock_price | getStockPrice {A}
how much is {a} stock right now | stock_price | getStockPrice {A}
giá cổ phiếu {a} | stock_price | getStockPrice {A} | vi
cổ phiếu {a} giá bao nhiêu rồi? | stock_price | getStockPrice {A} | vi
gia co phieu {a} hom nay | stock_price | getStockPrice {A} | vi
market cap of {a} | stock_price,fundamental | getStockQuote {A}
vốn hóa thị trường của {a} | stock_price,fundamental | getStockQuote {A} | vi
52-week range of {a} stock | stock_price | getStockQuote {A}
technical analysis of {a} | technical | getTechnicalIndicators {A}
phân tích kỹ thuật cổ phiếu {a} | technical | getTechnicalIndicators {A} | vi
RSI of {a} | technical | getRSI {A}
{n} day RSI of {a} | technical | getRSI {A} period={n}
RSI {n} của {a} | technical | getRSI {A} period={n} | vi
MACD for {a} | technical | getMACD {A}
chỉ báo MACD của {a} | technical | getMACD {A} | vi
{n}-day simple moving average of {a} | technical | getSMA {A} period={n}
SMA {n} của cổ phiếu {a} | technical | getSMA {A} period={n} | vi
EMA {n} for {a} | technical | getEMA {A} period={n}
dải Bollinger của {a} | technical | getBands {A} | vi
bollinger bands for {a} | technical | getBands {A}
balance sheet of {a} | fundamental | getBalanceSheet {A}
bảng cân đối kế toán {a} | fundamental | getBalanceSheet {A} | vi
income statement of {a} | fundamental | getIncomeStatement {A}
cash flow statement of {a} | fundamental | getCashFlow {A}
báo cáo lưu chuyển tiền tệ của {a} | fundamental | getCashFlow {A} | vi
financial ratios of {a} | fundamental | getRatios {A}
key metrics for {a} | fundamental | getKeyMetrics {A}
tăng trưởng tài chính của {a} | fundamental | getFinancialGrowth {A} | vi
dividends of {a} | fundamental | getDividends {A}
cổ tức của {a} | fundamental | getDividends {A} | vi
earnings history of {a} | fundamental | getEarnings {A}
latest news about {a} | news | getStockNews {A}
tin tức mới về {a} | news | getStockNews {A} | vi
tin tuc ve {a} | news | getStockNews {A} | vi
volatility of {a} stock | stock_analysis | getVolatilityAnalysis {A}
độ biến động của cổ phiếu {a} | stock_analysis | getVolatilityAnalysis {A} | vi
sharpe ratio of {a} | stock_analysis | getSharpeRatio {A}
hệ số Sharpe của {a} | stock_analysis | getSharpeRatio {A} | vi
value at risk of {a} with a portfolio of {m} dollars | stock_analysis | calculateVaR {A} portfolio_value={m}
intraday prices of {a} | stock_price | getIntradayPrices {A}
how did {a} stock perform over the past year | stock_price | getPriceChange {A}
compare the margins of {a} and {b} | comparison | compareMetrics {A}+{B} metrics*=margins || compareMetrics {A}+{B} metrics*=net_margin
so sánh P/E của {a} và {b} | comparison | compareMetrics {A}+{B} metrics*=pe | vi
RSI of {a} >> and {b}? | technical,follow_up | getRSI {B}
giá cổ phiếu {a} >> còn {b} thì sao? | stock_price,follow_up | getStockPrice {B} | vi
price of {a} stock >> what about its cash flow? | fundamental | getCashFlow {A}
`;

/** About coins. */
export const COIN_TEMPLATES = `
price of {a} in dollars | crypto,stock_price | getCryptoPrice {A}
giá đồng {a} hôm nay | crypto,stock_price | getCryptoPrice {A} | vi
24h volume of {a} | crypto | getCryptoQuote {A}
{a} coin price | crypto,stock_price | getCryptoPrice {A}
thống kê 24h của {a} | crypto | getCryptoQuote {A} | vi
news about the coin {a} | news,crypto | getCryptoNews {A}
`;

/** About listings of Vietnam. */
export const VIETNAM_TEMPLATES = `
giá cổ phiếu {a} | stock_price | getStockPrice {A} | vi
{a} giá bao nhiêu? | stock_price | getStockPrice {A} | vi
gia co phieu {a} | stock_price | getStockPrice {A} | vi
RSI của {a} | technical | getRSI {A} | vi
phân tích kỹ thuật {a} | technical | getTechnicalIndicators {A} | vi
báo cáo kết quả kinh doanh của {a} | fundamental | getIncomeStatement {A} | vi
what is the share price of {a} | stock_price | getStockPrice {A}
tin tức về {a} | news | getStockNews {A} | vi
`;
