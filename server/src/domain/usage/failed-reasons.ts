import type { RefundReason } from '#domain/ledger/generation-record.ts'

/** Refunds that count as errors: the request failed, and not because of the client. */
export const failedReasons = [
  'upstream_failed',
  'unusable_answer',
  'stream_interrupted',
  'no_usage',
  'zero_usage',
  'gateway_fault',
] as const satisfies readonly RefundReason[]
