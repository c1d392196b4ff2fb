export const deliveryStates = ['delivered', 'waiting', 'given_up'] as const

interface WebhooksSearch {
  readonly state?: (typeof deliveryStates)[number]
}

export function parseWebhooksSearch({ state }: Record<string, unknown>): WebhooksSearch {
  const known = deliveryStates.find((one) => one === state)
  return known === undefined ? {} : { state: known }
}
