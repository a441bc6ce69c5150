/**
 * Official questions: filings, insiders, large holders, rates, economic series, currencies, and sources side by side.
 */
export const OFFICIAL = `
filing-01 | Show Apple's latest 10-K | fundamental | getFilings AAPL forms=[10-K] | allow=readFilingSection #no_data
filing-02 | recent SEC filings of Microsoft | fundamental | getFilings MSFT | #no_data
filing-03 | báo cáo 10-Q mới nhất của Nvidia | fundamental | getFilings NVDA forms=[10-Q] | vi allow=readFilingSection #no_data
filing-04 | What are the risk factors in Tesla's annual report? | fundamental | getFilings TSLA forms=[10-K] | allow=readFilingSection #no_data
filing-05 | did Intel file any 8-K this month? | fundamental | getFilings INTC forms=[8-K] from~2024-11-01 | #no_data
filing-06 | các yếu tố rủi ro của Amazon theo báo cáo thường niên | fundamental | getFilings AMZN forms=[10-K] | vi allow=readFilingSection #no_data
filing-07 | search SEC filings for "data center power" | fundamental | searchFilings | symbols= #no_data
filing-08 | MD&A section of Coca-Cola's 10-K | fundamental | getFilings KO forms=[10-K] | allow=readFilingSection #no_data
insider-01 | insider trades at Apple | fundamental | getInsiderTrades AAPL | #no_data
insider-02 | Are Nvidia insiders selling? | fundamental | getInsiderTrades NVDA | #no_data
insider-03 | giao dịch nội bộ của Tesla gần đây | fundamental | getInsiderTrades TSLA | vi #no_data
insider-04 | who bought Intel stock among its directors? | fundamental | getInsiderTrades INTC | #no_data
holder-01 | What does Berkshire Hathaway hold according to its 13F? | fundamental | getInstitutionalHoldings manager*=Berkshire | symbols=BRK-B? #no_data
holder-02 | danh mục 13F của Bridgewater | fundamental | getInstitutionalHoldings manager*=Bridgewater | vi symbols= #no_data
holder-03 | Renaissance Technologies 13F holdings in 2024Q3 | fundamental | getInstitutionalHoldings manager*=Renaissance quarter=2024Q3 | symbols= #no_data
rates-01 | current Treasury yield curve | market,general | getRates | #no_data
rates-02 | What is the 10-year Treasury yield? | market,general | getRates | #no_data
rates-03 | lợi suất trái phiếu chính phủ Mỹ hiện nay | market,general | getRates | vi #no_data
rates-04 | what is SOFR today | market,general | getRates series=sofr | #no_data
rates-05 | effective fed funds rate | market,general | getRates series=effr | #no_data
rates-06 | real yields on US government bonds | market,general | getRates series=real_curve | #no_data
series-01 | What is US inflation? | market,general | getEconomicSeries series*=cpi || getEconomicSeries series*=inflation | #no_data
series-02 | tỷ lệ thất nghiệp ở Mỹ | market,general | getEconomicSeries series*=unemployment | vi #no_data
series-03 | GDP of Vietnam | market,general | getEconomicSeries series*=gdp country=VN,VNM,Vietnam | #no_data
series-04 | lạm phát Việt Nam mấy năm qua | market,general | getEconomicSeries series*=cpi country=VN,VNM,Vietnam || getEconomicSeries series*=inflation country=VN,VNM,Vietnam | vi #no_data
series-05 | unemployment rate in Germany since 2015 | market,general | getEconomicSeries series*=unemployment country=DE,DEU,Germany from~2015-01-01 | #no_data
fx-01 | Convert 100 USD to VND | market,general | convertCurrency amount=100 from=USD to=VND | #no_data
fx-02 | 1 tỷ đồng bằng bao nhiêu đô la? | market,general | convertCurrency amount=1000000000 from=VND to=USD | vi #no_data
fx-03 | how many euros is 250 dollars | market,general | convertCurrency amount=250 from=USD to=EUR | #no_data
fx-04 | USD/JPY exchange rate | market,general | convertCurrency amount=1 from=USD to=JPY | #no_data
fx-05 | tỷ giá đô la hôm nay | market,general | convertCurrency amount=1 from=USD to=VND | vi #no_data
fx-06 | doi 500 euro sang dong viet nam | market,general | convertCurrency amount=500 from=EUR to=VND | vi #bare #no_data
source-01 | Compare Apple's price across your sources | stock_price,comparison,stock_analysis | compareSources AAPL
source-02 | do your sources agree on Microsoft's revenue? | fundamental,comparison,stock_analysis | compareSources MSFT what=revenue
filing-09 | hồ sơ 8-K gần đây của Tesla | fundamental | getFilings TSLA forms=[8-K] | vi allow=readFilingSection #no_data
rates-07 | lãi suất SOFR hôm nay là bao nhiêu? | market,general | getRates series=sofr | vi #no_data
rates-08 | đường cong lợi suất trái phiếu kho bạc Mỹ | market,general | getRates | vi #no_data
series-06 | GDP Việt Nam năm 2022 | market,general | getEconomicSeries series*=gdp country=VN,VNM,Vietnam from~2022-01-01 to~2022-12-31 | vi #no_data
fx-07 | 200 đô la Mỹ đổi ra tiền Việt được bao nhiêu? | market,general | convertCurrency amount=200 from=USD to=VND | vi #no_data
insider-05 | lãnh đạo Apple có bán cổ phiếu không? | fundamental | getInsiderTrades AAPL | vi #no_data
`;
