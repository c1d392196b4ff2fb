/** A point in payment processing where a process is killed. */
export interface KillPoint {
  readonly name: string
  readonly victim: 'gateway' | 'worker' | null
  /** Null if the process is killed from outside, while it waits for the provider. */
  readonly failpoint: string | null
}

/** No kill, and every point in ordering and refunding credit. */
export const orderKills: readonly KillPoint[] = [
  { name: 'none', victim: null, failpoint: null },
  { name: 'while-asking', victim: 'gateway', failpoint: null },
  ...killedAt('gateway', ['after-order', 'after-checkout', 'after-noting', 'after-refund']),
]

const bookingPoints = ['before-reading', 'before-payment', 'mid-payment', 'before-payment-commit', 'after-payment']

/** Every point in booking an event that a webhook delivers. */
export const webhookKills: readonly KillPoint[] = killedAt('gateway', bookingPoints)

/** Every point in booking an event without a webhook. */
export const workerKills: readonly KillPoint[] = killedAt('worker', bookingPoints)

/** Every point in charging a saved card while its owner is not present. */
export const chargeKills: readonly KillPoint[] = killedAt('worker', [
  'after-attempt',
  'after-charge',
  'before-payment',
  'mid-payment',
  'before-payment-commit',
])

function killedAt(victim: 'gateway' | 'worker', names: readonly string[]): KillPoint[] {
  return names.map((name) => ({ name, victim, failpoint: name }))
}
