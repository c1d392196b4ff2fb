import { rateRules } from '#domain/limits/rate.ts'
import { blockFunction } from './block-function.ts'
import { createScript } from './run-script.ts'

const { windowMs, penaltyAfterWindows } = rateRules

/**
 * `judgeRate` in Lua, line by line. KEYS: the caller's hash. ARGV: class, limit, now.
 * Answers allowed (1 or 0), reason (0 none, 1 window, 2 penalty), remaining, reset and retry-after in milliseconds.
 */
export const admitScript = createScript(`${blockFunction}
local key, class, limit, now = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local held = redis.call('HMGET', key, class .. '.start', class .. '.count', class .. '.streak', class .. '.over',
  class .. '.till', class .. '.blocks')
local heldStart, count, streak = tonumber(held[1] or 0), tonumber(held[2] or 0), tonumber(held[3] or 0)
local over, till, blocks = tonumber(held[4] or -1), tonumber(held[5] or 0), tonumber(held[6] or 0)

if now < till then return { 0, 2, 0, till, till - now } end

local start = now - now % ${windowMs}
if heldStart == start + ${windowMs} then start = heldStart end
local reset = start + ${windowMs}
if heldStart ~= start then count = 0 end
count = count + 1
redis.call('HSET', key, class .. '.start', start, class .. '.count', count)
keep(key, ${2 * windowMs})
if count <= limit then return { 1, 0, limit - count, reset, 0 } end

if over ~= start then
  if over == start - ${windowMs} then streak = streak + 1 else streak = 1 end
  redis.call('HSET', key, class .. '.streak', streak, class .. '.over', start)
  if streak >= ${penaltyAfterWindows} then
    till = block(key, class, now, till, blocks)
    return { 0, 2, 0, till, till - now }
  end
end
return { 0, 1, 0, reset, reset - now }
`)
