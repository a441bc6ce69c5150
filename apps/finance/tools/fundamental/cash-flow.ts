/**
 * Cash flow: what cash came in and went out.
 */
import { definePeriodTool } from "./period-tool.ts";

/** Shows what cash came in and went out. */
export const cashFlowTool = definePeriodTool({
  name: "getCashFlow",
  description:
    "Cash flow statements of one company by period: operating, investing, financing, capex, free cash flow, buybacks.",
  says: `cash flow statement; free cash flow; operating cash flow; capital expenditure capex;
    share buybacks and dividends paid; báo cáo lưu chuyển tiền tệ; dòng tiền tự do;
    dòng tiền hoạt động kinh doanh; chi đầu tư; mua lại cổ phiếu quỹ; cash burn; how much cash does it generate;
    capital spending and buybacks; tiền vào tiền ra`,
  set: "cash_flow",
  limit: 8,
});
