import type { Pool } from 'pg'
import type { RequestHistory } from '#ports/request-history.ts'
import { firstUuidAt } from '#lib/uuid.ts'
import { refuseWhenAway } from '../faults.ts'

interface Row {
  requests: number
  completion_tokens: number | null
  prompt_tokens: string
  cached_tokens: string
}

// A wallet may have millions of requests. The latest say most about the next one.
const requestsMax = 500

export function createRequestHistory(pool: Pool): RequestHistory {
  const text = `SELECT count(*)::int AS requests, sum(g.cache_read)::text AS cached_tokens,
      sum(g.uncached_input + g.cache_read + g.cache_write_5m + g.cache_write_1h)::text AS prompt_tokens,
      percentile_disc(0.5) WITHIN GROUP (
        ORDER BY g.text_output + g.reasoning_output + g.image_output + g.audio_output) AS completion_tokens
    FROM (SELECT * FROM generations WHERE wallet_id = $1 AND id >= $2 ORDER BY id DESC LIMIT ${requestsMax}) AS g
    WHERE g.model = $3 AND g.endpoint = $4 AND g.refund_reason IS NULL`
  return {
    readTypical: ({ walletId, model, endpoint, fromMs }) =>
      refuseWhenAway(
        (async () => {
          const { rows } = await pool.query<Row>(text, [walletId, firstUuidAt(fromMs), model, endpoint])
          const [row] = rows
          if (row === undefined || row.completion_tokens === null) return null
          return {
            requests: row.requests,
            completionTokens: row.completion_tokens,
            promptTokens: Number(row.prompt_tokens),
            cachedTokens: Number(row.cached_tokens),
          }
        })(),
      ),
  }
}
