/**
 * Technical questions: single indicators, several at once, whole analyses, and tests of trading rules.
 */
export const TECHNICAL = `
tech-01 | Phân tích kỹ thuật NVDA | technical | getTechnicalIndicators NVDA | vi
tech-02 | Technical analysis of Apple | technical | getTechnicalIndicators AAPL
tech-03 | Give me a technical outlook on Tesla over 3 months | technical | getTechnicalIndicators TSLA timeframe=3M
tech-04 | phan tich ky thuat co phieu intel 6 thang | technical | getTechnicalIndicators INTC timeframe=6M | vi #bare
tech-05 | What are the technicals saying about AMD? | technical | getTechnicalIndicators AMD
tech-06 | ATR and ADX of Microsoft | technical | getTechnicalIndicators MSFT indicators=[ATR,ADX]
tech-07 | chỉ báo Stochastic của Amazon | technical | getTechnicalIndicators AMZN indicators=[STOCH] | vi
tech-08 | OBV for Netflix | technical | getTechnicalIndicators NFLX indicators=[OBV]
tech-09 | VWAP của Meta | technical | getTechnicalIndicators META indicators=[VWAP] | vi
tech-10 | các chỉ báo kỹ thuật của Google trong 1 tháng | technical | getTechnicalIndicators GOOGL timeframe=1M | vi
tech-11 | technical anlysis on disney | technical | getTechnicalIndicators DIS | #typo
tech-12 | phân tích kĩ thuật Hòa Phát | technical | getTechnicalIndicators HPG.VN | vi
tech-13 | technical indicators for the S&P 500 | technical,market | getTechnicalIndicators ^GSPC
rsi-01 | What is the RSI of Apple? | technical | getRSI AAPL
rsi-02 | RSI 21 của NVDA | technical | getRSI NVDA period=21 | vi
rsi-03 | Is Tesla overbought? | technical | getRSI TSLA || getTechnicalIndicators TSLA
rsi-04 | chỉ số sức mạnh tương đối của Microsoft | technical | getRSI MSFT | vi
rsi-05 | 7-day RSI for Amazon | technical | getRSI AMZN period=7
rsi-06 | rsi cua vinamilk | technical | getRSI VNM.VN | vi #bare
rsi-07 | Intel có đang quá bán không? | technical | getRSI INTC || getTechnicalIndicators INTC | vi
rsi-08 | relative strength index KO | technical | getRSI KO
rsi-09 | Bitcoin RSI | technical,crypto | getRSI BTCUSD
macd-01 | MACD of Tesla | technical | getMACD TSLA
macd-02 | MACD của Apple đang thế nào? | technical | getMACD AAPL | vi
macd-03 | MACD(5,35,5) for Microsoft | technical | getMACD MSFT fast=5 slow=35 signal=5
macd-04 | macd amd | technical | getMACD AMD
macd-05 | tín hiệu MACD cổ phiếu Meta | technical | getMACD META | vi
macd-06 | Has Boeing had a MACD crossover? | technical | getMACD BA
macd-07 | macd netflix co cat len khong | technical | getMACD NFLX | vi #bare
sma-01 | SMA of Apple | technical | getSMA AAPL
sma-02 | 50-day simple moving average of Nvidia | technical | getSMA NVDA period=50
sma-03 | SMA 200 của Tesla | technical | getSMA TSLA period=200 | vi
sma-04 | What is the 100 day moving average for Amazon? | technical | getSMA AMZN period=100
sma-05 | đường trung bình động 50 ngày của Microsoft | technical | getSMA MSFT period=50 | vi
sma-06 | MA20 intel | technical | getSMA INTC
sma-07 | trung binh dong 200 ngay cua coca cola | technical | getSMA KO period=200 | vi #bare
ema-01 | EMA of Netflix | technical | getEMA NFLX
ema-02 | EMA 12 của AMD | technical | getEMA AMD period=12 | vi
ema-03 | 50 day exponential moving average for Google | technical | getEMA GOOGL period=50
ema-04 | đường EMA 26 ngày cổ phiếu Apple | technical | getEMA AAPL period=26 | vi
ema-05 | ema(9) TSLA | technical | getEMA TSLA period=9
ema-06 | trung bình động lũy thừa 20 ngày của Meta | technical | getEMA META | vi
ema-07 | ema 200 walmart | technical | getEMA WMT period=200
bands-01 | Bollinger Bands for Apple | technical | getBands AAPL
bands-02 | dải Bollinger của NVDA | technical | getBands NVDA | vi
bands-03 | Bollinger bands of Tesla with 2.5 standard deviations | technical | getBands TSLA stdDev=2.5
bands-04 | 10-day bollinger band on Microsoft | technical | getBands MSFT period=10
bands-05 | dai bollinger cua amazon | technical | getBands AMZN | vi #bare
bands-06 | Is Intel above its upper Bollinger band? | technical | getBands INTC
bands-07 | bolinger bands META | technical | getBands META | #typo
several-01 | RSI and MACD of Apple | technical | getRSI AAPL; getMACD AAPL || getTechnicalIndicators AAPL indicators=[RSI,MACD]
several-02 | RSI, EMA và dải Bollinger của Tesla | technical | getRSI TSLA; getEMA TSLA; getBands TSLA || getTechnicalIndicators TSLA indicators=[RSI,EMA,BB] | vi
several-03 | price and RSI of AMD | technical,stock_price | getStockPrice/getStockQuote AMD; getRSI AMD
several-04 | SMA 20 and SMA 50 for Netflix | technical | getSMA NFLX; getSMA NFLX period=50
backtest-01 | Backtest a moving average crossover on AAPL from 2010-01-01 to 2015-12-31 | technical,stock_analysis | runBacktest AAPL strategy=sma_cross from=2010-01-01 to=2015-12-31
backtest-02 | kiểm thử chiến lược RSI trên MSFT từ 2005-01-01 đến 2010-12-31 | technical,stock_analysis | runBacktest MSFT strategy=rsi from=2005-01-01 to=2010-12-31 | vi
backtest-03 | How would a MACD strategy have done on GE between 2000-01-01 and 2008-12-31? | technical,stock_analysis | runBacktest GE strategy=macd from=2000-01-01 to=2008-12-31
backtest-04 | backtest buy and hold S&P 500 since 1990-01-01 | technical,stock_analysis,market | runBacktest ^GSPC strategy=buy_hold from=1990-01-01
backtest-05 | backtest chiến lược Bollinger với Apple năm 2014 | technical,stock_analysis | runBacktest AAPL strategy=bollinger from=2014-01-01 to=2014-12-31 | vi
backtest-06 | run a backtest of RSI on Microsoft with 50000 dollars from 2008-01-01 to 2012-12-31 | technical,stock_analysis | runBacktest MSFT strategy=rsi cash=50000 from=2008-01-01 to=2012-12-31
backtest-07 | mua va nam giu apple tu 2000-01-03 den 2010-12-31 thi lai bao nhieu, chay backtest | technical,stock_analysis | runBacktest AAPL strategy=buy_hold from=2000-01-03 to=2010-12-31 | vi #bare
`;
