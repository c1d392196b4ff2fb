import { type CardAnswer, isCardAnswer } from '../billing/search.ts'

interface CreditsSearch {
  /** The order that was just paid at the provider. */
  readonly top_up?: string
  /** The order whose payment page was left. */
  readonly cancelled?: string
  /** What became of the provider's page on which a card is saved. */
  readonly card?: CardAnswer
  /** The wallet that it is about. The page goes on with the organization that it belongs to. */
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
