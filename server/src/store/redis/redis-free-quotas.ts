import type { Redis } from 'ioredis'
import { freeRules, type FreeStanding } from '#domain/limits/free-quota.ts'
import type { FreeQuotas } from '#ports/shared-counts.ts'
import { createScript, runScript } from './run-scripts.ts'

const standings = ['taken', 'left', 'daily', 'rpm'] as const satisfies readonly FreeStanding[]

/** Quotas that all processes share. The owner is the hash tag of every key, so each call stays on one cluster slot. */
export function createRedisFreeQuotas({ redis, prefix }: { redis: Redis; prefix: string }): FreeQuotas {
  return {
    async ask({ ownerId, clientId }, asks, { takesFirst, nowMs }) {
      const keys = asks.map(({ name }) => `${prefix}free:{${ownerId}}:${clientId}:${name}`)
      const limits = asks.flatMap(({ requestsPerMinute, unitsPerDay, units }) => [
        requestsPerMinute,
        unitsPerDay,
        units,
      ])
      const reply = await runScript(redis, takeFreeScript, keys, [nowMs, takesFirst ? 1 : 0, ...limits])
      return readStandings(reply, asks.length)
    },
  }
}

function readStandings(reply: unknown, count: number): FreeStanding[] {
  const found = Array.isArray(reply) ? reply.map((code: unknown) => standings.find((_, index) => index === code)) : []
  const known = found.filter((standing) => standing !== undefined)
  if (known.length !== count) throw new Error('the free quota script returned an unknown format')
  return known
}

const { minuteMs, dayMs } = freeRules

/**
 * `judgeFree` in Lua, line by line, for several quotas at once. KEYS: the hash of each. ARGV: now, 1 to take the first,
 * then for each its requests per minute, its units per day and the requested units. Returns for each 0 taken, 1 left, 2
 * daily, 3 rpm. A hash outlives its day by an hour, for clocks that are behind.
 */
const takeFreeScript = createScript(`
local now, takes = tonumber(ARGV[1]), ARGV[2] == '1'

local function period(held, current)
  if held == current + 1 then return held end
  return current
end

local function judge(index, key)
  local at = 3 * index
  local perMinute, perDay, asked = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local held = redis.call('HMGET', key, 'day', 'units', 'minute', 'requests')
  local heldDay, units = tonumber(held[1] or 0), tonumber(held[2] or 0)
  local heldMinute, requests = tonumber(held[3] or 0), tonumber(held[4] or 0)
  local day = period(heldDay, math.floor(now / ${dayMs}))
  local minute = period(heldMinute, math.floor(now / ${minuteMs}))
  if heldDay ~= day then units = 0 end
  if heldMinute ~= minute then requests = 0 end
  units = units + asked
  requests = requests + 1
  if units > perDay then return 2 end
  if requests > perMinute then return 3 end
  if not (takes and index == 1) then return 1 end
  redis.call('HSET', key, 'day', day, 'units', units, 'minute', minute, 'requests', requests)
  redis.call('PEXPIRE', key, ${dayMs + 60 * minuteMs})
  return 0
end

local standings = {}
for index, key in ipairs(KEYS) do standings[index] = judge(index, key) end
return standings
`)
