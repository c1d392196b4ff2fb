import type { Pool } from 'pg'
import type { RequestHistory, TypicalUse } from '#ports/request-history.ts'
import { firstUuidAt } from '#lib/uuid.ts'
import { refuseWhenAway } from '../faults.ts'

interface Row {
  model: string
  requests: number
  completion_tokens: number
  prompt_tokens: string
  cached_tokens: string
}

// A wallet may have millions of requests. The latest say most about the next one.
const requestsMax = 500

export function createRequestHistory(pool: Pool): RequestHistory {
  const text = `SELECT g.model, count(*)::int AS requests, sum(g.cache_read)::text AS cached_tokens,
      sum(g.uncached_input + g.cache_read + g.cache_write_5m + g.cache_write_1h)::text AS prompt_tokens,
      percentile_disc(0.5) WITHIN GROUP (
        ORDER BY g.text_output + g.reasoning_output + g.image_output + g.audio_output) AS completion_tokens
    FROM (SELECT * FROM generations WHERE wallet_id = $1 AND id >= $2 ORDER BY id DESC LIMIT ${requestsMax}) AS g
    WHERE g.model = ANY ($3) AND g.endpoint = $4 AND g.refund_reason IS NULL
    GROUP BY g.model`
  return {
    readTypical: async ({ walletId, models, endpoint, fromMs }) => {
      const asked = pool.query<Row>(text, [walletId, firstUuidAt(fromMs), models, endpoint])
      const { rows } = await refuseWhenAway(asked)
      return new Map(rows.map((row) => [row.model, typicalOf(row)]))
    },
  }
}

function typicalOf(row: Row): TypicalUse {
  return {
    requests: row.requests,
    completionTokens: row.completion_tokens,
    promptTokens: Number(row.prompt_tokens),
    cachedTokens: Number(row.cached_tokens),
  }
}
