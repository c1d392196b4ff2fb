import type { Redis } from 'ioredis'
import type { FreeStanding } from '#domain/limits/free-quota.ts'
import type { FreeQuotas } from '#ports/shared-counts.ts'
import { runScript } from './run-script.ts'
import { takeFreeScript } from './take-free-script.ts'

const standings = ['taken', 'left', 'daily', 'rpm'] as const satisfies readonly FreeStanding[]

/** Quotas that all processes share. The owner is the hash tag of every key, so each call stays on one cluster slot. */
export function createRedisFreeQuotas({ redis, prefix }: { redis: Redis; prefix: string }): FreeQuotas {
  return {
    async ask({ ownerId, callerId }, asks, { takesFirst, nowMs }) {
      const keys = asks.map(({ name }) => `${prefix}free:{${ownerId}}:${callerId}:${name}`)
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
  if (known.length !== count) throw new Error('the script of free quotas answered in an unknown form')
  return known
}
