import { parseArgs } from 'node:util'
import { isLiveKey } from '#net/payments/stripe-provider.ts'

/**
 * `STRIPE_SECRET_KEY=sk_test_… npm run payments:sandbox [-- --by-hand]`: buys credit in Stripe's test mode and follows
 * it through refunds, disputes and the ledger. It needs a test key, the network, and Postgres and Redis like `npm
 * test`.
 *
 * Checkout pages are meant for people. Without `--by-hand` the script pays with the requests that Stripe's own command
 * line sends for `stripe trigger`, which Stripe does not document; if they fail, pay by hand. Webhooks are not tested,
 * because Stripe cannot reach this machine: `stripe listen --forward-to` does that with your own gateway.
 */
const { values } = parseArgs({
  options: {
    'by-hand': { type: 'boolean', default: false },
    url: { type: 'string', default: 'https://api.stripe.com' },
  },
})
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

process.exitCode = await run(process.env['STRIPE_SECRET_KEY'] ?? '')

async function run(secretKey: string): Promise<number> {
  if (isLiveKey(secretKey)) {
    say('This is a live key. The sandbox takes a test key alone: sk_test_… or rk_test_…')
    return 2
  }
  if (!/^[rs]k_test_/.test(secretKey)) {
    say('Set STRIPE_SECRET_KEY to a test key of Stripe: sk_test_… or rk_test_…')
    return 2
  }
  // Imported late, because it is a whole gateway.
  const [{ runFlows }, { default: startEngines }] = await Promise.all([
    import('./run-flows.ts'),
    import('#test/setup/engines.ts'),
  ])
  const end = await startEngines()
  try {
    const isReal = values.url.startsWith('https://api.stripe.com')
    await runFlows({
      secretKey,
      url: values.url,
      isByHand: values['by-hand'],
      lookEveryMs: isReal ? 2_000 : 20,
      // Stripe's ledger is read after a minute, and a person needs some minutes to pay.
      patienceMs: 600_000,
      say,
    })
    say('Everything is as it should be.')
    return 0
  } finally {
    await end()
  }
}
