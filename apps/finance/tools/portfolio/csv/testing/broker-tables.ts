/**
 * Broker tables: what brokers export, in their own words and signs, with what must be read from each. All of it is made
 * up.
 */

/** A row as it must be read: symbol or name, quantity, cost of one. */
export type Expected = readonly [label: string, quantity: number, cost?: number];

/** An export and what it holds. */
export interface BrokerTable {
  readonly broker: string;
  readonly text: string;
  readonly holds: readonly Expected[];
  readonly cash?: readonly number[];
  readonly refused?: readonly string[];
}

const lines = (...rows: readonly string[]): string => rows.join("\n");

export const BROKER_TABLES: readonly BrokerTable[] = [
  {
    broker: "Fidelity",
    text: lines(
      "\uFEFFAccount Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,Today's Gain/Loss Dollar,Today's Gain/Loss Percent,Total Gain/Loss Dollar,Total Gain/Loss Percent,Percent Of Account,Cost Basis Total,Average Cost Basis,Type",
      "Z12345678,INDIVIDUAL,SPAXX**,HELD IN MONEY MARKET,,,,$1234.56,,,,,5.00%,,,Cash,",
      "Z12345678,INDIVIDUAL,AAPL,APPLE INC,10,$229.87,+$1.35,$2298.70,+$13.50,+0.59%,+$798.70,+53.25%,20%,$1500.00,$150.00,Cash,",
      'Z12345678,INDIVIDUAL,BRKB,BERKSHIRE HATHAWAY INC COM CL B,2.5,$470,+$1,$1175,+$1,+1%,+$1,+1%,1%,"$1,000.00",$400.00,Margin,',
      "Z12345678,INDIVIDUAL,Pending Activity,,,,,-$20.00,,,,,,,,,",
      "",
      '"The data and information in this spreadsheet is provided to you solely for your use."',
    ),
    holds: [
      ["AAPL", 10, 150],
      ["BRKB", 2.5, 400],
    ],
    cash: [1234.56, -20],
  },
  {
    broker: "Schwab",
    text: lines(
      '"Positions for account Individual ...123 as of 09:46 AM ET, 2024/11/22"',
      "",
      '"Symbol","Description","Qty (Quantity)","Price","Price Chng $ (Price Change $)","Price Chng % (Price Change %)","Mkt Val (Market Value)","Day Chng $ (Day Change $)","Day Chng % (Day Change %)","Cost Basis","Gain $ (Gain/Loss $)","Gain % (Gain/Loss %)","Ratings","Reinvest?","% of Acct (% of Account)","Security Type",',
      '"AAPL","APPLE INC","1,000","229.87","1.35","0.59%","$229,870.00","$13.50","0.59%","$150,000.00","$79,870","53.25%","--","No","20%","Equity",',
      '"AAPL 01/17/2025 200.00 C","CALL APPLE INC $200 EXP 01/17/25","-1","30","1","1%","($3,000)","1","1%","$1","1","1%","--","No","1%","Option",',
      '"Cash & Cash Investments","--","--","--","--","--","$1,234.56","$0.00","0%","--","--","--","--","--","5%","Cash and Money Market",',
      '"Account Total","--","--","--","--","--","$231,104.56","$13.50","0.58%","$150,000.00","$79,870","53%","--","--","--","--",',
    ),
    holds: [["AAPL", 1_000, 150]],
    cash: [1234.56],
    refused: ["an option"],
  },
  {
    broker: "Vanguard, with its trades below",
    text: lines(
      "Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,",
      "12345678,VANGUARD TOTAL STOCK MARKET ETF,VTI,12.345,290.10,3581.28,",
      "12345678,Vanguard Federal Money Market Fund,VMFXX,100.00,1.00,100.00,",
      "",
      "",
      "Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commissions and Fees,Net Amount,Accrued Interest,Account Type,",
      "12345678,2024-01-02,2024-01-04,Buy,Buy,VANGUARD TOTAL STOCK MARKET ETF,VTI,2.0,240.0,-480,0,-480,0,CASH,",
    ),
    holds: [["VTI", 12.345]],
    cash: [100],
  },
  {
    broker: "E*Trade",
    text: lines(
      "Account Summary",
      "Account,Net Account Value,Total Gain $,Total Gain %,Day's Gain Unrealized $",
      '"Individual Brokerage -1234","12,345.67","1,000.00","8.1","12"',
      "",
      "View Summary - All Positions",
      "Symbol,Last Price $,Change $,Change %,Quantity,Price Paid $,Day's Gain $,Total Gain $,Total Gain %,Value $",
      "AAPL,229.87,1.35,0.59,10,150.00,13.5,798.7,53.2,2298.70",
      "CASH,,,,,,,,,1234.00",
      "TOTAL,,,,,,13.5,798.7,53.2,3532.70",
      "Generated at Nov 22 2024 04:05 PM ET",
    ),
    holds: [["AAPL", 10, 150]],
    cash: [1234],
  },
  {
    broker: "Interactive Brokers, activity statement",
    text: lines(
      "Statement,Header,Field Name,Field Value",
      "Statement,Data,BrokerName,Interactive Brokers",
      "Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity,Mult,Cost Price,Cost Basis,Close Price,Value,Unrealized P/L,Code",
      "Open Positions,Data,Summary,Stocks,USD,AAPL,10,1,150.5,1505,229.87,2298.7,793.7,",
      "Open Positions,Data,Lot,Stocks,USD,AAPL,10,,150.5,1505,229.87,2298.7,793.7,",
      "Open Positions,Data,Summary,Equity and Index Options,USD,AAPL 17JAN25 200 C,-1,100,5,500,30,3000,1,",
      "Open Positions,Total,,Stocks,USD,,,,,1505,,2298.7,793.7,",
      "Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol",
      "Trades,Data,Order,Stocks,USD,AAPL",
    ),
    holds: [["AAPL", 10, 150.5]],
    refused: ["an option"],
  },
  {
    broker: "Interactive Brokers, flex query",
    text: lines(
      '"ClientAccountID","CurrencyPrimary","AssetClass","Symbol","Description","Quantity","MarkPrice","PositionValue","CostBasisPrice","CostBasisMoney"',
      '"U1234567","USD","STK","AAPL","APPLE INC","10","229.87","2298.7","150.5","1505"',
    ),
    holds: [["AAPL", 10, 150.5]],
  },
  {
    broker: "Robinhood",
    text: lines(
      "Name,Symbol,Shares,Price,Average cost,Total return,Equity",
      "NVIDIA,NVDA,3.5,$141.95,$60.25,$285.95,$496.83",
    ),
    holds: [["NVDA", 3.5, 60.25]],
  },
  {
    broker: "Trading 212, a pie",
    text: lines(
      "Slice,Name,Invested value,Value,Result,Owned quantity",
      "AAPL,Apple,1500.00,2298.70,798.70,10.0",
      "Total,,1500,2298.7,798.7,",
    ),
    holds: [["AAPL", 10, 150]],
  },
  {
    broker: "Degiro, German",
    text: lines(
      "Produkt,Symbol/ISIN,Anzahl,Schlußkurs,Wert,,Wert in EUR",
      'CASH & CASH FUND & FTX CASH (EUR),,,,EUR,"1.234,50","1.234,50"',
      'APPLE INC,US0378331005,10,"229,87",USD,"2298,70","2190,11"',
    ),
    holds: [["APPLE INC", 10]],
    cash: [1234.5],
  },
  {
    broker: "a French broker",
    text: lines(
      "Libellé;Code ISIN;Quantité;PRU;Cours;Valorisation",
      "APPLE INC;US0378331005;1 250;150,25;229,87;287 337,50",
    ),
    holds: [["APPLE INC", 1_250, 150.25]],
  },
  {
    broker: "SSI",
    text: lines(
      "Mã CK;Tổng KL;KL khả dụng;Giá vốn;Giá TT;Giá trị TT;Lãi/lỗ;%",
      "FPT;1.000;500;95.500;135.000;135.000.000;39.500.000;41,36%",
      "VNM;200;200;65.200;64.000;12.800.000;-240.000;-1,84%",
      "Tổng cộng;;;;;147.800.000;;",
    ),
    holds: [
      ["FPT", 1_000, 95_500],
      ["VNM", 200, 65_200],
    ],
  },
  {
    broker: "VNDirect, in thousand dong",
    text: lines(
      "Mã CK\tKL\tGiá vốn (nghìn đồng)\tGiá hiện tại\tLãi/Lỗ",
      "FPT\t1,000\t95.5\t135\t41%",
      "HPG\t2,500\t27.35\t26.8\t-2%",
      "Tiền mặt\t5,000,000\t\t\t",
    ),
    holds: [
      ["FPT", 1_000, 95_500],
      ["HPG", 2_500, 27_350],
    ],
    cash: [5_000_000],
  },
  {
    broker: "nobody, plain lines",
    text: lines("here they are:", "AAPL,10,150", "MSFT 5 300", "NVDA, 2.5, $120.75", "GOOG, (5)", "cash, 100"),
    holds: [
      ["AAPL", 10, 150],
      ["MSFT", 5, 300],
      ["NVDA", 2.5, 120.75],
    ],
    cash: [100],
    refused: ["a short position"],
  },
  {
    broker: "a drawn table",
    text: lines("| Symbol | Qty | Avg Cost |", "|---|---:|---:|", "| AAPL | 10 | 150 |"),
    holds: [["AAPL", 10, 150]],
  },
];
