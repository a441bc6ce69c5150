/**
 * Document scripts: how documents are written and removed in Redis, each as one step.
 *
 * A collection of an owner is a hash: id → `VERSION END DOCUMENT`, with `-` for no end. Beside it, a sorted set has the
 * ids by their end, so that what is over goes with later writes, and the whole collection with its last document.
 */
import type { RedisScript } from "./redis.ts";

/** The version of what is there under an id, 0 if nothing is. */
const THERE = `
local function there(id)
  local text = redis.call('HGET', KEYS[1], id)
  if not text then return '0' end
  local version, ends = string.match(text, '^(%d+) (%S+) ')
  if version == nil or (ends ~= '-' and tonumber(ends) <= now) then return '0' end
  return version
end`;

/**
 * Writes all or none. Keys: the hash, its ends, the counter of versions. Arguments: now, then for each document its id,
 * the version its writer saw (empty for any), its end or `-`, its text. Gives the versions, or, with a minus, the place
 * of the first document that has another version, and that version.
 *
 * Versions grow with time too, so they do not begin again if Redis loses its data.
 */
export const SAVE: RedisScript = {
  name: "save",
  lua: `local now = tonumber(ARGV[1])${THERE}
for i = 2, #ARGV, 4 do
  local version = there(ARGV[i])
  if ARGV[i + 1] ~= '' and ARGV[i + 1] ~= version then return {'-' .. (i - 2) / 4, version} end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 64)) do
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
end
local time = redis.call('TIME')
local last = math.max(tonumber(redis.call('GET', KEYS[3]) or '0'), time[1] * 1000000 + time[2])
local versions = {}
for i = 2, #ARGV, 4 do
  last = last + 1
  local version = string.format('%.0f', last)
  redis.call('HSET', KEYS[1], ARGV[i], version .. ' ' .. ARGV[i + 2] .. ' ' .. ARGV[i + 3])
  if ARGV[i + 2] == '-' then redis.call('ZREM', KEYS[2], ARGV[i]) else redis.call('ZADD', KEYS[2], ARGV[i + 2], ARGV[i]) end
  versions[#versions + 1] = version
end
redis.call('SET', KEYS[3], string.format('%.0f', last))
if redis.call('ZCARD', KEYS[2]) == redis.call('HLEN', KEYS[1]) then
  local leftMs = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2] - now + 60000
  for key = 1, 2 do redis.call('PEXPIRE', KEYS[key], string.format('%.0f', math.min(leftMs, 9e15))) end
else
  for key = 1, 2 do redis.call('PERSIST', KEYS[key]) end
end
return versions`,
};

/**
 * Removes a document. Keys: the hash, its ends. Arguments: now, the id, the version its writer saw (empty for any).
 * Gives 1, or 0 if it was not there, or, with a minus, the version that is there instead.
 */
export const REMOVE: RedisScript = {
  name: "remove",
  lua: `local now = tonumber(ARGV[1])${THERE}
local version = there(ARGV[2])
if ARGV[3] ~= '' and ARGV[3] ~= version then return '-' .. version end
redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('ZREM', KEYS[2], ARGV[2])
if version == '0' then return '0' end
return '1'`,
};
