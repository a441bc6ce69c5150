/**
 * Sector names: what sectors of the sources are called in Vietnamese; their own name stays beside it.
 */
import type { QuestionLanguage } from "../../intent/intent.ts";

const VIETNAMESE: ReadonlyMap<string, string> = new Map([
  ["Technology", "Công nghệ"],
  ["Technology services", "Dịch vụ công nghệ"],
  ["Electronic technology", "Công nghệ điện tử"],
  ["Financial Services", "Dịch vụ tài chính"],
  ["Finance", "Tài chính"],
  ["Healthcare", "Y tế"],
  ["Health technology", "Công nghệ y tế"],
  ["Health services", "Dịch vụ y tế"],
  ["Consumer Cyclical", "Tiêu dùng không thiết yếu"],
  ["Consumer Defensive", "Tiêu dùng thiết yếu"],
  ["Consumer durables", "Hàng tiêu dùng lâu bền"],
  ["Consumer non-durables", "Hàng tiêu dùng nhanh"],
  ["Consumer services", "Dịch vụ tiêu dùng"],
  ["Communication Services", "Dịch vụ truyền thông"],
  ["Communications", "Viễn thông"],
  ["Industrials", "Công nghiệp"],
  ["Industrial services", "Dịch vụ công nghiệp"],
  ["Producer manufacturing", "Sản xuất thiết bị"],
  ["Process industries", "Công nghiệp chế biến"],
  ["Commercial services", "Dịch vụ thương mại"],
  ["Distribution services", "Phân phối"],
  ["Transportation", "Vận tải"],
  ["Retail trade", "Bán lẻ"],
  ["Energy", "Năng lượng"],
  ["Energy minerals", "Khoáng sản năng lượng"],
  ["Non-energy minerals", "Khoáng sản phi năng lượng"],
  ["Basic Materials", "Vật liệu cơ bản"],
  ["Real Estate", "Bất động sản"],
  ["Utilities", "Tiện ích"],
  ["Government", "Chính phủ"],
  ["Miscellaneous", "Khác"],
]);

/** A sector as an answer calls it. */
export function sectorName(sector: string, language: QuestionLanguage): string {
  const vietnamese = language === "vi" ? VIETNAMESE.get(sector) : undefined;
  return vietnamese === undefined ? sector : `${vietnamese} (${sector})`;
}
