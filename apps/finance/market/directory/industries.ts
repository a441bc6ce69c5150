/**
 * Industries: what people call them, in English or Vietnamese, and which names of sources they mean.
 *
 * A name without an entry here is compared word by word, so that every industry of every source can be asked for by
 * its own name.
 */
import { toNameKey } from "./sectors.ts";

/** One industry as people mean it. */
interface Industry {
  /** FMP's name: what its screener takes. */
  readonly name: string;
  /** Names in common use. */
  readonly words: readonly string[];
  /** Starts of the names that other sources use for it, folded. */
  readonly starts: readonly string[];
}

const of = (name: string, words: string, starts: string): Industry => ({
  name,
  words: words.split(", ").map(toNameKey),
  starts: [toNameKey(name), ...starts.split(", ").filter((start) => start !== "")],
});

const INDUSTRIES: readonly Industry[] = [
  of("Semiconductors", "semiconductor, semis, chip, chips, chipmakers, bán dẫn, chip bán dẫn", "electronic production"),
  of("Software - Application", "software, application software, phần mềm", "packaged software, software"),
  of("Software - Infrastructure", "infrastructure software, cloud software", "packaged software"),
  of("Information Technology Services", "it services, dịch vụ công nghệ thông tin", "information technology services"),
  of("Internet Content & Information", "internet, internet services, internet software", "internet software"),
  of("Computer Hardware", "computers, hardware, máy tính, phần cứng", "computer"),
  of(
    "Consumer Electronics",
    "electronics, điện tử, điện tử tiêu dùng",
    "electronics appliances, telecommunications equipment",
  ),
  of(
    "Banks - Diversified",
    "banks, bank, banking, major banks, ngân hàng",
    "major banks, regional banks, savings banks, banks",
  ),
  of("Banks - Regional", "regional bank, regional banks, ngân hàng khu vực", "regional banks"),
  of(
    "Insurance - Diversified",
    "insurance, insurers, bảo hiểm",
    "multi line insurance, property casualty, life health, specialty insurance, insurance",
  ),
  of("Asset Management", "asset managers, investment managers, quản lý quỹ, quản lý tài sản", "investment managers"),
  of(
    "Financial - Capital Markets",
    "brokers, brokerage, securities, investment banks, chứng khoán",
    "investment banks",
  ),
  of("Biotechnology", "biotech, công nghệ sinh học", "biotechnology"),
  of(
    "Drug Manufacturers - General",
    "pharma, pharmaceuticals, pharmaceutical, drugs, dược, dược phẩm",
    "pharmaceuticals, drug manufacturers",
  ),
  of("Medical - Devices", "medical devices, medical equipment, thiết bị y tế", "medical specialties, medical"),
  of("Medical - Care Facilities", "hospitals, hospital, bệnh viện", "hospital nursing"),
  of("Auto - Manufacturers", "autos, auto, cars, carmakers, automakers, ô tô, xe hơi, xe điện, ev", "motor vehicles"),
  of("Auto - Parts", "auto parts, phụ tùng ô tô", "auto parts"),
  of("Airlines, Airports & Air Services", "airline, airlines, aviation, hàng không", "airlines"),
  of("Aerospace & Defense", "aerospace, defense, defence, quốc phòng, hàng không vũ trụ", "aerospace"),
  of("Marine Shipping", "shipping, marine, vận tải biển", "marine shipping"),
  of("Railroads", "railroad, railways, đường sắt", "railroads"),
  of("Trucking", "trucks, freight, vận tải đường bộ", "trucking"),
  of(
    "Oil & Gas Exploration & Production",
    "oil, oil and gas, oil gas, dầu khí",
    "oil and gas production, integrated oil, contract drilling, oil",
  ),
  of("Oil & Gas Refining & Marketing", "refining, refiners, lọc dầu", "oil refining"),
  of("Coal", "coal mining, than", "coal"),
  of("Gold", "gold mining, precious metals, vàng", "precious metals"),
  of("Steel", "steelmakers, thép, sắt thép", "steel"),
  of("Chemicals", "chemical, hóa chất", "chemicals"),
  of(
    "REIT - Diversified",
    "reit, reits, real estate investment trusts, quỹ tín thác bất động sản",
    "real estate investment, reit",
  ),
  of(
    "Real Estate - Development",
    "real estate, property developers, bất động sản",
    "real estate development, real estate",
  ),
  of(
    "Regulated Electric",
    "electric utilities, electricity, power, điện lực, điện",
    "electric utilities, regulated electric",
  ),
  of("Solar", "solar power, renewable energy, năng lượng mặt trời, năng lượng tái tạo", "alternative power"),
  of(
    "Telecommunications Services",
    "telecom, telecoms, telecommunications, viễn thông",
    "major telecommunications, wireless, specialty telecommunications, telecommunications services",
  ),
  of("Entertainment", "movies, media, film, giải trí, phim", "movies, media conglomerates, entertainment"),
  of("Gambling, Resorts & Casinos", "casinos, casino, gambling, gaming, sòng bạc", "casinos"),
  of("Restaurants", "restaurant, nhà hàng", "restaurants"),
  of(
    "Specialty Retail",
    "retail, retailers, e-commerce, ecommerce, bán lẻ, thương mại điện tử",
    "internet retail, specialty stores, department stores, specialty retail",
  ),
  of("Grocery Stores", "supermarkets, grocery, siêu thị", "food retail"),
  of("Packaged Foods", "food, foods, thực phẩm", "food"),
  of("Beverages - Non-Alcoholic", "beverages, drinks, soft drinks, đồ uống, nước giải khát", "beverages"),
  of("Beverages - Alcoholic", "beer, alcohol, breweries, bia, rượu bia", "beverages alcoholic"),
  of("Tobacco", "cigarettes, thuốc lá", "tobacco"),
  of(
    "Apparel - Manufacturers",
    "apparel, clothing, fashion, textiles, may mặc, dệt may, thời trang",
    "apparel, textiles",
  ),
  of("Residential Construction", "homebuilders, homebuilding, xây nhà", "homebuilding"),
  of("Engineering & Construction", "construction, xây dựng", "engineering and construction"),
  of("Industrial - Machinery", "machinery, máy móc", "industrial machinery"),
];

const BY_WORD: ReadonlyMap<string, Industry> = new Map(
  INDUSTRIES.flatMap((industry) => [toNameKey(industry.name), ...industry.words].map((word) => [word, industry])),
);

/** FMP's name of the industry a text means; the text itself if it is not known here. */
export function toIndustry(text: string): string {
  return BY_WORD.get(toNameKey(text))?.name ?? text;
}

/** Whether a source's name is the industry a text means; if that is not known here, whether it has every word of it. */
export function isIndustry(text: string, name: string): boolean {
  const [wanted, own] = [toNameKey(text), toNameKey(name)];
  const industry = BY_WORD.get(wanted);
  if (wanted === own) return true;
  if (industry !== undefined) return industry.starts.some((start) => own.startsWith(start));
  const words = own.split(" ");
  return wanted !== "" && wanted.split(" ").every((word) => words.some((other) => other.startsWith(word)));
}
