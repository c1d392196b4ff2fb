import type { Pool } from 'pg'
import { until } from '../until.ts'

/** All stored data of a job. */
export interface JobOutcome {
  readonly id: string
  readonly wallet_id: string
  readonly model: string
  /** The prompt sent to the provider, read from the callback URL of the order. */
  readonly prompt: string
  readonly state: string
  readonly cost_nano: string | null
  /** Submits with an unknown outcome. */
  readonly lost: number
  readonly generations: number
  readonly generation_cost_nano: string | null
  readonly refund_reason: string | null
  readonly charges: number
  readonly charged_nano: string | null
  readonly has_lapsed: boolean
}

const text = `SELECT j.id, j.wallet_id, j.model, j.callback_url, j.state, j.cost_nano,
    (SELECT count(*)::integer FROM jsonb_array_elements(j.progress -> 'attempts') a WHERE a ->> 'outcome' = 'lost') AS lost,
    g.generations, g.generation_cost_nano, g.refund_reason, t.charges, t.charged_nano,
    EXISTS (SELECT FROM lapsed_holds l WHERE l.id = j.id) AS has_lapsed
  FROM video_jobs j
  CROSS JOIN LATERAL (SELECT count(*)::integer AS generations, max(cost_nano)::text AS generation_cost_nano,
      max(refund_reason) AS refund_reason FROM generations WHERE id = j.id) AS g
  CROSS JOIN LATERAL (SELECT count(*)::integer AS charges, max(amount_nano)::text AS charged_nano
      FROM ledger_transfers WHERE id = j.id AND kind = 'charge') AS t
  WHERE $1::uuid[] IS NULL OR j.wallet_id = ANY ($1)
  ORDER BY j.id`

/** Reads the outcomes of some wallets, or of all. */
export async function readOutcomes(pool: Pool, walletIds: readonly string[] | null = null): Promise<JobOutcome[]> {
  const { rows } = await pool.query<Omit<JobOutcome, 'prompt'> & { callback_url: string }>(text, [walletIds])
  return rows.map(({ callback_url, ...row }) => ({
    ...row,
    prompt: new URL(callback_url).searchParams.get('order') ?? '',
  }))
}

const openText = `SELECT (SELECT count(*)::integer FROM video_jobs
    WHERE state NOT IN ('completed', 'failed') AND ($1::uuid[] IS NULL OR wallet_id = ANY ($1))) AS jobs,
  (SELECT count(*)::integer FROM webhook_deliveries
    WHERE delivered_at IS NULL AND ($1::uuid[] IS NULL OR wallet_id = ANY ($1))) AS webhooks`

/** Waits until every job, of some wallets or of all, has ended and every webhook was delivered. */
export async function waitForEnds(pool: Pool, walletIds: readonly string[] | null = null): Promise<void> {
  await until(async () => {
    const { rows } = await pool.query<{ jobs: number; webhooks: number }>(openText, [walletIds])
    const [open] = rows
    return open?.jobs === 0 && open.webhooks === 0 ? null : `still open: ${JSON.stringify(open)}`
  })
}
