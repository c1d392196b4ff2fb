import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { type PublicText, publicText } from '#lib/public-text.ts'
import { withoutQuotes } from '#lib/quotes.ts'

/**
 * Why a job failed. The error is stored, shown to the client, and sent to the webhook, so it must not contain other
 * text.
 */
export interface JobError {
  readonly message: PublicText
  readonly refundReason: RefundReason
  /** The upstream's own message, for operators. */
  readonly inside: PublicText
}

/** Text that an upstream may have repeated and that must not be stored. */
export interface Unsaid {
  /** Secrets of the provider account. */
  readonly secrets: readonly string[]
  /** Texts of the client. */
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
