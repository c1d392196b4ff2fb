import type { Pool } from 'pg'
import type { Attempt } from '#domain/ledger/generation-record.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { RequestLookup, TracedRequest } from '#ports/request-lookup.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'

// A hold stores only its key. If the request is settled at the same time, its record is the better result.
const text = `WITH found AS (
    SELECT 1 AS rank, 'settled' AS state, wallet_id, key_id, user_id, organization_id, member_id, team_id,
      NULL::bigint AS amount_nano, NULL::timestamptz AS lease_until, NULL AS endpoint, NULL AS error, NULL::smallint AS status,
      NULL AS bound_by, NULL AS model
    FROM generations WHERE id = $1
    UNION ALL
    SELECT 2, 'running', h.wallet_id, h.key_id, k.user_id, k.organization_id, k.member_id, k.team_id, h.amount_nano, h.lease_until,
      NULL, NULL, NULL, NULL, NULL
    FROM holds h LEFT JOIN api_keys k ON k.id = h.key_id WHERE h.id = $1
    UNION ALL
    SELECT 3, 'lapsed', h.wallet_id, h.key_id, k.user_id, k.organization_id, k.member_id, k.team_id, NULL, NULL,
      NULL, NULL, NULL, NULL, NULL
    FROM lapsed_holds h LEFT JOIN api_keys k ON k.id = h.key_id WHERE h.id = $1
    UNION ALL
    SELECT 4, 'refused', wallet_id, key_id, user_id, organization_id, member_id, team_id, NULL, NULL,
      endpoint, error, status, bound_by, model FROM refusals WHERE id = $1
  )
  SELECT f.*, k.name AS key_name, k.prefix || '…' || k.suffix AS key_shown, u.email, o.name AS organization_name, t.name AS team_name,
    v.state AS video_state, v.progress->'attempts' AS video_attempts
  FROM found f LEFT JOIN api_keys k ON k.id = f.key_id LEFT JOIN users u ON u.id = f.user_id
    LEFT JOIN organizations o ON o.id = f.organization_id LEFT JOIN teams t ON t.id = f.team_id LEFT JOIN video_jobs v ON v.id = $1
  ORDER BY rank LIMIT 1`

interface Row {
  state: TracedRequest['state']
  wallet_id: string
  key_id: string
  key_name: string | null
  key_shown: string | null
  user_id: string | null
  email: string | null
  organization_id: string | null
  organization_name: string | null
  member_id: string | null
  team_id: string | null
  team_name: string | null
  amount_nano: string | null
  lease_until: Date | null
  endpoint: string | null
  error: string | null
  status: number | null
  bound_by: string | null
  model: string | null
  video_state: string | null
  video_attempts: Attempt[] | null
}

/** For operators, over HTTP and on the command line. */
export function createRequestLookup(pool: Pool): RequestLookup {
  return { trace: (id) => refuseWhenAway(traceRequest(pool, id)) }
}

async function traceRequest(pool: Pool, id: Uuid): Promise<TracedRequest | null> {
  const { rows } = await pool.query<Row>({ name: 'trace-request', text, values: [id] })
  const [row] = rows
  if (row === undefined) return null
  const { amount_nano: amount, lease_until: leaseUntil } = row
  return {
    state: row.state,
    walletId: row.wallet_id,
    key: { id: row.key_id, name: row.key_name, shown: row.key_shown },
    user: row.user_id === null ? null : { id: row.user_id, email: row.email },
    organization: named(row.organization_id, row.organization_name),
    team: named(row.team_id, row.team_name),
    memberId: row.member_id,
    hold:
      amount === null || leaseUntil === null ? null : { amount: readNano(amount), leaseUntilMs: leaseUntil.getTime() },
    refusal: refusalOf(row),
    video: row.video_state === null ? null : { state: row.video_state, attempts: row.video_attempts ?? [] },
  }
}

function refusalOf({ endpoint, error, status, bound_by: boundBy, model }: Row): TracedRequest['refusal'] {
  return endpoint === null || error === null || status === null ? null : { endpoint, error, status, boundBy, model }
}

function named(id: string | null, name: string | null): { id: string; name: string | null } | null {
  return id === null ? null : { id, name }
}
