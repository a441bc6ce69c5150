/**
 * Crypto questions, and symbols that are both a coin and a share.
 */
export const CRYPTO = `
coin-01 | BTC price | crypto,stock_price | getCryptoPrice BTCUSD
coin-02 | giá bitcoin hôm nay | crypto,stock_price | getCryptoPrice BTCUSD | vi
coin-03 | How much is one Ethereum? | crypto,stock_price | getCryptoPrice ETHUSD | #no_data
coin-04 | gia solana bao nhieu | crypto,stock_price | getCryptoPrice SOLUSD | vi #bare #no_data
coin-05 | BTCUSDT | crypto,stock_price | getCryptoPrice/getCryptoQuote BTCUSD
coin-06 | dogecoin price in dollars | crypto,stock_price | getCryptoPrice DOGEUSD | #no_data
coin-07 | Giá đồng XRP | crypto,stock_price | getCryptoPrice XRPUSD | vi #no_data
coin-08 | prices of bitcoin and ethereum | crypto,comparison,stock_price | getCryptoPrice BTCUSD; getCryptoPrice ETHUSD
coin-09 | bitcon price | crypto,stock_price | getCryptoPrice BTCUSD | #typo
coin-quote-01 | 24h high, low and volume of Bitcoin | crypto | getCryptoQuote BTCUSD
coin-quote-02 | khối lượng giao dịch 24 giờ của Bitcoin | crypto | getCryptoQuote BTCUSD | vi
coin-quote-03 | How much did Cardano move in the last 24 hours? | crypto | getCryptoQuote ADAUSD | #no_data
coin-quote-04 | bitcoin 24h change | crypto | getCryptoQuote BTCUSD
coin-quote-05 | BNB biến động 24h | crypto | getCryptoQuote BNBUSD | vi #no_data
coin-quote-06 | thong ke 24h cua ethereum | crypto | getCryptoQuote ETHUSD | vi #bare #no_data
coin-history-01 | Bitcoin price history for the last 30 days | crypto | getCryptoHistorical BTCUSD interval=1d limit=30
coin-history-02 | lịch sử giá Bitcoin theo giờ | crypto | getCryptoHistorical BTCUSD | vi
coin-history-03 | 4 hour candles of Bitcoin | crypto,technical | getCryptoHistorical BTCUSD interval=4h
coin-history-04 | nến 15 phút BTC | crypto,technical | getCryptoHistorical BTCUSD interval=15m | vi
coin-history-05 | weekly bars of ethereum, last 20 | crypto,technical | getCryptoHistorical ETHUSD interval=1w limit=20 | #no_data
coin-history-06 | lich su gia solana 7 ngay qua | crypto | getCryptoHistorical SOLUSD interval=1d limit=7 || getCryptoHistorical SOLUSD limit=168 | vi #bare #no_data
coin-history-07 | daily bitcoin candles | crypto,technical | getCryptoHistorical BTCUSD interval=1d
coin-news-01 | crypto news | news,crypto | getCryptoNews | #no_data
coin-news-02 | tin tức tiền điện tử hôm nay | news,crypto | getCryptoNews | vi #no_data
coin-news-03 | Latest Bitcoin news | news,crypto | getCryptoNews BTCUSD | #no_data
coin-news-04 | tin tức về Ethereum | news,crypto | getCryptoNews ETHUSD | vi #no_data
coin-news-05 | any headlines about solana coin? | news,crypto | getCryptoNews SOLUSD | #no_data
coin-news-06 | tin crypto moi nhat | news,crypto | getCryptoNews | vi #bare #no_data
coin-market-01 | Top cryptocurrencies by volume | crypto,market | getCryptoMarkets
coin-market-02 | đồng coin nào tăng mạnh nhất? | crypto,market | getCryptoMarkets sort=gainers | vi
coin-market-03 | biggest crypto losers today | crypto,market | getCryptoMarkets sort=losers
coin-market-04 | thị trường crypto thế nào? | crypto,market | getCryptoMarkets | vi
coin-market-05 | top 10 coins | crypto,market | getCryptoMarkets limit=10
coin-market-06 | coin nao giam nhieu nhat hom nay | crypto,market | getCryptoMarkets sort=losers | vi #bare
coin-market-07 | overview of the crypto market | crypto,market | getCryptoMarkets
coin-tab-01 | SOL price | crypto,stock_price | getCryptoPrice SOLUSD | tab=crypto #tab #no_data
coin-tab-02 | SOL price | stock_price | getStockPrice SOL | tab=stock #tab
coin-tab-03 | giá ETH | crypto,stock_price | getCryptoPrice ETHUSD | vi tab=crypto #tab #no_data
coin-tab-04 | giá BTC | stock_price | getStockPrice BTC | vi tab=stock #tab
coin-tab-05 | LINK price | crypto,stock_price | getCryptoPrice LINKUSD | tab=crypto #tab #no_data
coin-tab-06 | LINK stock price | stock_price | getStockPrice LINK | #tab
coin-tab-07 | TRX quote with volume | stock_price | getStockQuote TRX | tab=stock #tab
coin-risk-01 | volatility of Bitcoin | stock_analysis,crypto | getVolatilityAnalysis BTCUSD | #risk
coin-risk-02 | tỷ lệ Sharpe của Bitcoin | stock_analysis,crypto | getSharpeRatio BTCUSD | vi #risk
coin-risk-03 | bitcoin 99% VaR | stock_analysis,crypto | calculateVaR BTCUSD confidence=0.99 | #risk
coin-tech-01 | phân tích kỹ thuật Bitcoin | technical,crypto | getTechnicalIndicators BTCUSD | vi
coin-tech-02 | SMA 50 of BTC | technical,crypto | getSMA BTCUSD period=50
coin-broad-01 | tell me about Bitcoin | crypto | getCryptoQuote/getCryptoPrice BTCUSD | allow=COIN,TECHNICAL,RISK
coin-broad-02 | phân tích đồng Bitcoin giúp mình | crypto,stock_analysis | getCryptoQuote/getCryptoPrice/getTechnicalIndicators BTCUSD | vi allow=COIN,TECHNICAL,RISK
`;
