/**
 * Price questions: last prices, quotes, histories, bars of a day and changes over periods.
 */
export const PRICE = `
price-01 | What is the price of Apple right now? | stock_price | getStockPrice AAPL
price-02 | giá cổ phiếu apple hôm nay | stock_price | getStockPrice AAPL | vi
price-03 | MSFT stock price | stock_price | getStockPrice MSFT
price-04 | How much does one share of Nvidia cost? | stock_price | getStockPrice NVDA
price-05 | Cổ phiếu Tesla đang bao nhiêu tiền? | stock_price | getStockPrice TSLA | vi
price-06 | gia co phieu microsoft bao nhieu | stock_price | getStockPrice MSFT | vi #bare
price-07 | giá VNM.VN bây giờ | stock_price | getStockPrice VNM.VN | vi
price-08 | cho mình hỏi giá Vinamilk hiện tại | stock_price | getStockPrice VNM.VN | vi
price-09 | amzon share price | stock_price | getStockPrice AMZN | #typo
price-10 | pirce of netflix stock please | stock_price | getStockPrice NFLX | #typo
price-11 | gá cổ phiếu Intel | stock_price | getStockPrice INTC | vi #typo
price-12 | Where is Coca-Cola trading? | stock_price | getStockPrice KO
price-13 | FPT giá bao nhiêu? | stock_price | getStockPrice FPT.VN | vi
price-14 | hoa phat dang giao dich o muc gia nao | stock_price | getStockPrice HPG.VN | vi #bare
price-15 | Prices of AMD and Intel | stock_price,comparison | getStockPrice AMD; getStockPrice INTC
price-16 | giá của Google và Meta là bao nhiêu? | stock_price,comparison | getStockPrice GOOGL; getStockPrice META | vi
price-17 | last price of SPY | stock_price | getStockPrice SPY
price-18 | Latest closing price for Walmart | stock_price | getStockPrice WMT
price-19 | $TSLA price | stock_price | getStockPrice TSLA
price-20 | how much is disney trading at | stock_price | getStockPrice DIS
price-21 | thị giá cổ phiếu Vietcombank | stock_price | getStockPrice VCB.VN | vi
price-22 | JPM? | stock_price,stock_analysis | getStockPrice/getStockQuote JPM
quote-01 | Show me the full quote for Apple with day range and volume | stock_price | getStockQuote AAPL
quote-02 | What is the market cap of Nvidia? | stock_price,fundamental | getStockQuote NVDA
quote-03 | 52-week high and low of Tesla | stock_price | getStockQuote TSLA
quote-04 | Vốn hóa của Microsoft là bao nhiêu? | stock_price,fundamental | getStockQuote MSFT | vi
quote-05 | khối lượng giao dịch hôm nay của AMD | stock_price | getStockQuote AMD | vi
quote-06 | What is Ford's trading volume today? | stock_price | getStockQuote F
quote-07 | biên độ giá 52 tuần của Amazon | stock_price | getStockQuote AMZN | vi
quote-08 | von hoa thi truong cua meta | stock_price,fundamental | getStockQuote META | vi #bare
quote-09 | today's high and low for Netflix | stock_price | getStockQuote NFLX
quote-10 | average volume and year range of Intel | stock_price | getStockQuote INTC
history-01 | Price history of Apple from 2024-01-02 to 2024-06-28 | stock_price | getHistoricalPrice AAPL from=2024-01-02 to=2024-06-28
history-02 | Show Microsoft's daily prices for the last 3 months | stock_price | getHistoricalPrice MSFT from~2024-08-22
history-03 | lịch sử giá NVDA 6 tháng qua | stock_price | getHistoricalPrice NVDA from~2024-05-22 | vi
history-04 | Historical prices of GE in 2012 | stock_price | getHistoricalPrice GE from=2012-01-01 to=2012-12-31
history-05 | lich su gia tesla tu 2024-03-01 den 2024-05-31 | stock_price | getHistoricalPrice TSLA from=2024-03-01 to=2024-05-31 | vi #bare
history-06 | closing prices of Coca-Cola over the past month | stock_price | getHistoricalPrice KO from~2024-10-22
history-07 | Giá đóng cửa của Amazon trong 2 tuần gần đây | stock_price | getHistoricalPrice AMZN from~2024-11-08 || getHistoricalPrice AMZN limit=10 || getHistoricalPrice AMZN limit=14 | vi
history-08 | historical data for IBM since 2023-01-01 | stock_price | getHistoricalPrice IBM from=2023-01-01
history-09 | last 30 daily closes of Intel | stock_price | getHistoricalPrice INTC limit=30 || getHistoricalPrice INTC from~2024-10-11
history-10 | dữ liệu giá S&P 500 năm 2008 | stock_price,market | getHistoricalPrice ^GSPC from=2008-01-01 to=2008-12-31 | vi
intraday-01 | Intraday prices of Apple | stock_price | getIntradayPrices AAPL
intraday-02 | 15 minute bars for Tesla | stock_price,technical | getIntradayPrices TSLA interval=15min
intraday-03 | Show NVDA 1 minute chart | stock_price,technical | getIntradayPrices NVDA interval=1min
intraday-04 | giá trong phiên của Microsoft khung 30 phút | stock_price,technical | getIntradayPrices MSFT interval=30min | vi
intraday-05 | nến 1 giờ của AMD | stock_price,technical | getIntradayPrices AMD interval=1hour | vi
intraday-06 | hourly intraday prices for Amazon | stock_price | getIntradayPrices AMZN interval=1hour
intraday-07 | dien bien gia trong ngay cua intel | stock_price | getIntradayPrices INTC | vi #bare
intraday-08 | 4 hour candles META | stock_price,technical | getIntradayPrices META interval=4hour
change-01 | How much has Apple gained over the past year? | stock_price | getPriceChange AAPL
change-02 | Tesla performance year to date | stock_price | getPriceChange TSLA
change-03 | NVDA tăng bao nhiêu phần trăm từ đầu năm? | stock_price | getPriceChange NVDA | vi
change-04 | price change of Microsoft over 1 month, 6 months and 5 years | stock_price | getPriceChange MSFT
change-05 | mức thay đổi giá của Intel trong 3 tháng qua | stock_price | getPriceChange INTC | vi
change-06 | co phieu amd tang giam the nao trong 1 nam | stock_price | getPriceChange AMD | vi #bare
change-07 | how has Boeing performed over the last 5 years? | stock_price | getPriceChange BA
change-08 | By what percent did Walmart move this week? | stock_price | getPriceChange WMT
change-09 | Hiệu suất của Coca-Cola trong 10 năm | stock_price | getPriceChange KO | vi
`;
