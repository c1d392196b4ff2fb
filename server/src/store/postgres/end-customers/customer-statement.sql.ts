import type { Pool } from 'pg'
import { dayMs, parseDate } from '#lib/utc-calendar.ts'
import { firstUuidAt, type Uuid } from '#lib/uuid.ts'
import type { CustomerStatement, DayRange } from '#ports/end-customers.ts'
import { readNano } from '../column-values.ts'
import { customerPriceOf } from './customer-price.ts'

interface StatementRow {
  day: string
  model: string
  requests: string
  tokens: string
  price_nano: string
}

// Ids are made before a request starts, by clocks that differ by less than a day.
const slackMs = dayMs

const text = `SELECT p.day::text, p.model, count(*) AS requests, sum(p.tokens) AS tokens, sum(p.price) AS price_nano FROM (
    SELECT (g.started_at AT TIME ZONE 'UTC')::date AS day, g.model, ${customerPriceOf('g')} AS price,
      g.uncached_input + g.cache_read + g.cache_write_5m + g.cache_write_1h + g.audio_input
        + g.text_output + g.reasoning_output + g.image_output + g.audio_output AS tokens
    FROM generations g WHERE g.end_customer_id = $1 AND g.id >= $2 AND g.id < $3
  ) AS p WHERE p.day BETWEEN $4::date AND $5::date GROUP BY 1, 2 ORDER BY 1, 2`

/** Not a named statement: partitions are pruned only if the values are known when it is planned. */
export async function readStatement(pool: Pool, customerId: Uuid, { from, to }: DayRange): Promise<CustomerStatement> {
  const [first, end] = [(parseDate(from) ?? 0) - slackMs, (parseDate(to) ?? 0) + dayMs + slackMs].map(firstUuidAt)
  const kept = await pool.query<{ day: string }>('SELECT retained_from::text AS day FROM rollup_state')
  const { rows } = await pool.query<StatementRow>(text, [customerId, first, end, from, to])
  return {
    lines: rows.map(({ day, model, requests, tokens, price_nano: price }) => ({
      day,
      model,
      requests: Number(requests),
      tokens: Number(tokens),
      price: readNano(price),
    })),
    keptFrom: kept.rows[0]?.day ?? from,
  }
}
