import type { CardTemper } from '#test/simulators/payments/objects.ts'
import type { ApiFault } from '#test/simulators/payments/start-payments.ts'
import type { WebhookFault } from '#test/simulators/payments/webhook-sender.ts'

/** A fault when a saved card is charged. */
export interface CardFault {
  readonly name: string
  readonly temper: CardTemper
  /** The fault of the next charge requests. */
  readonly call?: ApiFault
  /** The fault of the next event. */
  readonly event?: WebhookFault
}

export const cardFaults: readonly CardFault[] = [
  { name: 'declined', temper: 'declines' },
  { name: 'asks-the-owner', temper: 'asks' },
  { name: 'takes-time', temper: 'takes time' },
  { name: '500-before', temper: 'pays', call: '500-before' },
  { name: '500-after-doing-it', temper: 'pays', call: '500-after' },
  { name: '429', temper: 'pays', call: '429' },
  { name: 'connection-cut', temper: 'pays', call: 'hang-up' },
  { name: 'webhook-drop', temper: 'pays', event: 'drop' },
  { name: 'webhook-duplicate', temper: 'pays', event: 'duplicate' },
  { name: 'webhook-forge', temper: 'pays', event: 'forge' },
]
