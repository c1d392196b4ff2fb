import { rateRules } from '#domain/limits/rate.ts'
import { blockFunction } from './block-function.ts'
import { createScript } from './run-script.ts'

const { cancelsMax, cancelsWithinMs } = rateRules

/**
 * `noteCancel` in Lua, followed by `block`. KEYS: the list of the key's recent cancels, newest first, and the caller's
 * hash. ARGV: class, now. Answers 1 if the caller is blocked for it.
 */
export const noteCancelScript = createScript(`${blockFunction}
local cancels, key, class, now = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local count = redis.call('LPUSH', cancels, ARGV[2])
redis.call('PEXPIRE', cancels, ${cancelsWithinMs})
if count < ${cancelsMax} then return 0 end
local oldest = tonumber(redis.call('RPOP', cancels))
if now - oldest >= ${cancelsWithinMs} then return 0 end
redis.call('DEL', cancels)
local held = redis.call('HMGET', key, class .. '.till', class .. '.blocks')
block(key, class, now, tonumber(held[1] or 0), tonumber(held[2] or 0))
return 1
`)
