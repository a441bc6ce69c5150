/**
 * Conversations: questions that need what was said before, greetings, help, small talk, memory, what is unclear, and
 * what is not about finance.
 */
export const CONVERSATION = `
follow-01 | Show Apple's income statement >> what about its balance sheet? | fundamental | getBalanceSheet AAPL
follow-02 | What is the price of Microsoft? >> and its RSI? | technical | getRSI MSFT
follow-03 | giá cổ phiếu Tesla >> nó có rủi ro không? | stock_analysis | getVolatilityAnalysis TSLA | vi allow=RISK
follow-04 | RSI of Nvidia >> and AMD? | technical,follow_up | getRSI AMD
follow-05 | price of Intel >> what about Boeing? | stock_price,follow_up | getStockPrice BA
follow-06 | SMA 20 of Apple >> and 50 days? | technical,follow_up | getSMA AAPL period=50
follow-07 | RSI của Amazon >> còn Netflix thì sao? | technical,follow_up | getRSI NFLX | vi
follow-08 | lịch sử giá Microsoft 3 tháng qua >> 6 tháng thì sao? | stock_price,follow_up | getHistoricalPrice MSFT from~2024-05-22 | vi
follow-09 | Show Microsoft's daily prices for the last 3 months >> now the last month | stock_price,follow_up | getHistoricalPrice MSFT from~2024-10-22
follow-10 | price of Apple >> and Microsoft? >> and their market caps? | stock_price,fundamental,comparison | getStockQuote MSFT || getStockQuote AAPL; getStockQuote MSFT || compareMetrics AAPL+MSFT metrics*=market_cap | symbols=MSFT,AAPL?
follow-11 | Compare Apple and Microsoft >> what is their RSI? | technical,comparison | getRSI AAPL; getRSI MSFT
follow-12 | phân tích kỹ thuật Meta >> tin tức của công ty này? | news | getStockNews META | vi
follow-13 | MACD of Tesla >> how about the company's cash flow? | fundamental | getCashFlow TSLA
follow-14 | gia co phieu intel >> con amd | stock_price,follow_up | getStockPrice AMD | vi #bare
follow-15 | bitcoin price >> and its 24h volume? | crypto | getCryptoQuote BTCUSD
follow-16 | giá Bitcoin >> lịch sử giá 30 ngày của nó | crypto | getCryptoHistorical BTCUSD interval=1d limit=30 | vi
follow-17 | top gainers today >> and the losers? | screener,market,follow_up | getLosers
follow-18 | Hello >> what can you do? >> ok, price of Disney | stock_price | getStockPrice DIS
follow-19 | VaR of Apple >> at 99% | stock_analysis,follow_up | calculateVaR AAPL confidence=0.99
follow-20 | show me tech stocks under 50 dollars >> under 20 | screener,follow_up | getScreener sector=Technology,tech price_lower_than=20
follow-21 | price of Coca-Cola >> is it overbought? | technical | getRSI KO || getTechnicalIndicators KO
follow-22 | bảng cân đối kế toán của Nvidia >> theo quý | fundamental,follow_up | getBalanceSheet NVDA period=quarter | vi #no_data
follow-23 | RSI of Apple >> how is the market? | market | getMarketOverview
follow-24 | giá Apple >> giá Microsoft | stock_price | getStockPrice MSFT | vi
follow-25 | RSI of Apple >> thanks! | chitchat | - | route=direct
follow-26 | technical analysis of AMD >> tell me more | follow_up,technical,stock_analysis | getTechnicalIndicators/getStockQuote/getVolatilityAnalysis AMD | allow=PRICE,TECHNICAL,METRICS,STATEMENTS,EVENTS,RISK
follow-27 | Volatility of Apple >> same for Tesla and Ford | stock_analysis,comparison,follow_up | getVolatilityAnalysis TSLA; getVolatilityAnalysis F
follow-28 | cổ tức của Intel >> và của nó trong 3 năm? | fundamental,follow_up | getDividends INTC lookback_days=1095,1096 | vi #no_data
follow-29 | EMA 50 của Google >> đổi sang Apple | technical,follow_up | getEMA AAPL period=50 | vi
follow-30 | price of Nvidia >> compare it with AMD | comparison | compareMetrics NVDA+AMD || getStockQuote/getStockPrice NVDA; getStockQuote/getStockPrice AMD | allow=compareMetrics,PRICE,METRICS
unclear-01 | what is its price? | clarification | - | route=clarify
unclear-02 | giá của nó là bao nhiêu? | clarification | - | vi route=clarify
unclear-03 | RSI? | clarification | - | route=clarify
unclear-04 | compare them | clarification | - | route=clarify
unclear-05 | phân tích cổ phiếu này giúp mình | clarification | - | vi route=clarify
unclear-06 | show me the balance sheet | clarification | - | route=clarify
unclear-07 | bao cao tai chinh cua cong ty nay | clarification | - | vi route=clarify #bare
greet-01 | hello | greeting | - | route=direct
greet-02 | xin chào | greeting | - | vi route=direct
greet-03 | Hi there! | greeting | - | route=direct
greet-04 | chao ban | greeting | - | vi route=direct #bare
greet-05 | good morning | greeting | - | route=direct
greet-06 | Chào buổi sáng | greeting | - | vi route=direct
greet-07 | hi, what is the price of Ford? | stock_price | getStockPrice F
greet-08 | chào bạn, cho mình xem RSI của Meta | technical | getRSI META | vi
help-01 | what can you do? | help | - | route=direct
help-02 | bạn giúp được gì? | help | - | vi route=direct
help-03 | help | help | - | route=direct
help-04 | how do I use this assistant? | help | - | route=direct
help-05 | huong dan su dung | help | - | vi route=direct #bare
help-06 | bạn có những chức năng gì? | help | - | vi route=direct
general-01 | What is a P/E ratio? | general | - | route=direct
general-02 | RSI là gì? | general | - | vi route=direct
general-03 | explain how Bollinger Bands work | general | - | route=direct
general-04 | lãi kép là gì? | general | - | vi route=direct
general-05 | What does market capitalization mean? | general | - | route=direct
general-06 | su khac nhau giua co phieu va trai phieu | general | - | vi route=direct #bare
general-07 | difference between ETF and mutual fund | general | - | route=direct
chitchat-01 | thank you | chitchat | - | route=direct
chitchat-02 | cảm ơn bạn nhiều | chitchat | - | vi route=direct
chitchat-03 | how are you? | chitchat,greeting | - | route=direct
chitchat-04 | bạn tên gì? | chitchat,help | - | vi route=direct
chitchat-05 | tell me a joke | chitchat | - | route=direct
chitchat-06 | tam biet | chitchat,greeting | - | vi route=direct #bare
scope-01 | What is the weather in Hanoi? | chitchat,general | - | route=direct #out_of_scope
scope-02 | viết cho mình một bài thơ | chitchat,general | - | vi route=direct #out_of_scope
scope-03 | how do I cook pho? | chitchat,general | - | route=direct #out_of_scope
scope-04 | Write a Python function that sorts a list | chitchat,general | - | route=direct #out_of_scope
scope-05 | ai là tổng thống Pháp? | chitchat,general | - | vi route=direct #out_of_scope
scope-06 | translate good night into Spanish | chitchat,general | - | route=direct #out_of_scope
memory-01 | What did I ask you last week? | memory_recall | recallMemory timeframe=last_week
memory-02 | bạn có nhớ mình thích cổ phiếu nào không? | memory_recall | searchMemory/recallMemory | vi
memory-03 | do you remember my risk preference? | memory_recall | searchMemory/recallMemory
memory-04 | Remember that I prefer dividend stocks | general | saveToMemory content*=dividend category=preference
memory-05 | hãy ghi nhớ rằng mình đầu tư dài hạn | general | saveToMemory content*=dài_hạn category=preference,fact,goal | vi
memory-06 | lan truoc minh hoi gi | memory_recall | recallMemory timeframe=last_week,last_month,all | vi #bare
memory-07 | what were we talking about yesterday? | memory_recall | recallMemory timeframe=last_day
`;
