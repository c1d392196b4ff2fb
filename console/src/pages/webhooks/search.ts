import { pickKnown } from '../../lib/pick-known.ts'

export const deliveryStates = ['delivered', 'waiting', 'given_up'] as const

interface WebhooksSearch {
  readonly state?: (typeof deliveryStates)[number]
}

export function parseWebhooksSearch({ state }: Record<string, unknown>): WebhooksSearch {
  return pickKnown('state', deliveryStates, state)
}
