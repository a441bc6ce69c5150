/**
 * @baton/channels: Telegram, Zalo Bot and signed webhooks for crews.
 *
 * Start reading at `channels.ts`.
 */
export { type Channels, type ChannelsOptions, defineChannels } from "./channels.ts";
export { type ChannelConfig, readChannels, secretsOf } from "./config.ts";
export { createLinkCode, type LinkCode } from "./inbox/links.ts";
