/**
 * Questions about risk, whole companies, advice and positions, arithmetic, names of tools and symbols, and reports.
 */
export const ANALYSIS = `
var-01 | Value at risk of Apple | stock_analysis | calculateVaR AAPL
var-02 | VaR 99% của Tesla với danh mục 50000 đô | stock_analysis | calculateVaR TSLA confidence=0.99 portfolio_value=50000 | vi
var-03 | parametric VaR for Microsoft at 90% confidence | stock_analysis | calculateVaR MSFT method=parametric confidence=0.9
var-04 | How much could I lose in a day on a $20,000 Nvidia position? | stock_analysis | calculateVaR NVDA portfolio_value=20000
var-05 | giá trị chịu rủi ro của Amazon | stock_analysis | calculateVaR AMZN | vi
var-06 | tinh var cua intel | stock_analysis | calculateVaR INTC | vi #bare
var-07 | VaR of AMD over 500 days | stock_analysis | calculateVaR AMD days=500
sharpe-01 | Sharpe ratio of Apple | stock_analysis | getSharpeRatio AAPL
sharpe-02 | hệ số Sharpe của Microsoft | stock_analysis | getSharpeRatio MSFT | vi
sharpe-03 | Sortino ratio for Tesla | stock_analysis | getSharpeRatio TSLA
sharpe-04 | Sharpe of Nvidia with a risk-free rate of 3% | stock_analysis | getSharpeRatio NVDA risk_free_rate=0.03
sharpe-05 | ty le sharpe cua amazon | stock_analysis | getSharpeRatio AMZN | vi #bare
sharpe-06 | risk-adjusted return of Coca-Cola | stock_analysis | getSharpeRatio KO
sharpe-07 | tỷ số Sharpe của Intel trong 120 ngày | stock_analysis | getSharpeRatio INTC days=120 | vi
vol-01 | How risky is Tesla? | stock_analysis | getVolatilityAnalysis TSLA | allow=RISK
vol-02 | độ biến động của Nvidia | stock_analysis | getVolatilityAnalysis NVDA | vi
vol-03 | beta of Apple | stock_analysis,fundamental | getVolatilityAnalysis AAPL
vol-04 | maximum drawdown of Netflix | stock_analysis | getVolatilityAnalysis NFLX
vol-05 | rui ro cua co phieu boeing | stock_analysis | getVolatilityAnalysis BA | vi #bare allow=RISK
vol-06 | Volatility of AMD over 100 days | stock_analysis | getVolatilityAnalysis AMD days=100
vol-07 | mức sụt giảm tối đa của Meta | stock_analysis | getVolatilityAnalysis META | vi
advice-01 | should I buy Tesla? | stock_analysis | getVolatilityAnalysis TSLA | allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK #advice
advice-02 | có nên mua cổ phiếu Apple lúc này không? | stock_analysis | getVolatilityAnalysis AAPL | vi allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK #advice
advice-03 | Is Nvidia a good investment? | stock_analysis | getVolatilityAnalysis NVDA | allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK #advice
advice-04 | nen ban intel hay giu | stock_analysis | getVolatilityAnalysis INTC | vi #bare allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK #advice
advice-05 | Would you sell AMD now? | stock_analysis | getVolatilityAnalysis AMD | allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK #advice
analysis-01 | Analyse Microsoft stock | stock_analysis | getStockQuote/getStockPrice MSFT; getTechnicalIndicators/getKeyMetrics/getRatios/getVolatilityAnalysis MSFT | allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
analysis-02 | phân tích cổ phiếu Amazon | stock_analysis | getStockQuote/getStockPrice AMZN; getTechnicalIndicators/getKeyMetrics/getRatios/getVolatilityAnalysis AMZN | vi allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
analysis-03 | What do you think about Netflix? | stock_analysis | getStockQuote/getStockPrice NFLX; getTechnicalIndicators/getKeyMetrics/getRatios/getVolatilityAnalysis NFLX | allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
analysis-04 | danh gia co phieu coca cola | stock_analysis | getStockQuote/getStockPrice KO; getTechnicalIndicators/getKeyMetrics/getRatios/getVolatilityAnalysis KO | vi #bare allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
calculate-01 | I bought 100 shares of Apple at 150 dollars. What is my profit? | stock_analysis,stock_price | getStockPrice/getStockQuote AAPL; calculate expression*=100,150
calculate-02 | mình mua 50 cổ phiếu Microsoft giá 300 đô, giờ lãi bao nhiêu? | stock_analysis,stock_price | getStockPrice/getStockQuote MSFT; calculate expression*=50,300 | vi
calculate-03 | What are 25 shares of Nvidia worth? | stock_price,stock_analysis | getStockPrice/getStockQuote NVDA; calculate expression*=25
calculate-04 | mua 10 tesla gia 400 thi lo bao nhieu | stock_analysis,stock_price | getStockPrice/getStockQuote TSLA; calculate expression*=10,400 | vi #bare
calculate-05 | P/L of 200 Intel shares bought at $35 | stock_analysis,stock_price | getStockPrice/getStockQuote INTC; calculate expression*=200,35
calculate-06 | 30 cổ phiếu Amazon trị giá bao nhiêu? | stock_price,stock_analysis | getStockPrice/getStockQuote AMZN; calculate expression*=30 | vi
calculate-07 | how many percent is Apple's market cap of Microsoft's? | comparison,stock_analysis,fundamental | getStockQuote AAPL; getStockQuote MSFT; calculate || compareMetrics AAPL+MSFT metrics*=market_cap; calculate
symbol-01 | What is the ticker symbol of Palantir? | general,stock_price | resolveSymbol query*=palantir | symbols=PLTR
symbol-02 | mã cổ phiếu của Vietcombank là gì? | general,stock_price | resolveSymbol query*=vietcombank | vi symbols=VCB.VN
symbol-03 | Which exchange is Shopify listed on? | general,stock_price | resolveSymbol query*=shopify | symbols=SHOP
symbol-04 | ma chung khoan cua tap doan hoa phat | general,stock_price | resolveSymbol query*=hoa | vi symbols=HPG.VN #bare
symbol-05 | ticker for Costco? | general,stock_price | resolveSymbol query*=costco | symbols=COST
symbol-06 | Techcombank có mã gì trên sàn? | general,stock_price | resolveSymbol query*=techcombank | vi symbols=TCB.VN
symbol-07 | what company is behind the ticker CRM? | general,stock_price,stock_analysis | resolveSymbol query*=crm | symbols=CRM
tools-01 | Which of your tools calculates value at risk? | help,general | tool_search query*=risk
tools-02 | công cụ nào của bạn xem được cổ tức? | help,general | tool_search query*=cổ | vi
tools-03 | search your tools for something that does backtests | help,general | tool_search query*=backtest
tools-04 | RSI of Apple | technical | tool_search; getRSI AAPL | search
tools-05 | giá cổ phiếu Nvidia | stock_price | tool_search; getStockPrice NVDA | vi search
tools-06 | top gainers today | screener,market | tool_search; getGainers | search
tools-07 | bảng cân đối kế toán của Apple | fundamental | tool_search; getBalanceSheet AAPL | vi search
plan-01 | full report on NVDA | stock_analysis | getStockQuote/getStockPrice NVDA; getTechnicalIndicators NVDA; getIncomeStatement NVDA; getVolatilityAnalysis/calculateVaR NVDA | complexity=plan route=planner allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
plan-02 | báo cáo đầy đủ về Apple | stock_analysis | getStockQuote/getStockPrice AAPL; getTechnicalIndicators AAPL; getIncomeStatement AAPL; getVolatilityAnalysis/calculateVaR AAPL | vi complexity=plan route=planner allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
plan-03 | Write a comprehensive research report about Intel | stock_analysis | getStockQuote/getStockPrice INTC; getTechnicalIndicators INTC; getIncomeStatement INTC; getVolatilityAnalysis/calculateVaR INTC | complexity=plan route=planner allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
plan-04 | Tesla | stock_analysis,stock_price | getStockQuote/getStockPrice TSLA; getTechnicalIndicators TSLA; getVolatilityAnalysis/calculateVaR TSLA | deep complexity=plan route=planner allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
plan-05 | nghiên cứu sâu cổ phiếu Microsoft và lập báo cáo chi tiết | stock_analysis | getStockQuote/getStockPrice MSFT; getTechnicalIndicators MSFT; getIncomeStatement MSFT; getVolatilityAnalysis/calculateVaR MSFT | vi complexity=plan route=planner allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
plan-06 | full report on AMD | stock_analysis | getStockQuote/getStockPrice AMD | normal complexity=tool_required route=analyst allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
plan-07 | full report on AAPL, MSFT and NVDA | stock_analysis,comparison | getStockQuote/getStockPrice AAPL; getStockQuote/getStockPrice MSFT; getStockQuote/getStockPrice NVDA | complexity=plan route=planner allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK,compareMetrics
`;
