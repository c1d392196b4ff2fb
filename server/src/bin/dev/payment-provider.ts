import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stringAt } from '#lib/json.ts'
import { startCompanion } from './start-companion.ts'

/** Starts a payment provider that moves no money. Returns the settings for a gateway and a worker to use it. */
export async function startPaymentProvider(terms: {
  readonly program: string
  readonly gatewayUrl: string
  readonly folder: string
}): Promise<Record<string, string>> {
  mkdirSync(terms.folder, { recursive: true })
  const state = join(terms.folder, 'payments.json')
  const said = await startCompanion('payment provider', [
    terms.program,
    '--gateway',
    terms.gatewayUrl,
    '--state',
    state,
  ])
  return {
    WEIR_PAYMENTS_STRIPE_URL: stringAt(said, 'url') ?? '',
    WEIR_PAYMENTS_STRIPE_SECRET_KEY: stringAt(said, 'secretKey') ?? '',
    WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: stringAt(said, 'webhookSecret') ?? '',
  }
}
