import type { Pool } from 'pg'
import type { Attempt } from '#domain/ledger/generation-record.ts'
import type { FailedAttempt } from '#ports/operated-requests.ts'

interface Row extends Attempt {
  request_id: string
}

// About 30 ms of Postgres' time.
const lookMax = 10_000

/** The newest failed attempts at an account, among the newest requests of the last day. Own keys are not accounts. */
export async function listFailures(
  pool: Pool,
  { account, limit }: { readonly account: string; readonly limit: number },
): Promise<FailedAttempt[]> {
  const text = `SELECT g.id AS request_id, a.* FROM (
      SELECT id, attempts FROM generations WHERE id >= first_id_at(now() - interval '1 day') ORDER BY id DESC LIMIT ${lookMax}
    ) AS g, jsonb_to_recordset(g.attempts) AS a (model text, account text, outcome text, status integer, said text, "ownKey" boolean)
    WHERE a.account = $1 AND a.outcome NOT IN ('answered', 'hedge_lost') AND a."ownKey" IS NOT true
    ORDER BY g.id DESC LIMIT $2`
  const { rows } = await pool.query<Row>(text, [account, limit])
  return rows.map(({ request_id: requestId, model, outcome, status, said }) => {
    return { requestId, model, outcome, status, ...(typeof said === 'string' ? { said } : {}) }
  })
}
