/**
 * Coins: the main cryptocurrencies by the size people know them for, with their names. One line each:
 * ticker | name | short names. The canonical symbol is the pair with USD.
 */

/** Coins, largest first. */
export const COINS = `
BTC|Bitcoin|bit coin;đồng bitcoin
ETH|Ethereum|ether;etherium;đồng ethereum
USDT|Tether|tether usd
XRP|XRP|ripple
BNB|BNB|binance coin;build and build
SOL|Solana|
USDC|USD Coin|usdcoin
DOGE|Dogecoin|doge coin
TRX|TRON|tron network
ADA|Cardano|
SHIB|Shiba Inu|shiba;shiba inu coin
AVAX|Avalanche|
TON|Toncoin|ton coin
LINK|Chainlink|chain link
DOT|Polkadot|
BCH|Bitcoin Cash|
SUI|Sui|sui network
NEAR|NEAR Protocol|
LTC|Litecoin|lite coin
PEPE|Pepe|pepe coin;pepecoin
UNI|Uniswap|
APT|Aptos|
ICP|Internet Computer|
XLM|Stellar|stellar lumens
ETC|Ethereum Classic|
POL|Polygon|polygon ecosystem token;matic
HBAR|Hedera|hedera hashgraph
ATOM|Cosmos|cosmos hub
FIL|Filecoin|file coin
ARB|Arbitrum|
OP|Optimism|
INJ|Injective|
RENDER|Render|render token
VET|VeChain|
XMR|Monero|
ALGO|Algorand|
AAVE|Aave|
MKR|Maker|makerdao
GRT|The Graph|
STX|Stacks|
IMX|Immutable|immutable x
TIA|Celestia|
WIF|dogwifhat|
BONK|Bonk|
FLOKI|Floki|floki inu
SEI|Sei|sei network
SAND|The Sandbox|
MANA|Decentraland|
AXS|Axie Infinity|
XTZ|Tezos|
EOS|EOS|`;

/** Quote currencies with which a pair means the coin itself. */
export const QUOTES = ["USDT", "USDC", "BUSD", "FDUSD", "USD"] as const;
