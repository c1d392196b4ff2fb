import { rateRules } from '#domain/limits/rate.ts'

const { windowMs, penaltyMs, penaltyMaxMs, forgetMs } = rateRules

/**
 * The part of Lua that both rate scripts share. A caller is one hash; each class has its own fields in it:
 * `start`, `count`, `streak`, `over`, `till` and `blocks`, in the order of RateState.
 * `block` is the function of the same name in the rules. `keep` lets the hash live as long as it can matter: to the end
 * of the next window for a streak, and a day past a block for its length. It never shortens a life, since the other
 * class may need it.
 */
export const blockFunction = `
local function keep(key, life)
  if redis.call('PTTL', key) < life then
    redis.call('PEXPIRE', key, life + ${windowMs})
  end
end

local function block(key, class, now, till, blocks)
  if now < till then return till end
  if now - till >= ${forgetMs} then blocks = 0 end
  till = now + math.min(${penaltyMs} * 2 ^ blocks, ${penaltyMaxMs})
  redis.call('HSET', key, class .. '.till', till, class .. '.blocks', blocks + 1, class .. '.streak', 0)
  keep(key, ${forgetMs + penaltyMaxMs})
  return till
end
`
