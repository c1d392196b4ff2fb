import { failedReasons } from '#domain/usage/failed-reasons.ts'

/** The summed columns, which all sum tables have. */
export const sumColumns = [
  'requests',
  'failed',
  'spent_nano',
  'saved_nano',
  'prompt_tokens',
  'completion_tokens',
] as const

export type SumColumn = (typeof sumColumns)[number]

const failed = failedReasons.map((reason) => `'${reason}'`).join(', ')

/** Each column as an aggregate over generations. */
export const generationSums: Readonly<Record<SumColumn, string>> = {
  requests: 'count(*)',
  failed: `count(*) FILTER (WHERE refund_reason IN (${failed}))`,
  spent_nano: 'sum(cost_nano)::bigint',
  saved_nano: 'sum(cache_discount_nano)::bigint',
  prompt_tokens: `sum(uncached_input + cache_read + cache_write_5m + cache_write_1h + audio_input
      + coalesce((media->>'inputImageTokens')::bigint, 0))::bigint`,
  completion_tokens: 'sum(text_output + reasoning_output + image_output + audio_output)::bigint',
}
