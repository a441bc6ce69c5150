/**
 * Balance sheet: what a company owns and owes.
 */
import { definePeriodTool } from "./period-tool.ts";

/** Shows what a company owns and owes. */
export const balanceSheetTool = definePeriodTool({
  name: "getBalanceSheet",
  description:
    "Balance sheets of one company by fiscal year or quarter: assets, liabilities, equity, cash, debt, inventory.",
  says: `balance sheet; total assets and liabilities; how much debt and cash does the company have;
    shareholders' equity; inventory and receivables; bảng cân đối kế toán; tổng tài sản và nợ phải trả;
    nợ vay và tiền mặt của công ty; vốn chủ sở hữu; hàng tồn kho; what does the company own and owe;
    shareholders equity inventory receivables; cash pile and borrowings; tài sản nợ vốn chủ; tiền mặt và nợ vay`,
  set: "balance",
  limit: 8,
});
