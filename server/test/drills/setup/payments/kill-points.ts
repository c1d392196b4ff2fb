/** Where a process is killed while it deals with payments. */
export interface KillPoint {
  readonly name: string
  readonly victim: 'gateway' | 'worker' | null
  /** Null: it is killed from outside, while it waits for the provider. */
  readonly failpoint: string | null
}

/** What goes on while processes live, and every place in ordering credit and giving it back. */
export const orderKills: readonly KillPoint[] = [
  { name: 'none', victim: null, failpoint: null },
  { name: 'while-asking', victim: 'gateway', failpoint: null },
  ...killedAt('gateway', ['after-order', 'after-checkout', 'after-noting', 'after-refund']),
]

const bookingPoints = ['before-reading', 'before-payment', 'mid-payment', 'before-payment-commit', 'after-payment']

/** Every place in booking what a webhook tells of. */
export const webhookKills: readonly KillPoint[] = killedAt('gateway', bookingPoints)

/** Every place in booking what no webhook has told. */
export const workerKills: readonly KillPoint[] = killedAt('worker', bookingPoints)

/** Every place in charging a saved card while its owner is away. */
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
