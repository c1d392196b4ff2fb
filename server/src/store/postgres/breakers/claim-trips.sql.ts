import type { PoolClient } from 'pg'
import type { BreakerTrip } from '#ports/breaker-trips.ts'

const hourMs = 3_600_000

// Whoever moves the time of the last entry forward writes the next one. A row that another process has just moved may still
// look old or missing here; its hour has then only begun.
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

/** Which of these distinct trips may leave an entry now, and for how long none is due after that. */
export async function claimTrips(
  client: PoolClient,
  trips: readonly BreakerTrip[],
): Promise<{ isClaimed: boolean; quietMs: number }[]> {
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
