import type { Pool } from 'pg'
import type { OfferUse, OfferUseReads } from '#ports/offer-use.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'

export function createOfferUse(pool: Pool): OfferUseReads {
  return {
    async sum({ models, fromMs }) {
      const { rows } = await refuseWhenAway(pool.query<Row>(text, [new Date(fromMs), models]))
      return rows.map(useOf)
    },
    async listCustomers({ offers, fromMs, limit }) {
      const models = offers.map(({ model }) => model)
      const providers = offers.map(({ provider }) => provider)
      const values = [new Date(fromMs), models, providers, limit]
      const { rows } = await refuseWhenAway(pool.query<CustomerRow>(customersText, values))
      return rows.map(({ wallet_id: walletId, charged, ...row }) => {
        return { ...row, walletId, charged: readNano(charged) }
      })
    },
  }
}

const text = `SELECT model, provider, count(*)::float8 AS requests, count(DISTINCT wallet_id)::float8 AS customers,
    sum(cost_nano)::text AS charged, sum(uncached_input)::float8 AS uncached_input, sum(cache_read)::float8 AS cache_read,
    sum(cache_write_5m)::float8 AS cache_write_5m, sum(cache_write_1h)::float8 AS cache_write_1h,
    sum(audio_input)::float8 AS audio_input, sum(text_output)::float8 AS text_output,
    sum(reasoning_output)::float8 AS reasoning_output, sum(image_output)::float8 AS image_output,
    sum(audio_output)::float8 AS audio_output
  FROM generations
  WHERE id >= first_id_at($1) AND model = ANY ($2) AND provider IS NOT NULL AND media IS NULL AND cost_nano > 0
  GROUP BY 1, 2 ORDER BY 1, 2`

const customersText = `SELECT wallet_id, count(*)::float8 AS requests, sum(cost_nano)::text AS charged,
    array_agg(DISTINCT model ORDER BY model) AS models
  FROM generations
  WHERE id >= first_id_at($1) AND (model, provider) IN (SELECT * FROM unnest($2::text[], $3::text[]))
    AND media IS NULL AND cost_nano > 0
  GROUP BY wallet_id ORDER BY sum(cost_nano) DESC, wallet_id LIMIT $4`

interface CustomerRow {
  wallet_id: string
  requests: number
  charged: string
  models: string[]
}

interface Row {
  model: string
  provider: string
  requests: number
  customers: number
  charged: string
  uncached_input: number
  cache_read: number
  cache_write_5m: number
  cache_write_1h: number
  audio_input: number
  text_output: number
  reasoning_output: number
  image_output: number
  audio_output: number
}

function useOf({ model, provider, requests, customers, charged, ...row }: Row): OfferUse {
  const usage = {
    uncachedInput: row.uncached_input,
    cacheRead: row.cache_read,
    cacheWrite5m: row.cache_write_5m,
    cacheWrite1h: row.cache_write_1h,
    audioInput: row.audio_input,
    textOutput: row.text_output,
    reasoningOutput: row.reasoning_output,
    imageOutput: row.image_output,
    audioOutput: row.audio_output,
  }
  return { model, provider, requests, customers, charged: readNano(charged), usage }
}
