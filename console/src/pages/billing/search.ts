/** The result of the provider's page for saving a card. */
export type CardAnswer = 'saved' | 'cancelled'

interface BillingSearch {
  readonly card?: CardAnswer
}

export function parseBillingSearch({ card }: Record<string, unknown>): BillingSearch {
  return isCardAnswer(card) ? { card } : {}
}

export function isCardAnswer(value: unknown): value is CardAnswer {
  return value === 'saved' || value === 'cancelled'
}
