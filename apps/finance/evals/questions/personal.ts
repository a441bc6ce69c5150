/**
 * Personal questions: what the assistant keeps for a user: memory, portfolio, watchlist, alerts and schedules.
 */
export const PERSONAL = `
remember-01 | Please remember that I prefer growth stocks | general | saveToMemory content*=growth category=preference
remember-02 | Nhớ giúp tôi là tôi thích cổ phiếu trả cổ tức đều | general | saveToMemory content*=cổ_tức category=preference | vi
remember-03 | My goal is to retire at 55 with one million dollars, please remember that | general | saveToMemory content*=retire category=goal
remember-04 | I am a cautious investor | general | saveToMemory content*=cautious category=preference,fact
remember-05 | tôi là nhà đầu tư dài hạn, không thích rủi ro | general | saveToMemory content*=dài_hạn category=preference,fact || saveToMemory content*=dài_hạn category=preference,fact; saveToMemory content*=rủi_ro category=preference,fact | vi
remember-06 | Call me Lan | general | saveToMemory content*=Lan category=preference,fact
remember-07 | hay nho rang toi thich bieu do tuan | general | saveToMemory content*=tuan category=preference | vi #bare
remember-08 | Save to memory: I live in Hanoi and trade in the evening | general | saveToMemory content*=Hanoi category=preference,fact,context,other || saveToMemory content*=Hanoi category=preference,fact,context; saveToMemory content*=evening category=preference,fact,context
remember-09 | Please note that I never buy tobacco companies | general | saveToMemory content*=tobacco category=preference,fact
remember-10 | từ nay gọi tôi là anh Minh nhé | general | saveToMemory content*=Minh category=preference,fact | vi
recall-01 | What do you remember about me? | memory_recall | searchMemory/recallMemory
recall-02 | Bạn nhớ gì về tôi? | memory_recall | searchMemory/recallMemory | vi
recall-03 | What did we talk about last week? | memory_recall | recallMemory timeframe=last_week
recall-04 | hôm qua tôi đã hỏi bạn về cổ phiếu nào? | memory_recall | recallMemory timeframe=last_day,last_week | vi
recall-05 | Which stocks have I asked you about this month? | memory_recall | recallMemory timeframe=last_month
recall-06 | do you know what kind of investor I am? | memory_recall | searchMemory/recallMemory
recall-07 | ban con nho toi ten gi khong | memory_recall | searchMemory/recallMemory | vi #bare
recall-08 | What did I tell you about dividends? | memory_recall | searchMemory/recallMemory
recall-09 | sở thích đầu tư của tôi là gì? | memory_recall | searchMemory/recallMemory | vi
recall-10 | Remember that I like ETFs >> what do you know about me? | memory_recall | searchMemory/recallMemory
holding-01 | I bought 10 shares of Nvidia at 120 dollars | stock_analysis | setHolding NVDA quantity=10 cost=120 action=set,add currency=USD
holding-02 | Add 25 Apple shares at $150 to my portfolio | stock_analysis | setHolding AAPL quantity=25 cost=150 action=set,add currency=USD
holding-03 | Tôi có 100 cổ phiếu Microsoft giá vốn 300 đô | stock_analysis | setHolding MSFT quantity=100 cost=300 action=set,add currency=USD | vi
holding-04 | I hold 0.5 bitcoin | stock_analysis,crypto | setHolding BTCUSD quantity=0.5 action=set,add
holding-05 | Remove Tesla from my portfolio | stock_analysis | setHolding TSLA action=remove
holding-06 | bán hết cổ phiếu Intel khỏi danh mục của tôi | stock_analysis | setHolding INTC action=remove | vi
holding-07 | I own 40 KO at 58.20 and 15 JNJ at 160 | stock_analysis | setHolding KO quantity=40 cost=58.2 action=set,add; setHolding JNJ quantity=15 cost=160 action=set,add
holding-08 | thêm 20 cổ phiếu AMZN vào danh mục | stock_analysis | setHolding AMZN quantity=20 action=set,add | vi
holding-09 | update my position in Netflix to 8 shares | stock_analysis | setHolding NFLX quantity=8 action=set
holding-10 | mua them 5 co phieu apple gia 210 usd, ghi vao danh muc giup toi | stock_analysis | setHolding AAPL quantity=5 cost=210 action=add,set currency=USD | vi #bare
portfolio-01 | Show my portfolio | stock_analysis | getPortfolio | allow=analyzePortfolio #no_data
portfolio-02 | danh mục của tôi hiện có gì? | stock_analysis | getPortfolio | vi allow=analyzePortfolio #no_data
portfolio-03 | I own 40 KO at 58 and 15 JNJ at 160 >> How risky is my portfolio? | stock_analysis | analyzePortfolio
portfolio-04 | I bought 10 NVDA at 120 >> what if NVDA falls 20%? | stock_analysis | analyzePortfolio shocks*=NVDA,-20 | symbols=NVDA
portfolio-05 | Tôi có 50 cổ phiếu Apple giá 150 đô >> danh mục của tôi đang lãi hay lỗ bao nhiêu? | stock_analysis | analyzePortfolio/getPortfolio | vi
portfolio-06 | what sectors am I exposed to? | stock_analysis | analyzePortfolio | #no_data
portfolio-07 | What in my portfolio reports this week? | stock_analysis,market | getPortfolioEvents | #no_data
portfolio-08 | cổ phiếu nào trong danh mục của tôi sắp chia cổ tức? | stock_analysis,market | getPortfolioEvents from~2024-11-22 | vi #no_data
portfolio-09 | I own 10 AAPL at 150 and 10 MSFT at 300 >> how concentrated am I? | stock_analysis | analyzePortfolio
portfolio-10 | VaR of my portfolio at 99% | stock_analysis | analyzePortfolio confidence=0.99 | #no_data
portfolio-11 | danh muc cua toi rui ro the nao | stock_analysis | analyzePortfolio | vi #bare #no_data
portfolio-12 | I own 30 MSFT at 310 >> what happens to my portfolio if the S&P 500 drops 10%? | stock_analysis | analyzePortfolio shocks*=^GSPC,-10 | symbols=^GSPC?
portfolio-13 | my portfolio's beta | stock_analysis | analyzePortfolio | #no_data
portfolio-14 | nếu Apple giảm 15% thì danh mục của tôi mất bao nhiêu? | stock_analysis | analyzePortfolio shocks*=AAPL,-15 | vi symbols=AAPL #no_data
portfolio-15 | correlation between my holdings | stock_analysis | analyzePortfolio | #no_data
import-01 | symbol,quantity,cost\\nAAPL,10,150\\nMSFT,5,300 | stock_analysis | importHoldings | symbols=AAPL?,MSFT?
import-02 | Import these holdings:\\nTicker;Shares;Avg price\\nNVDA;12;98,50\\nKO;40;58,20 | stock_analysis | importHoldings | symbols=NVDA?,KO?
import-03 | nhập danh mục này giúp tôi\\nMã,Số lượng,Giá vốn\\nAAPL,20,170\\nJNJ,10,155 | stock_analysis | importHoldings | vi symbols=AAPL?,JNJ?
import-04 | symbol,quantity,cost\\nAAPL,10,150\\nMSFT,5,300 >> yes, import it | stock_analysis,follow_up | importHoldings dry_run=false
import-05 | Mã,Số lượng,Giá vốn\\nAAPL,20,170\\nKO,10,55 >> đúng rồi, lưu đi | stock_analysis,follow_up | importHoldings dry_run=false | vi
watch-01 | Add Nvidia and AMD to my watchlist | general,stock_analysis,stock_price | setWatchlist NVDA+AMD
watch-02 | thêm Vinamilk vào danh sách theo dõi | general,stock_analysis,stock_price | setWatchlist symbols=[VNM.VN] | vi symbols=VNM.VN
watch-03 | remove Tesla from my watchlist | general,stock_analysis,stock_price | setWatchlist symbols=[TSLA] action=remove | symbols=TSLA
watch-04 | what is on my watchlist? | general,stock_analysis,stock_price,market | listAlerts
watch-05 | danh sách theo dõi của tôi | general,stock_analysis,stock_price,market | listAlerts | vi
alert-01 | Alert me when NVDA goes above 150 | general,stock_price | setAlert NVDA kind=price_above value=150
alert-02 | Báo cho tôi khi Apple xuống dưới 200 đô | general,stock_price | setAlert AAPL kind=price_below value=200 | vi
alert-03 | Notify me if Tesla moves more than 5% | general,stock_price | setAlert TSLA kind=percent_move value=5
alert-04 | tell me when the RSI of Microsoft is over 70 | general,technical,stock_price | setAlert MSFT kind=rsi_above value=70
alert-05 | cảnh báo khi RSI của AAPL dưới 30 | general,technical,stock_price | setAlert AAPL kind=rsi_below value=30 | vi
alert-06 | let me know when Apple files a new 8-K | general,fundamental | setAlert AAPL kind=filing forms*=8-K
alert-07 | remind me before Nvidia's earnings | general,fundamental | setAlert NVDA kind=earnings
alert-08 | What alerts do I have? | general,stock_price,market | listAlerts
alert-09 | tôi đang có những cảnh báo nào? | general,stock_price,market | listAlerts | vi
alert-10 | delete my alert on Tesla | general,stock_price | removeAlert TSLA
alert-11 | xoá hết cảnh báo giá | general,stock_price | removeAlert all=true | vi
alert-12 | bao toi khi bitcoin vuot 100000 usd | general,crypto,stock_price | setAlert BTCUSD kind=price_above value=100000 | vi #bare
alert-13 | ping me if Amazon drops below 180.50 | general,stock_price | setAlert AMZN kind=price_below value=180.5
alert-14 | warn me when an insider of Intel sells | general,fundamental | setAlert INTC kind=filing forms*=4
alert-15 | Do you support price alerts? | help,general | - | route=direct
schedule-01 | Every weekday at 8:30 brief my watchlist | general,market | setSchedule cron=30_8_*_*_1-5
schedule-02 | mỗi sáng thứ hai lúc 9h tóm tắt thị trường cho tôi | general,market | setSchedule cron=0_9_*_*_1 | vi
schedule-03 | send me the price of gold miner GOLD every Friday at 17:00 | general,market,stock_price | setSchedule cron=0_17_*_*_5 | symbols=GOLD
schedule-04 | hàng ngày lúc 7 giờ tối báo giá bitcoin | general,market,crypto | setSchedule cron=0_19_*_*_* | vi symbols=BTCUSD
schedule-05 | on the first of every month at noon analyze my portfolio | general,market,stock_analysis | setSchedule cron=0_12_1_*_*
remember-11 | ghi nhớ rằng mục tiêu của tôi là mua nhà sau 5 năm | general | saveToMemory content*=mua_nhà category=goal | vi
remember-12 | tôi ghét tiền mã hoá, hãy nhớ điều đó | general | saveToMemory content*=tiền_mã_hoá category=preference,fact | vi
holding-11 | tôi đang giữ 200 cổ phiếu HPG giá 26.500 đồng | stock_analysis | setHolding HPG.VN quantity=200 cost=26500 action=set,add currency=VND | vi
holding-12 | xoá Netflix khỏi danh mục đầu tư của tôi | stock_analysis | setHolding NFLX quantity=0 action=set,remove | vi
portfolio-16 | phân bổ ngành trong danh mục của tôi thế nào? | stock_analysis | analyzePortfolio | vi #no_data
portfolio-17 | tôi đang nắm giữ những mã nào? | stock_analysis | getPortfolio | vi allow=analyzePortfolio #no_data
alert-16 | nhắc tôi khi cổ phiếu Tesla biến động hơn 7% | general,stock_price | setAlert TSLA kind=percent_move value=7 | vi
alert-17 | huỷ cảnh báo của Nvidia | general,stock_price | removeAlert NVDA | vi
watch-06 | bỏ Amazon khỏi danh sách theo dõi của tôi | general,stock_analysis,stock_price | setWatchlist symbols=[AMZN] action=remove | vi symbols=AMZN
schedule-06 | mỗi ngày trong tuần lúc 15:30 tóm tắt danh sách theo dõi | general,market | setSchedule cron=30_15_*_*_1-5 | vi
`;
