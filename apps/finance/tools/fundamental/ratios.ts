/**
 * Ratios: margins, liquidity, leverage and price ratios.
 */
import { definePeriodTool } from "./period-tool.ts";

/** Margins, liquidity, leverage and price ratios. */
export const ratiosTool = definePeriodTool({
  name: "getRatios",
  description:
    "Ratios of one company by period: P/E, P/B, P/S, margins, liquidity, debt to equity, coverage, payout, per share.",
  says: `financial ratios; P/E ratio and P/B ratio; gross margin net margin; debt to equity; current ratio liquidity;
    payout ratio; book value per share; các hệ số tài chính; chỉ số P/E P/B; biên lợi nhuận;
    hệ số nợ trên vốn chủ; khả năng thanh toán; is it cheap or expensive by valuation ratios;
    PE PB PS margin leverage; định giá P/E P/B; hệ số nợ biên lợi nhuận`,
  set: "ratios",
  limit: 8,
});
