/**
 * Funds and indices that everybody asks for. One line each: symbol | exchange | name | short names.
 * NYSE Arca is written AMEX, as data providers do.
 */

/** Exchange-traded funds. */
export const FUNDS = `
SPY|AMEX|SPDR S&P 500 ETF Trust|spdr s&p 500;s&p 500 etf
VOO|AMEX|Vanguard S&P 500 ETF|vanguard s&p 500
IVV|AMEX|iShares Core S&P 500 ETF|
VTI|AMEX|Vanguard Total Stock Market ETF|vanguard total stock market;vanguard total market
QQQ|NASDAQ|Invesco QQQ Trust|invesco qqq;nasdaq 100 etf;nasdaq-100 etf
QQQM|NASDAQ|Invesco NASDAQ 100 ETF|
DIA|AMEX|SPDR Dow Jones Industrial Average ETF Trust|dow jones etf
IWM|AMEX|iShares Russell 2000 ETF|russell 2000 etf
IJH|AMEX|iShares Core S&P Mid-Cap ETF|
IJR|AMEX|iShares Core S&P Small-Cap ETF|
IWF|AMEX|iShares Russell 1000 Growth ETF|
IWD|AMEX|iShares Russell 1000 Value ETF|
VUG|AMEX|Vanguard Growth ETF|
VTV|AMEX|Vanguard Value ETF|
VIG|AMEX|Vanguard Dividend Appreciation ETF|
VYM|AMEX|Vanguard High Dividend Yield ETF|
SCHD|AMEX|Schwab US Dividend Equity ETF|
VT|AMEX|Vanguard Total World Stock ETF|
VXUS|NASDAQ|Vanguard Total International Stock ETF|
VEA|AMEX|Vanguard FTSE Developed Markets ETF|
VWO|AMEX|Vanguard FTSE Emerging Markets ETF|
IEFA|CBOE|iShares Core MSCI EAFE ETF|
EFA|AMEX|iShares MSCI EAFE ETF|
EEM|AMEX|iShares MSCI Emerging Markets ETF|
FXI|AMEX|iShares China Large-Cap ETF|
KWEB|AMEX|KraneShares CSI China Internet ETF|
EWJ|AMEX|iShares MSCI Japan ETF|
INDA|CBOE|iShares MSCI India ETF|
VNM|CBOE|VanEck Vietnam ETF|vaneck vietnam;vietnam etf;market vectors vietnam
GLD|AMEX|SPDR Gold Shares|spdr gold;gold etf;gold;gold price;vàng;giá vàng
IAU|AMEX|iShares Gold Trust|
SLV|AMEX|iShares Silver Trust|silver etf;silver;bạc;giá bạc
USO|AMEX|United States Oil Fund|oil;crude oil;crude;wti;oil price;dầu;dầu thô;giá dầu
UNG|AMEX|United States Natural Gas Fund|natural gas;khí đốt
TLT|NASDAQ|iShares 20+ Year Treasury Bond ETF|
IEF|NASDAQ|iShares 7-10 Year Treasury Bond ETF|
SHY|NASDAQ|iShares 1-3 Year Treasury Bond ETF|
BND|NASDAQ|Vanguard Total Bond Market ETF|
AGG|AMEX|iShares Core U.S. Aggregate Bond ETF|
LQD|AMEX|iShares iBoxx $ Investment Grade Corporate Bond ETF|
HYG|AMEX|iShares iBoxx $ High Yield Corporate Bond ETF|
TIP|AMEX|iShares TIPS Bond ETF|
VNQ|AMEX|Vanguard Real Estate ETF|
XLK|AMEX|Technology Select Sector SPDR Fund|
XLF|AMEX|Financial Select Sector SPDR Fund|
XLV|AMEX|Health Care Select Sector SPDR Fund|
XLE|AMEX|Energy Select Sector SPDR Fund|
XLY|AMEX|Consumer Discretionary Select Sector SPDR Fund|
XLP|AMEX|Consumer Staples Select Sector SPDR Fund|
XLI|AMEX|Industrial Select Sector SPDR Fund|
XLB|AMEX|Materials Select Sector SPDR Fund|
XLU|AMEX|Utilities Select Sector SPDR Fund|
XLRE|AMEX|Real Estate Select Sector SPDR Fund|
XLC|AMEX|Communication Services Select Sector SPDR Fund|
SMH|NASDAQ|VanEck Semiconductor ETF|
SOXX|NASDAQ|iShares Semiconductor ETF|
VGT|AMEX|Vanguard Information Technology ETF|
ARKK|AMEX|ARK Innovation ETF|ark innovation;ark invest
TQQQ|NASDAQ|ProShares UltraPro QQQ|
SQQQ|NASDAQ|ProShares UltraPro Short QQQ|
SOXL|AMEX|Direxion Daily Semiconductor Bull 3X Shares|
RSP|AMEX|Invesco S&P 500 Equal Weight ETF|
JEPI|AMEX|JPMorgan Equity Premium Income ETF|
IBIT|NASDAQ|iShares Bitcoin Trust ETF|ishares bitcoin trust;blackrock bitcoin etf
FBTC|CBOE|Fidelity Wise Origin Bitcoin Fund|fidelity bitcoin
GBTC|AMEX|Grayscale Bitcoin Trust ETF|grayscale bitcoin trust
ETHA|NASDAQ|iShares Ethereum Trust ETF|ishares ethereum trust
ETHE|AMEX|Grayscale Ethereum Trust ETF|grayscale ethereum trust
BTC|AMEX|Grayscale Bitcoin Mini Trust ETF|grayscale bitcoin mini trust
ETH|AMEX|Grayscale Ethereum Mini Trust ETF|grayscale ethereum mini trust
BITO|AMEX|ProShares Bitcoin ETF|proshares bitcoin`;

/** Indices; short names include the symbols other sites use. */
export const INDICES = `
^GSPC|INDEX|S&P 500|s&p500;s&p;sp500;sp 500;s and p 500;snp 500;snp500;standard and poors 500;standard & poor's 500;chỉ số s&p 500;chỉ số s&p
^DJI|INDEX|Dow Jones Industrial Average|dow jones;dow jones industrial;the dow;chỉ số dow jones;dow jones index
^IXIC|INDEX|Nasdaq Composite|nasdaq;nasdaq index;chỉ số nasdaq;nasdaq composite index
^NDX|INDEX|Nasdaq 100|nasdaq-100;nasdaq100;chỉ số nasdaq 100
^RUT|INDEX|Russell 2000|russell2000;chỉ số russell 2000;russell index
^VIX|INDEX|CBOE Volatility Index|volatility index;vix index;fear index;chỉ số vix;cboe vix
^VNINDEX|HOSE|VN-Index|vnindex;vn index;chỉ số vn-index;chỉ số vn index;chỉ số vnindex;vietnam index;ho chi minh stock index
^VN30|HOSE|VN30 Index|vn30-index;chỉ số vn30;vn30
^HNXINDEX|HNX|HNX-Index|hnxindex;hnx index;chỉ số hnx;hnx-index
^UPCOMINDEX|UPCOM|UPCOM-Index|upcomindex;upcom index;chỉ số upcom`;

/** Symbols that other sites use for an index. */
export const INDEX_SYMBOLS: readonly (readonly [spelling: string, symbol: string])[] = [
  ["GSPC", "^GSPC"],
  ["SPX", "^GSPC"],
  ["INX", "^GSPC"],
  ["US500", "^GSPC"],
  ["DJI", "^DJI"],
  ["DJIA", "^DJI"],
  ["US30", "^DJI"],
  ["IXIC", "^IXIC"],
  ["COMP", "^IXIC"],
  ["NDX", "^NDX"],
  ["RUT", "^RUT"],
  ["VIX", "^VIX"],
  ["VNINDEX", "^VNINDEX"],
  ["VNI", "^VNINDEX"],
  ["VN30", "^VN30"],
  ["HNXINDEX", "^HNXINDEX"],
];
