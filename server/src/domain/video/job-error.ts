import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { type PublicText, publicText } from '#lib/public-text.ts'
import { withoutQuotes } from '#lib/quotes.ts'

/** Why a job failed. It is stored, shown to its client, and sent to its webhook; so no other words get in. */
export interface JobError {
  readonly message: PublicText
  readonly refundReason: RefundReason
  /** The upstream's own words, for us. */
  readonly inside: PublicText
}

/** What an upstream may have repeated and must not be kept. */
export interface Unsaid {
  /** Of the account that was asked. */
  readonly secrets: readonly string[]
  /** Of the client. */
  readonly texts: readonly string[]
}

export function jobError(
  said: { message: string; inside?: string; refundReason: RefundReason },
  { secrets, texts }: Unsaid = { secrets: [], texts: [] },
): JobError {
  const { message, inside = message, refundReason } = said
  const kept = (words: string): PublicText => publicText(withoutQuotes(words, texts), secrets)
  return { message: kept(message), inside: kept(inside), refundReason }
}
