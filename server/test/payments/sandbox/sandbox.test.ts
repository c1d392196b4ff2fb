import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PaymentsSimulator, startPayments } from '#test/simulators/payments/start-payments.ts'

const command = fileURLToPath(new URL('./run.ts', import.meta.url))

describe("the script for Stripe's sandbox", () => {
  let stripe: PaymentsSimulator
  beforeAll(async () => {
    // Stripe's ledger is read up to a minute ago.
    stripe = await startPayments({ nowMs: () => Date.now() - 120_000 })
  })
  afterAll(() => stripe.close())

  async function run(key: string | null): Promise<{ code: number | null; lines: string[] }> {
    const { STRIPE_SECRET_KEY: _, ...inherited } = process.env
    const env = key === null ? inherited : { ...inherited, STRIPE_SECRET_KEY: key }
    const child = spawn(process.execPath, [command, '--url', stripe.url], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return { code: child.exitCode, lines: said.trim().split('\n') }
  }

  it('goes through order, payment, refunds, disputes, events and books', async () => {
    const { code, lines } = await run(stripe.secretKey)
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'order',
      'expired page',
      'payment',
      'refunds',
      'disputes',
      'events',
      'books',
      'Everything is as it should be.',
    ])
    expect(code).toBe(0)
  })

  it.each([
    ['sk_live_1234', 'This is a live key.'],
    ['rk_live_1234', 'This is a live key.'],
    ['whsec_1234', 'Set STRIPE_SECRET_KEY'],
    [null, 'Set STRIPE_SECRET_KEY'],
  ])('refuses the key %s, and asks nobody', async (key, message) => {
    const before = stripe.calls.length
    const { code, lines } = await run(key)
    expect(lines).toEqual([expect.stringContaining(message)])
    expect(code).toBe(2)
    expect(stripe.calls).toHaveLength(before)
  })
})
