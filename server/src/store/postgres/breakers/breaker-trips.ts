import type { Pool } from 'pg'
import { type AuditAction, type AuditEntry, systemActor } from '#domain/audit/audit-entry.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { BatchLane } from '#lib/batch-lane.ts'
import type { BreakerTrip, BreakerTrips } from '#ports/breaker-trips.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { persistently } from '../persistently.ts'
import { claimTrips } from './claim-trips.sql.ts'

export interface BreakerTripsLane extends BreakerTrips {
  /** Resolves once everything noted so far has been answered. */
  idle(): Promise<void>
}

/** Trips that come together are one transaction, one at a time: nobody waits for them. */
export function createBreakerTrips(pool: Pool, nowMs: () => number): BreakerTripsLane {
  const lane = new BatchLane<BreakerTrip, { quietMs: number }>({
    send: (trips) => persistently(() => noteTrips(pool, trips, nowMs())),
    batchMax: 200,
    inFlightMax: 1,
    queueMax: 10_000,
    refusal: () => new Error('too many breaker trips are waiting'),
  })
  return { note: (trip) => lane.add(trip), idle: () => lane.idle() }
}

async function noteTrips(pool: Pool, trips: readonly BreakerTrip[], nowMs: number): Promise<{ quietMs: number }[]> {
  const distinct = new Map(trips.map((trip) => [keyOf(trip), trip]))
  const wanted = [...distinct.values()]
  const claims = await inTransaction(pool, 'READ COMMITTED', async (client) => {
    const found = await claimTrips(client, wanted)
    const entries = wanted.filter((_, position) => found[position]?.isClaimed === true).map(entryOf)
    await appendAudit(client, entries, nowMs)
    return found
  })
  const quietMs = new Map(wanted.map((trip, position) => [keyOf(trip), claims[position]?.quietMs ?? 0]))
  return trips.map((trip) => ({ quietMs: quietMs.get(keyOf(trip)) ?? 0 }))
}

function keyOf({ kind, ownerId }: BreakerTrip): string {
  return `${kind} ${ownerId}`
}

function entryOf({ kind, ownerId, organizationId, limit, requestId }: BreakerTrip): AuditEntry {
  const [scope = '', window = ''] = kind.split('_')
  return {
    chainId: organizationId,
    actor: systemActor,
    requestId,
    action: actions[scope] ?? 'org.cb.tripped',
    target: { kind: scope, id: ownerId },
    details: { scope, window, limitUsd: usdJson(limit) },
  }
}

const actions: Readonly<Record<string, AuditAction>> = {
  organization: 'org.cb.tripped',
  team: 'team.cb.tripped',
  member: 'org_member.cb.tripped',
}
