/**
 * Rate scripts: how requests are counted in Redis, each as one step for all that they count for.
 *
 * A window is a text of slots, the oldest first: `NUMBER COUNT LAST;`, where `LAST` is when its last request came. So a
 * window has a bounded size however many requests it lets in, and counts as the one in a server's own process does.
 */
import type { RedisScript } from "./redis.ts";

/**
 * Counts a request for all windows or, if one of them is full, for none. Keys: the windows. Arguments: now in ms (empty
 * for the time of Redis), slots of a window, then for each key its length in ms and how many it lets in. Gives the slot
 * time that was counted at (`-` if none was), then for each window how many it had before and when the oldest is free.
 */
export const TAKE: RedisScript = {
  name: "take",
  lua: `local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
local function number(value) return string.format('%.17g', value) end
local windows, isFull = {}, false
for i, key in ipairs(KEYS) do
  local length = tonumber(ARGV[1 + 2 * i])
  local window = {slots = {}, used = 0, length = length}
  for slot, count, last in string.gmatch(redis.call('GET', key) or '', '(%S+) (%S+) (%S+);') do
    if tonumber(last) + length > now then
      table.insert(window.slots, {tonumber(slot), tonumber(count), tonumber(last)})
      window.used = window.used + tonumber(count)
    end
  end
  if window.used >= tonumber(ARGV[2 + 2 * i]) then isFull = true end
  windows[i] = window
end
local answer = {isFull and '-' or number(now)}
for i, key in ipairs(KEYS) do
  local window = windows[i]
  if not isFull then
    local slot = math.floor(now * tonumber(ARGV[2]) / window.length)
    local newest = window.slots[#window.slots]
    if newest == nil or newest[1] ~= slot then
      newest = {slot, 0, now}
      table.insert(window.slots, newest)
    end
    newest[2] = newest[2] + 1
    newest[3] = now
    local texts = {}
    for _, one in ipairs(window.slots) do
      table.insert(texts, number(one[1]) .. ' ' .. number(one[2]) .. ' ' .. number(one[3]) .. ';')
    end
    redis.call('SET', key, table.concat(texts), 'PX', math.ceil(window.length) + 1000)
  end
  local free = now
  for _, one in ipairs(window.slots) do
    if one[2] > 0 then
      free = one[3] + window.length
      break
    end
  end
  table.insert(answer, number(window.used))
  table.insert(answer, number(math.max(0, free - now)))
end
return answer`,
};

/** Takes a request back. Keys: the windows. Arguments: slots of a window, when it was counted, and the lengths in ms. */
export const GIVE_BACK: RedisScript = {
  name: "give-back",
  lua: `for i, key in ipairs(KEYS) do
  local slot = math.floor(tonumber(ARGV[2]) * tonumber(ARGV[1]) / tonumber(ARGV[2 + i]))
  local texts = {}
  for number, count, last in string.gmatch(redis.call('GET', key) or '', '(%S+) (%S+) (%S+);') do
    if tonumber(number) == slot and tonumber(count) > 0 then count = string.format('%.0f', tonumber(count) - 1) end
    table.insert(texts, number .. ' ' .. count .. ' ' .. last .. ';')
  end
  if #texts > 0 then redis.call('SET', key, table.concat(texts), 'KEEPTTL') end
end
return 'OK'`,
};
