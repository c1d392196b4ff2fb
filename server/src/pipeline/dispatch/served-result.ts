import { type AccountAddress, accountSecrets } from '#domain/routing/account-secrets.ts'
import { type PublicText, publicText } from '#lib/public-text.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import type { AttemptFailure, AttemptResult } from './attempt/attempt.ts'

/** An attempt's result, in words that a client may read. */
export type ServedResult =
  | Exclude<AttemptResult, { kind: 'refused' } | { kind: 'failed' }>
  | { kind: 'refused'; refusal: ServedRefusal }
  | { kind: 'failed'; failure: ServedFailure }

/** The same of a leg: another leg of the same request may have answered first. */
export type LegResult = ServedResult | { kind: 'lost' }

type ServedRefusal = UpstreamRefusal & { readonly message: PublicText; readonly inside: PublicText }
export type ServedFailure = AttemptFailure & { readonly message: PublicText }

/**
 * The only path from an upstream's error text to a client: every text that a protocol or codec extracted is scrubbed
 * here.
 */
export function servedResult(result: AttemptResult, account: AccountAddress): ServedResult {
  switch (result.kind) {
    case 'refused': {
      const { refusal } = result
      const secrets = accountSecrets(account)
      const message = publicText(refusal.message, secrets)
      return { kind: 'refused', refusal: { ...refusal, message, inside: publicText(refusal.inside, secrets) } }
    }
    case 'failed':
      return { kind: 'failed', failure: servedFailure(result.failure, account) }
    default:
      return result
  }
}

export function servedFailure(failure: AttemptFailure, account: AccountAddress): ServedFailure {
  return { kind: failure.kind, message: publicText(failure.message, accountSecrets(account)) }
}
