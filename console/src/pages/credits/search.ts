import { type CardAnswer, isCardAnswer } from '../billing/search.ts'

interface CreditsSearch {
  /** The order that was just paid at the provider. */
  readonly top_up?: string
  /** The order whose payment was cancelled. */
  readonly cancelled?: string
  /** The result of the provider's page for saving a card. */
  readonly card?: CardAnswer
  /** The wallet of the order. The page switches to the organization that owns it. */
  readonly wallet?: string
}

export function parseCreditsSearch(search: Record<string, unknown>): CreditsSearch {
  const { top_up: paid, cancelled, wallet, card } = search
  return {
    ...(isId(paid) ? { top_up: paid } : {}),
    ...(isId(cancelled) ? { cancelled } : {}),
    ...(isId(wallet) ? { wallet } : {}),
    ...(isCardAnswer(card) ? { card } : {}),
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)
}
