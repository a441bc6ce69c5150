/**
 * Glossary: terms of finance in one or two sentences, in both languages, without a single figure.
 */
import type { QuestionLanguage } from "../../intent/intent.ts";

/** A term: what people write for it without diacritics, and what it means. */
export interface Term extends Readonly<Record<QuestionLanguage, string>> {
  readonly keys: readonly string[];
}

/** The terms that can be explained. */
export const GLOSSARY: readonly Term[] = [
  {
    keys: ["p/e", "pe ratio", "price to earnings", "price earnings", "chi so pe", "he so pe"],
    en: "**P/E** is the price of a share divided by its earnings per share: what the market pays for a unit of profit. It is compared within an industry; a loss has no meaningful P/E.",
    vi: "**P/E** là giá cổ phiếu chia cho lợi nhuận trên mỗi cổ phiếu: thị trường trả bao nhiêu cho một đồng lợi nhuận. Nên so sánh trong cùng ngành; công ty lỗ thì P/E không có ý nghĩa.",
  },
  {
    keys: ["p/b", "price to book", "chi so pb"],
    en: "**P/B** is the price of a share divided by its book value per share.",
    vi: "**P/B** là giá cổ phiếu chia cho giá trị sổ sách trên mỗi cổ phiếu.",
  },
  {
    keys: ["eps", "earnings per share", "loi nhuan tren moi co phieu"],
    en: "**EPS** is the profit for common shareholders divided by the number of shares.",
    vi: "**EPS** là lợi nhuận dành cho cổ đông phổ thông chia cho số cổ phiếu.",
  },
  {
    keys: ["rsi", "relative strength index", "chi so suc manh tuong doi"],
    en: "**RSI** compares recent gains with recent losses on a scale from zero to one hundred. High readings are called overbought, low ones oversold.",
    vi: "**RSI** so sánh mức tăng với mức giảm gần đây trên thang từ không đến một trăm. Mức cao gọi là quá mua, mức thấp gọi là quá bán.",
  },
  {
    keys: ["macd"],
    en: "**MACD** is the difference of a fast and a slow moving average. Above its signal line it is read as upward momentum, below as downward.",
    vi: "**MACD** là chênh lệch giữa trung bình động nhanh và chậm. Nằm trên đường tín hiệu được xem là động lượng tăng, nằm dưới là giảm.",
  },
  {
    keys: ["moving average", "sma", "ema", "trung binh dong", "duong trung binh"],
    en: "A **moving average** is the mean of the latest closing prices. SMA weighs all days equally, EMA weighs newer days more.",
    vi: "**Trung bình động** là bình quân của các giá đóng cửa gần nhất. SMA coi các ngày như nhau, EMA coi trọng ngày gần hơn.",
  },
  {
    keys: ["bollinger", "bollinger bands", "dai bollinger"],
    en: "**Bollinger bands** lie some standard deviations above and below a moving average; they widen when prices swing more.",
    vi: "**Dải Bollinger** nằm cách trung bình động một số độ lệch chuẩn ở phía trên và dưới; dải rộng ra khi giá biến động mạnh.",
  },
  {
    keys: ["etf", "exchange traded fund", "quy hoan doi danh muc"],
    en: "An **ETF** is a fund whose shares trade on an exchange; most follow an index.",
    vi: "**ETF** là quỹ có chứng chỉ giao dịch trên sàn; phần lớn mô phỏng một chỉ số.",
  },
  {
    keys: ["dividend", "dividends", "co tuc"],
    en: "A **dividend** is the part of its profit that a company pays to shareholders, in cash or shares.",
    vi: "**Cổ tức** là phần lợi nhuận mà công ty trả cho cổ đông, bằng tiền hoặc cổ phiếu.",
  },
  {
    keys: ["dividend yield", "loi suat co tuc", "ty suat co tuc"],
    en: "The **dividend yield** is a year's dividends divided by the price of the share.",
    vi: "**Lợi suất cổ tức** là cổ tức một năm chia cho giá cổ phiếu.",
  },
  {
    keys: ["market cap", "market capitalization", "market capitalisation", "von hoa", "von hoa thi truong"],
    en: "**Market cap** is the price of a share times the number of shares: what the market says the whole company is worth.",
    vi: "**Vốn hoá thị trường** là giá cổ phiếu nhân với số cổ phiếu: giá trị cả công ty theo thị trường.",
  },
  {
    keys: ["beta", "he so beta"],
    en: "**Beta** says how much a share moves when the market moves; above one it moves more than the market, below one less.",
    vi: "**Beta** cho biết cổ phiếu biến động thế nào khi thị trường biến động; lớn hơn một là mạnh hơn thị trường, nhỏ hơn một là nhẹ hơn.",
  },
  {
    keys: ["var", "value at risk", "gia tri chiu rui ro"],
    en: "**VaR** (value at risk) is the loss that is not exceeded in a period at a given confidence. It says nothing about how large the rarer losses are.",
    vi: "**VaR** (giá trị chịu rủi ro) là mức lỗ không bị vượt quá trong một kỳ với độ tin cậy cho trước. Nó không cho biết các khoản lỗ hiếm hơn lớn đến đâu.",
  },
  {
    keys: ["sharpe", "sharpe ratio", "ty so sharpe", "he so sharpe"],
    en: "The **Sharpe ratio** is the return above the risk-free rate divided by volatility: return for a unit of risk.",
    vi: "**Tỷ số Sharpe** là phần lợi nhuận vượt lãi suất phi rủi ro chia cho độ biến động: lợi nhuận trên một đơn vị rủi ro.",
  },
  {
    keys: ["sortino"],
    en: "The **Sortino ratio** is like the Sharpe ratio but counts only downward movements as risk.",
    vi: "**Tỷ số Sortino** giống tỷ số Sharpe nhưng chỉ coi biến động giảm là rủi ro.",
  },
  {
    keys: ["volatility", "do bien dong", "bien dong gia"],
    en: "**Volatility** is how widely returns vary, usually the standard deviation of daily returns scaled to a year.",
    vi: "**Độ biến động** là mức dao động của lợi suất, thường là độ lệch chuẩn của lợi suất ngày quy về một năm.",
  },
  {
    keys: ["drawdown", "max drawdown", "muc sut giam"],
    en: "A **drawdown** is the fall from a peak to the following low.",
    vi: "**Mức sụt giảm** là khoảng giảm từ đỉnh xuống đáy sau đó.",
  },
  {
    keys: ["inflation", "lam phat", "cpi"],
    en: "**Inflation** is the rise of the general price level; the consumer price index (CPI) is its usual measure.",
    vi: "**Lạm phát** là sự tăng của mặt bằng giá chung; thường đo bằng chỉ số giá tiêu dùng (CPI).",
  },
  {
    keys: ["interest rate", "interest rates", "lai suat"],
    en: "The **interest rate** is the price of borrowing money. Higher rates make future profits worth less today.",
    vi: "**Lãi suất** là giá của việc vay tiền. Lãi suất cao làm lợi nhuận tương lai đáng giá ít hơn ở hiện tại.",
  },
  {
    keys: ["gdp", "tong san pham quoc noi"],
    en: "**GDP** is the value of all goods and services that a country produces in a period.",
    vi: "**GDP** là giá trị toàn bộ hàng hoá và dịch vụ một quốc gia tạo ra trong một kỳ.",
  },
  {
    keys: ["stock", "stocks", "share", "co phieu", "co phieu la gi"],
    en: "A **stock** is a share in the ownership of a company; its holder takes part in profits and losses.",
    vi: "**Cổ phiếu** là phần sở hữu trong một công ty; người nắm giữ cùng hưởng lãi và chịu lỗ.",
  },
  {
    keys: ["bond", "bonds", "trai phieu"],
    en: "A **bond** is a loan to a state or company that pays interest and is repaid at its maturity.",
    vi: "**Trái phiếu** là khoản cho nhà nước hoặc doanh nghiệp vay, trả lãi và hoàn vốn khi đáo hạn.",
  },
  {
    keys: ["index fund", "stock index", "chi so chung khoan"],
    en: "A **stock index** follows the prices of a group of shares, such as the largest of a market.",
    vi: "**Chỉ số chứng khoán** theo dõi giá của một nhóm cổ phiếu, chẳng hạn các công ty lớn nhất thị trường.",
  },
  {
    keys: ["roe", "return on equity"],
    en: "**ROE** is net income divided by shareholders' equity.",
    vi: "**ROE** là lợi nhuận ròng chia cho vốn chủ sở hữu.",
  },
  {
    keys: ["roa", "return on assets"],
    en: "**ROA** is net income divided by total assets.",
    vi: "**ROA** là lợi nhuận ròng chia cho tổng tài sản.",
  },
  {
    keys: ["margin", "profit margin", "net margin", "gross margin", "bien loi nhuan"],
    en: "A **margin** is profit divided by revenue: gross, operating or net, by what has been deducted.",
    vi: "**Biên lợi nhuận** là lợi nhuận chia cho doanh thu: gộp, hoạt động hay ròng tuỳ các khoản đã trừ.",
  },
  {
    keys: ["ebitda"],
    en: "**EBITDA** is profit before interest, taxes, depreciation and amortization.",
    vi: "**EBITDA** là lợi nhuận trước lãi vay, thuế và khấu hao.",
  },
  {
    keys: ["free cash flow", "fcf", "dong tien tu do"],
    en: "**Free cash flow** is the cash from operations that is left after capital expenditure.",
    vi: "**Dòng tiền tự do** là tiền từ hoạt động kinh doanh còn lại sau chi đầu tư.",
  },
  {
    keys: ["cagr"],
    en: "**CAGR** is the yearly growth that, compounded, leads from the first value to the last.",
    vi: "**CAGR** là tốc độ tăng trưởng kép hằng năm đưa giá trị đầu kỳ đến giá trị cuối kỳ.",
  },
  {
    keys: ["diversification", "diversify", "da dang hoa"],
    en: "**Diversification** spreads money over assets that do not move together, so that one loss weighs less.",
    vi: "**Đa dạng hoá** là chia tiền vào các tài sản không biến động cùng nhau để một khoản lỗ ảnh hưởng ít hơn.",
  },
  {
    keys: ["short selling", "short sell", "ban khong", "ban khong co phieu"],
    en: "**Short selling** is selling borrowed shares to buy them back later; it earns if the price falls, and losses have no upper bound.",
    vi: "**Bán khống** là bán cổ phiếu đi vay rồi mua lại sau; có lãi khi giá giảm, còn mức lỗ không có giới hạn trên.",
  },
  {
    keys: ["blockchain", "cryptocurrency", "crypto", "tien ma hoa", "tien dien tu"],
    en: "A **cryptocurrency** is a coin whose ownership is kept in a shared, public ledger, a blockchain; prices swing widely.",
    vi: "**Tiền mã hoá** là đồng tiền có sổ ghi sở hữu chung và công khai, gọi là blockchain; giá biến động rất mạnh.",
  },
  {
    keys: ["bull market", "thi truong bo", "thi truong gia len"],
    en: "A **bull market** is a long rise of prices.",
    vi: "**Thị trường bò** (giá lên) là giai đoạn giá tăng kéo dài.",
  },
  {
    keys: ["bear market", "thi truong gau", "thi truong gia xuong"],
    en: "A **bear market** is a long and deep fall of prices.",
    vi: "**Thị trường gấu** (giá xuống) là giai đoạn giá giảm sâu và kéo dài.",
  },
  {
    keys: ["liquidity", "thanh khoan"],
    en: "**Liquidity** is how easily something can be bought or sold without moving its price.",
    vi: "**Thanh khoản** là mức dễ mua bán một tài sản mà không làm giá thay đổi nhiều.",
  },
];
