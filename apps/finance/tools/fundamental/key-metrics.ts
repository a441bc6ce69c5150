/**
 * Key metrics: valuation and returns on capital.
 */
import { definePeriodTool } from "./period-tool.ts";

/** Valuation and returns. */
export const keyMetricsTool = definePeriodTool({
  name: "getKeyMetrics",
  description:
    "Key metrics of one company by period: market cap, EV, EV/EBITDA, ROE, ROA, ROIC, FCF yield, working capital.",
  says: `key metrics; enterprise value EV/EBITDA; return on equity ROE ROIC; free cash flow yield;
    valuation of the company; cash conversion cycle; chỉ số tài chính chính; định giá doanh nghiệp;
    hiệu quả sử dụng vốn ROE ROA; vốn lưu động; ROE ROA ROIC; enterprise value EV multiples;
    quality of the business in numbers; giá trị doanh nghiệp; hiệu quả sử dụng vốn`,
  set: "key_metrics",
  limit: 5,
});
