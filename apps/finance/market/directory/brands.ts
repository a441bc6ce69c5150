/**
 * Brands: what people call American listings beside their registered names. One line each: symbol | names.
 *
 * These names count in any case even if they are words ("apple", "visa"); a word that mostly means something else
 * ("target", "gap", "block") is left to the rules for words that are names.
 */

/** Names by symbol. */
export const BRANDS = `
AAPL|apple;táo khuyết
MSFT|microsoft;micro soft
GOOGL|google;alphabet;youtube
AMZN|amazon;aws;amazon web services
META|facebook;meta;instagram;whatsapp;fb
TSLA|tesla;tesla motors
NVDA|nvidia;n vidia
BRK-B|berkshire;berkshire hathaway
JPM|jpmorgan;jp morgan;jpmorgan chase;jp morgan chase;j.p. morgan
JNJ|j&j;johnson and johnson;johnson & johnson;jnj
PG|p&g;procter and gamble;procter & gamble;procter gamble
KO|coca cola;coca-cola;cocacola;coke
PEP|pepsi;pepsico;pepsi cola
MCD|mcdonald's;mcdonalds;mc donalds;mcdonald
MMM|3m;3m company
DIS|disney;walt disney
WMT|walmart;wal mart;wal-mart
HD|home depot;the home depot
LOW|lowe's;lowes
BAC|bank of america;bofa
C|citi;citigroup;citibank
WFC|wells fargo
GS|goldman sachs;goldman
MS|morgan stanley
V|visa
MA|mastercard;master card
AXP|american express;amex card
PYPL|paypal;pay pal
XOM|exxon;exxon mobil;exxonmobil
CVX|chevron
SHEL|shell;royal dutch shell
BP|bp plc;british petroleum
TTE|totalenergies;total energies
IBM|international business machines
INTC|intel
AMD|advanced micro devices
QCOM|qualcomm
AVGO|broadcom
TSM|tsmc;taiwan semiconductor;taiwan semi
ASML|asml
ARM|arm holdings;arm
MU|micron;micron technology
TXN|texas instruments
ORCL|oracle
CRM|salesforce;sales force
ADBE|adobe
NFLX|netflix;net flix
UBER|uber
LYFT|lyft
ABNB|airbnb;air bnb
SPOT|spotify
SNAP|snapchat
PINS|pinterest
RDDT|reddit
EBAY|ebay;e bay
SHOP|shopify
XYZ|square inc;cash app
SQ|square inc;cash app;block inc
COIN|coinbase
HOOD|robinhood;robin hood markets
PLTR|palantir
SNOW|snowflake
CRWD|crowdstrike;crowd strike
NOW|servicenow;service now
ZM|zoom video;zoom
BA|boeing
LMT|lockheed;lockheed martin
RTX|raytheon
GE|general electric;ge aerospace
GM|general motors;gm motors
F|ford;ford motor;ford motors
TM|toyota
HMC|honda
SONY|sony
RIVN|rivian
LCID|lucid motors;lucid
NIO|nio
LI|li auto
XPEV|xpeng
BYDDY|byd
VFS|vinfast;vin fast
BABA|alibaba;ali baba
TCEHY|tencent
BIDU|baidu
JD|jd.com;jd com
PDD|pinduoduo;temu;pdd holdings
SE|sea limited;shopee;sea ltd
GRAB|grab holdings
T|at&t;at and t;at & t;att inc
VZ|verizon
TMUS|t-mobile;tmobile;t mobile
CMCSA|comcast
PFE|pfizer
MRNA|moderna
LLY|eli lilly;lilly
MRK|merck
NVO|novo nordisk
AZN|astrazeneca;astra zeneca
UNH|unitedhealth;united health;unitedhealth group
CVS|cvs health;cvs
WBA|walgreens
NKE|nike
LULU|lululemon
SBUX|starbucks;star bucks
CMG|chipotle
DPZ|domino's;dominos;domino's pizza
YUM|yum brands;kfc
COST|costco
TGT|target corporation;target corp
BBY|best buy;bestbuy
KR|kroger
CAT|caterpillar
DE|john deere;deere
HON|honeywell
UPS|united parcel service
FDX|fedex;fed ex
DAL|delta air lines;delta airlines;delta air
UAL|united airlines
AAL|american airlines
LUV|southwest airlines
MAR|marriott
HLT|hilton
BKNG|booking.com;booking holdings
GME|gamestop;game stop
AMC|amc entertainment;amc theatres
BB|blackberry;black berry
NOK|nokia
ERIC|ericsson
DELL|dell
HPQ|hp inc;hewlett packard
CSCO|cisco
SMCI|supermicro;super micro;super micro computer
BLK|blackrock;black rock
BX|blackstone
SCHW|charles schwab;schwab
COF|capital one
DFS|discover financial
UL|unilever
NSRGY|nestle;nestlé
LVMUY|lvmh;louis vuitton
SAP|sap se
SIEGY|siemens
BAYRY|bayer
VWAGY|volkswagen
BMWYY|bmw
MBGYY|mercedes;mercedes benz;mercedes-benz
NTDOY|nintendo
SSNLF|samsung;samsung electronics
HESAY|hermes;hermès
LRLCY|l'oreal;l'oréal;loreal
ADDYY|adidas
RHHBY|roche
BHP|bhp
RIO|rio tinto
MSTR|microstrategy;micro strategy
RBLX|roblox
EA|electronic arts
TTWO|take two;take-two;take-two interactive
WBD|warner bros;warner bros discovery;warner brothers
PARA|paramount global
ROKU|roku
DKNG|draftkings
PTON|peloton
CVNA|carvana
SOFI|sofi
UPST|upstart
AFRM|affirm holdings
TWLO|twilio
DDOG|datadog
NET|cloudflare
PANW|palo alto;palo alto networks
FTNT|fortinet
OKTA|okta
MDB|mongodb
TEAM|atlassian
DOCU|docusign
WDAY|workday
INTU|intuit
ADP|automatic data processing
ISRG|intuitive surgical
TMO|thermo fisher
ABT|abbott
ABBV|abbvie
BMY|bristol myers;bristol-myers squibb;bristol myers squibb
GILD|gilead
AMGN|amgen
REGN|regeneron
BIIB|biogen
PM|philip morris
MO|altria
KHC|kraft heinz
MDLZ|mondelez
CL|colgate;colgate palmolive
EL|estee lauder;estée lauder
NEE|nextera;nextera energy
DUK|duke energy
OXY|occidental;occidental petroleum
COP|conocophillips;conoco phillips
SLB|schlumberger
HAL|halliburton
NEM|newmont
FCX|freeport;freeport mcmoran
GEV|ge vernova
SPGI|s&p global
MCO|moody's;moodys
M|macy's;macys
KSS|kohl's;kohls
WEN|wendy's;wendys
GPS|gap inc
GAP|gap inc
URBN|urban outfitters
ANF|abercrombie;abercrombie & fitch
RL|ralph lauren
LEVI|levi's;levi strauss
UAA|under armour
HOG|harley;harley davidson;harley-davidson
RACE|ferrari
STLA|stellantis
CCL|carnival;carnival corp
RCL|royal caribbean
DASH|doordash;door dash
W|wayfair
ETSY|etsy
CHWY|chewy
CPNG|coupang
MELI|mercadolibre;mercado libre
NU|nubank;nu holdings
INFY|infosys
WIT|wipro
HDB|hdfc;hdfc bank
IBN|icici;icici bank
HSBC|hsbc
UBS|ubs
DB|deutsche bank
BCS|barclays
ING|ing group
SAN|banco santander;santander
RY|royal bank of canada
TD|td bank;toronto dominion
KB|kb financial`;

/** Of several share classes of one company, the ones people mean. */
export const PREFERRED_CLASSES: ReadonlySet<string> = new Set(
  "GOOGL BRK-B BF-B FOXA NWSA LBRDK FWONK LBTYA UAA Z MOG-A LLYVK BATRK CWEN HEI LEN".split(" "),
);
