import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseJsonObject, stringAt } from '#lib/json.ts'

/**
 * Starts a payment provider that moves no money, in a process that ends with this one. Returns the settings for a
 * gateway and a worker to use it.
 */
export async function startPaymentProvider(terms: {
  readonly program: string
  readonly gatewayUrl: string
  readonly folder: string
}): Promise<Record<string, string>> {
  mkdirSync(terms.folder, { recursive: true })
  const state = join(terms.folder, 'payments.json')
  const child = spawn(process.execPath, [terms.program, '--gateway', terms.gatewayUrl, '--state', state], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { stdout } = child
  if (stdout === null) throw new Error('the payment provider has no output stream')
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The demo payment provider failed to start.')))
  const [line] = await Promise.race([once(createInterface({ input: stdout }), 'line'), ended])
  // The child ends together with this process, which must not wait for it.
  child.unref()
  child.channel?.unref()
  const said = parseJsonObject(String(line)) ?? {}
  return {
    WEIR_PAYMENTS_STRIPE_URL: stringAt(said, 'url') ?? '',
    WEIR_PAYMENTS_STRIPE_SECRET_KEY: stringAt(said, 'secretKey') ?? '',
    WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: stringAt(said, 'webhookSecret') ?? '',
  }
}
