/**
 * Market questions: news, the web, screeners, movers, the market, sectors, members of indices, calendar and time.
 */
export const MARKET = `
news-01 | Latest news about Tesla | news | getStockNews TSLA | #no_data
news-02 | tin tức mới nhất về Apple | news | getStockNews AAPL | vi #no_data
news-03 | Any headlines on Nvidia? | news | getStockNews NVDA | #no_data
news-04 | tin tuc vingroup | news | getStockNews VIC.VN | vi #bare #no_data
news-05 | What happened to Boeing recently? Show 5 news items | news | getStockNews BA limit=5 | #no_data
news-06 | news of FICWIZD | news | getStockNews FICWIZD
news-07 | có tin gì về Microsoft không? | news | getStockNews MSFT | vi #no_data
general-news-01 | What is the latest market news? | news,market | getGeneralNews | allow=getMarketOverview
general-news-02 | tin tức thị trường hôm nay | news,market | getGeneralNews | vi allow=getMarketOverview
general-news-03 | Top 5 financial headlines | news | getGeneralNews limit=5
general-news-04 | tin tai chinh moi nhat | news | getGeneralNews | vi #bare
general-news-05 | business news please | news | getGeneralNews
general-news-06 | điểm tin kinh tế sáng nay | news | getGeneralNews | vi
web-01 | Search the web for Fed rate decision analysis | news,general,market | webSearch query*=fed | web #no_data
web-02 | tìm trên mạng thông tin về chip Blackwell của Nvidia | news,general | webSearch query*=blackwell | vi web symbols=NVDA? allow=getStockNews #no_data
web-03 | look up online what analysts say about Apple's AI plans | news,general,stock_analysis | webSearch query*=apple | web symbols=AAPL? allow=getStockNews #no_data
web-04 | google the latest OPEC decision | news,general,market | webSearch query*=opec | web symbols=GOOGL? #no_data
web-05 | tra cứu web: lạm phát Mỹ tháng 10 | news,general,market | webSearch query*=lạm | vi web #no_data
web-06 | web search: Tesla robotaxi launch date | news,general | webSearch query*=robotaxi | web symbols=TSLA? #no_data
web-07 | search the internet for Vinamilk expansion plans | news,general | webSearch query*=vinamilk | web symbols=VNM.VN? allow=getStockNews #no_data
screener-01 | show me tech stocks under 50 dollars | screener | getScreener sector=Technology,tech price_lower_than=50
screener-02 | cổ phiếu công nghệ giá dưới 30 đô | screener | getScreener sector=Technology,tech,công_nghệ price_lower_than=30 | vi
screener-03 | Find healthcare companies with market cap above 100 billion | screener | getScreener sector=Healthcare market_cap_more_than=100000000000
screener-04 | lọc cổ phiếu ngành năng lượng vốn hóa trên 50 tỷ đô | screener | getScreener sector=Energy market_cap_more_than=50000000000 | vi
screener-05 | stocks paying more than 3 dollars in dividends | screener | getScreener dividend_more_than=3
screener-06 | NASDAQ stocks between 10 and 20 dollars | screener | getScreener exchange=NASDAQ price_more_than=10 price_lower_than=20 | symbols=^IXIC?
screener-07 | tim co phieu ngan hang tren 100 do | screener | getScreener industry=banks,bank,ngân_hàng price_more_than=100 || getScreener sector=Financial_Services,ngân_hàng,banks price_more_than=100 | vi #bare
screener-08 | top 5 utilities by market cap | screener | getScreener sector=Utilities limit=5
screener-09 | small caps under 300 million in the energy sector | screener | getScreener sector=Energy market_cap_lower_than=300000000
screener-10 | semiconductor stocks over 100 dollars with volume above 5 million | screener | getScreener industry=semiconductors,semiconductor price_more_than=100 volume_more_than=5000000
gainers-01 | Top gainers today | screener,market | getGainers
gainers-02 | cổ phiếu tăng mạnh nhất hôm nay | screener,market | getGainers | vi
gainers-03 | 5 biggest winners on the stock market | screener,market | getGainers limit=5
gainers-04 | ma nao tang gia nhieu nhat | screener,market | getGainers | vi #bare
gainers-05 | which stocks rose the most? | screener,market | getGainers
gainers-06 | top 10 cổ phiếu tăng giá | screener,market | getGainers limit=10 | vi
losers-01 | Biggest losers today | screener,market | getLosers
losers-02 | cổ phiếu giảm mạnh nhất | screener,market | getLosers | vi
losers-03 | show the 10 worst performing stocks today | screener,market | getLosers limit=10
losers-04 | top 5 ma giam gia | screener,market | getLosers limit=5 | vi #bare
losers-05 | what stocks fell the most? | screener,market | getLosers
losers-06 | những mã rớt giá nhiều nhất hôm nay | screener,market | getLosers | vi
active-01 | Most active stocks | screener,market | getMostActive
active-02 | cổ phiếu giao dịch nhiều nhất hôm nay | screener,market | getMostActive | vi
active-03 | highest volume stocks, top 15 | screener,market | getMostActive limit=15
active-04 | ma nao co thanh khoan cao nhat | screener,market | getMostActive | vi #bare
active-05 | what is everyone trading today? | screener,market | getMostActive
active-06 | top 3 mã sôi động nhất | screener,market | getMostActive limit=3 | vi
movers-01 | top gainers and losers | screener,market | getGainers; getLosers
market-01 | How is the market doing? | market | getMarketOverview
market-02 | thị trường hôm nay thế nào? | market | getMarketOverview | vi
market-03 | market overview | market | getMarketOverview
market-04 | tong quan thi truong chung khoan my | market | getMarketOverview | vi #bare
market-05 | Are US indices up or down today? | market | getMarketOverview
market-06 | Chứng khoán Mỹ đêm qua ra sao? | market | getMarketOverview | vi
market-07 | how did Wall Street close | market | getMarketOverview
sectors-01 | Which sectors are doing best today? | market | getSectorPerformance
sectors-02 | hiệu suất các ngành hôm nay | market | getSectorPerformance | vi
sectors-03 | sector performance on 2024-11-22 | market | getSectorPerformance date=2024-11-22
sectors-04 | nganh nao tang manh nhat | market | getSectorPerformance | vi #bare
sectors-05 | show a sector heatmap | market | getSectorPerformance
sectors-06 | nhóm ngành nào giảm nhiều nhất hôm nay? | market | getSectorPerformance | vi
members-01 | List the members of the S&P 500 | market,screener | getIndexComponents | symbols=^GSPC? #no_data
members-02 | Dow Jones components | market,screener | getIndexComponents index=dowjones | symbols=^DJI? #no_data
members-03 | danh sách cổ phiếu trong chỉ số Nasdaq | market,screener | getIndexComponents index=nasdaq | vi symbols=^IXIC?,^NDX? #no_data
members-04 | Which companies are in the Dow? | market,screener | getIndexComponents index=dowjones | symbols=^DJI? #no_data
members-05 | thanh phan chi so s&p 500 | market,screener | getIndexComponents | vi symbols=^GSPC? #bare #no_data
members-06 | first 20 constituents of the S&P 500 | market,screener | getIndexComponents limit=20 | symbols=^GSPC? #no_data
calendar-01 | Economic calendar this week | market | getEconomicCalendar | #no_data
calendar-02 | lịch kinh tế tuần này | market | getEconomicCalendar | vi #no_data
calendar-03 | High impact US economic events from 2024-11-25 to 2024-11-29 | market | getEconomicCalendar from=2024-11-25 to=2024-11-29 country=US impact=High | #no_data
calendar-04 | When is the next FOMC or CPI release? | market | getEconomicCalendar | #no_data
calendar-05 | lich su kien kinh te my sap toi | market | getEconomicCalendar country=US | vi #bare #no_data
calendar-06 | upcoming economic events in Japan | market | getEconomicCalendar country=JP | #no_data
time-01 | What time is it in New York? | general | getCurrentTime timezone=America/New_York
time-02 | bây giờ là mấy giờ ở Việt Nam? | general | getCurrentTime timezone=Asia/Ho_Chi_Minh | vi
time-03 | Is the US stock market open now? | general,market | getCurrentTime timezone*=
time-04 | What's today's date? | general | getCurrentTime timezone*=
time-05 | thị trường Mỹ đang mở cửa hay đóng cửa? | general,market | getCurrentTime timezone*= | vi
time-06 | may gio roi o tokyo | general | getCurrentTime timezone=Asia/Tokyo | vi #bare
time-07 | current time in London | general | getCurrentTime timezone=Europe/London
`;
