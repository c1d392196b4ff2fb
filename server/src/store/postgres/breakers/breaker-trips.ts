import type { Pool, PoolClient } from 'pg'
import { type AuditAction, type AuditEntry, systemActor } from '#domain/audit/audit-entry.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { Batcher } from '#lib/batcher.ts'
import type { BreakerTrip, BreakerTrips } from '#ports/organization-rules.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { persistently } from '../faults.ts'
import { inTransaction } from '../with-client.ts'

export interface BreakerTripsQueue extends BreakerTrips {
  /** Resolves once everything recorded so far has been answered. */
  idle(): Promise<void>
}

/** Concurrent trips share one transaction, one at a time. No request waits for them. */
export function createBreakerTrips(pool: Pool, nowMs: () => number): BreakerTripsQueue {
  const batcher = new Batcher<BreakerTrip, { quietMs: number }>({
    send: (trips) => persistently(() => noteTrips(pool, trips, nowMs())),
    batchMax: 200,
    inFlightMax: 1,
    queueMax: 10_000,
    refusal: () => new Error('too many breaker trips are queued'),
  })
  return { note: (trip) => batcher.add(trip), idle: () => batcher.idle() }
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

const hourMs = 3_600_000

/** Selects the distinct trips that may write an entry now, and returns for how long further entries are suppressed. */
export async function claimTrips(
  client: PoolClient,
  trips: readonly BreakerTrip[],
): Promise<{ isClaimed: boolean; quietMs: number }[]> {
  // The process that advances the time of the last entry writes the next entry. A row that another process has just
  // advanced may still look old or missing here; then its hour has only begun.
  const text = `WITH claimed AS (
      INSERT INTO breaker_trips AS t (kind, owner_id, last_at)
      SELECT u.kind, u.owner, now() FROM unnest($1::text[], $2::uuid[]) AS u (kind, owner) ORDER BY 1, 2
      ON CONFLICT (kind, owner_id) DO UPDATE SET last_at = excluded.last_at WHERE t.last_at <= now() - interval '1 hour'
      RETURNING t.kind, t.owner_id
    )
    SELECT c.kind IS NOT NULL AS is_claimed, extract(epoch FROM t.last_at + interval '1 hour' - now())::float8 * 1000 AS quiet_ms
    FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS u (kind, owner, position)
    LEFT JOIN claimed c ON c.kind = u.kind AND c.owner_id = u.owner
    LEFT JOIN breaker_trips t ON t.kind = u.kind AND t.owner_id = u.owner
    ORDER BY u.position`
  const { rows } = await client.query<{ is_claimed: boolean; quiet_ms: number | null }>({
    name: 'claim-trips',
    text,
    values: [trips.map(({ kind }) => kind), trips.map(({ ownerId }) => ownerId)],
  })
  return rows.map(({ is_claimed, quiet_ms }) => {
    const isOlder = is_claimed || quiet_ms === null || quiet_ms <= 0
    return { isClaimed: is_claimed, quietMs: isOlder ? hourMs : Math.min(quiet_ms, hourMs) }
  })
}
