import type { Redis } from 'ioredis'
import type { RunCounts } from '#ports/run-counts.ts'
import { createScript, runScript } from './run-scripts.ts'

/** Counters that all processes share. The run is the hash tag of every key, so each call stays on one cluster slot. */
export function createRedisRunCounts({ redis, prefix }: { redis: Redis; prefix: string }): RunCounts {
  return {
    async count(runId, counters) {
      const keys = counters.map(({ name }) => `${prefix}run:{${runId}}:${name}`)
      const times = counters.map(({ keptMs }) => keptMs)
      const reply = await runScript(redis, countScript, keys, times)
      if (Array.isArray(reply) && reply.length === counters.length) return reply.map(Number)
      throw new Error('the run counter script returned an unknown format')
    },
  }
}

/** KEYS: the counters. ARGV: the time that each is kept after its last use, in milliseconds. */
const countScript = createScript(`
local counts = {}
for index, key in ipairs(KEYS) do
  counts[index] = redis.call('INCR', key)
  redis.call('PEXPIRE', key, ARGV[index])
end
return counts
`)
