/**
 * Fundamental questions: statements, metrics, ratios, growth, earnings and dividends, and comparisons of companies.
 */
export const FUNDAMENTAL = `
balance-01 | Show Apple's balance sheet | fundamental | getBalanceSheet AAPL
balance-02 | bảng cân đối kế toán của Microsoft | fundamental | getBalanceSheet MSFT | vi
balance-03 | How much debt does Intel have? | fundamental | getBalanceSheet INTC
balance-04 | Amazon total assets over the last 3 years | fundamental | getBalanceSheet AMZN limit=3
balance-05 | bang can doi ke toan vietcombank | fundamental | getBalanceSheet VCB.VN | vi #bare
balance-06 | tổng tài sản và nợ phải trả của Coca-Cola | fundamental | getBalanceSheet KO | vi
balance-07 | quarterly balance sheet of Nvidia | fundamental | getBalanceSheet NVDA period=quarter | #no_data
income-01 | Income statement of Nvidia | fundamental | getIncomeStatement NVDA
income-02 | doanh thu của Amazon qua các năm | fundamental | getIncomeStatement AMZN | vi
income-03 | What was Microsoft's net income? | fundamental | getIncomeStatement MSFT
income-04 | báo cáo kết quả kinh doanh của Apple theo quý | fundamental | getIncomeStatement AAPL period=quarter | vi #no_data
income-05 | loi nhuan cua intel | fundamental | getIncomeStatement INTC | vi #bare
income-06 | revenue of Netflix | fundamental | getIncomeStatement NFLX
income-07 | Facebook's last 2 annual income statements | fundamental | getIncomeStatement META limit=2
income-08 | lợi nhuận sau thuế của JPMorgan | fundamental | getIncomeStatement JPM | vi
cash-01 | Cash flow statement of Apple | fundamental | getCashFlow AAPL
cash-02 | dòng tiền tự do của Nvidia | fundamental | getCashFlow NVDA | vi
cash-03 | What is Netflix's free cash flow? | fundamental | getCashFlow NFLX
cash-04 | lưu chuyển tiền tệ Microsoft | fundamental | getCashFlow MSFT | vi
cash-05 | operating cash flow of Intel, quarterly | fundamental | getCashFlow INTC period=quarter | #no_data
cash-06 | luu chuyen tien te cua hoa phat | fundamental | getCashFlow HPG.VN | vi #bare
cash-07 | capex of Amazon | fundamental | getCashFlow AMZN
metrics-01 | Key metrics of Apple | fundamental | getKeyMetrics AAPL
metrics-02 | các chỉ số cơ bản của Microsoft | fundamental | getKeyMetrics MSFT | vi allow=STATEMENTS,METRICS
metrics-03 | ROE and ROIC of Nvidia | fundamental | getKeyMetrics/getRatios NVDA
metrics-04 | trailing twelve months key metrics for Intel | fundamental | getKeyMetrics INTC period=ttm | #no_data
metrics-05 | chỉ số tài chính quan trọng của Coca-Cola | fundamental | getKeyMetrics KO | vi
metrics-06 | chi so co ban cua amazon | fundamental | getKeyMetrics AMZN | vi allow=STATEMENTS,METRICS #bare
metrics-07 | enterprise value of Johnson & Johnson | fundamental | getKeyMetrics JNJ
growth-01 | How fast is Amazon growing? | fundamental | getFinancialGrowth AMZN
growth-02 | tăng trưởng doanh thu của Nvidia | fundamental | getFinancialGrowth NVDA | vi
growth-03 | Microsoft revenue growth over 3 years | fundamental | getFinancialGrowth MSFT lookback_years=3
growth-04 | tốc độ tăng trưởng lợi nhuận Apple 4 năm qua | fundamental | getFinancialGrowth AAPL lookback_years=4 | vi
growth-05 | EPS growth of Intel | fundamental | getFinancialGrowth INTC
growth-06 | tang truong tai chinh cua netflix | fundamental | getFinancialGrowth NFLX | vi #bare
growth-07 | financial growth META | fundamental | getFinancialGrowth META
ratios-01 | Financial ratios of Apple | fundamental | getRatios AAPL
ratios-02 | P/E của Microsoft | fundamental | getRatios/getKeyMetrics/getStockQuote MSFT | vi
ratios-03 | debt to equity ratio of Intel | fundamental | getRatios INTC
ratios-04 | gross margin of Nvidia | fundamental | getRatios NVDA
ratios-05 | các tỷ số tài chính của Coca-Cola | fundamental | getRatios KO | vi
ratios-06 | current ratio amazon | fundamental | getRatios AMZN
ratios-07 | he so thanh toan hien hanh cua meta | fundamental | getRatios META | vi #bare
ratios-08 | biên lợi nhuận của JPMorgan theo quý | fundamental | getRatios JPM period=quarter | vi #no_data
earnings-01 | When are Apple's next earnings? | fundamental | getEarnings AAPL | #no_data
earnings-02 | Did Nvidia beat earnings estimates? | fundamental | getEarnings NVDA | #no_data
earnings-03 | ngày công bố kết quả kinh doanh của Tesla | fundamental | getEarnings TSLA | vi #no_data
earnings-04 | earnings history of Microsoft, last 8 reports | fundamental | getEarnings MSFT limit=8 | #no_data
earnings-05 | EPS thực tế so với dự báo của Amazon | fundamental | getEarnings AMZN | vi #no_data
earnings-06 | earnings of FICROBO | fundamental | getEarnings FICROBO
earnings-07 | khi nao netflix bao cao loi nhuan | fundamental | getEarnings NFLX | vi #bare #no_data
dividends-01 | Does Coca-Cola pay a dividend? | fundamental | getDividends KO | #no_data
dividends-02 | cổ tức của Microsoft | fundamental | getDividends MSFT | vi #no_data
dividends-03 | Dividend history of Johnson & Johnson over 5 years | fundamental | getDividends JNJ lookback_days=1825,1826,1827 | #no_data
dividends-04 | co tuc vinamilk nam nay | fundamental | getDividends VNM.VN lookback_days=365,326,327 | vi #bare #no_data
dividends-05 | ex-dividend date of Apple | fundamental | getDividends AAPL | #no_data
dividends-06 | Intel trả cổ tức bao nhiêu trong 2 năm qua? | fundamental | getDividends INTC lookback_days=730,731 | vi #no_data
dividends-07 | dividends of FICTEA | fundamental | getDividends FICTEA
compare-01 | Compare AAPL, MSFT and GOOGL | comparison | compareMetrics AAPL+MSFT+GOOGL || getStockQuote/getStockPrice AAPL; getStockQuote/getStockPrice MSFT; getStockQuote/getStockPrice GOOGL | allow=compareMetrics,PRICE,METRICS
compare-02 | So sánh biên lợi nhuận của Microsoft và Oracle | comparison | compareMetrics MSFT+ORCL metrics*=margins || compareMetrics MSFT+ORCL metrics*=net_margin | vi
compare-03 | Which is cheaper by P/E, Intel or AMD? | comparison | compareMetrics INTC+AMD metrics*=pe
compare-04 | Compare revenue growth of Amazon and Walmart | comparison | compareMetrics AMZN+WMT metrics*=revenue_growth || compareMetrics AMZN+WMT metrics*=growth
compare-05 | so sanh apple va microsoft | comparison | compareMetrics AAPL+MSFT || getStockQuote/getStockPrice AAPL; getStockQuote/getStockPrice MSFT | vi #bare allow=compareMetrics,PRICE,METRICS
compare-06 | correlation between Coca-Cola and Pepsi | comparison,stock_analysis | compareMetrics KO+PEP metrics*=correlation
compare-07 | Piotroski and Altman Z of Intel vs AMD | comparison | compareMetrics INTC+AMD metrics*=piotroski,altman_z
compare-08 | EV/EBITDA của Nvidia so với AMD | comparison | compareMetrics NVDA+AMD metrics*=ev_to_ebitda | vi
compare-09 | vốn hóa của Apple, Nvidia và Microsoft cái nào lớn nhất? | comparison | compareMetrics AAPL+NVDA+MSFT metrics*=market_cap || getStockQuote AAPL; getStockQuote NVDA; getStockQuote MSFT | vi
compare-10 | AAPL vs MSFT RSI | comparison,technical | getRSI AAPL; getRSI MSFT
compare-11 | Compare free cash flow yield of META, NFLX and DIS | comparison | compareMetrics META+NFLX+DIS metrics*=fcf_yield
compare-12 | max drawdown of Tesla vs Ford | comparison,stock_analysis | compareMetrics TSLA+F metrics*=drawdown || getVolatilityAnalysis TSLA; getVolatilityAnalysis F
fundamental-01 | Phân tích cơ bản Apple | fundamental | getIncomeStatement/getKeyMetrics/getRatios AAPL | vi allow=STATEMENTS,METRICS,EVENTS,PRICE
fundamental-02 | Fundamental analysis of Intel | fundamental | getIncomeStatement/getKeyMetrics/getRatios INTC | allow=STATEMENTS,METRICS,EVENTS,PRICE
fundamental-03 | balance sheet and cash flow of Nvidia | fundamental | getBalanceSheet NVDA; getCashFlow NVDA
`;
