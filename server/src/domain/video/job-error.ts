import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { type PublicText, publicText } from '#lib/public-text.ts'

/** Why a job failed. It is stored, shown to its client, and sent to its webhook; so no other words get in. */
export interface JobError {
  readonly message: PublicText
  readonly refundReason: RefundReason
  /** The upstream's own words, for us. */
  readonly inside: PublicText
}

/** `secrets` are those of the account that was asked, which an upstream may have repeated. */
export function jobError(
  said: { message: string; inside?: string; refundReason: RefundReason },
  secrets: readonly string[] = [],
): JobError {
  const { message, inside = message, refundReason } = said
  return { message: publicText(message, secrets), inside: publicText(inside, secrets), refundReason }
}
