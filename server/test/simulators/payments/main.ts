import { parseArgs } from 'node:util'
import { startPayments } from './start-payments.ts'
import { restoreState, saveState } from './state-file.ts'

/**
 * The payment provider in its own process, for `npm run dev`: `node main.ts --gateway http://127.0.0.1:8484 --state
 * payments.json`. Prints one line, `{"url":"…","secretKey":"…","webhookSecret":"…"}`, sends its webhooks to that
 * gateway, and ends with its parent. The file keeps payments for the next start.
 */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, gateway: { type: 'string' }, state: { type: 'string' } },
})
const { gateway, state } = values
if (gateway === undefined || state === undefined) throw new Error('Name --gateway and --state.')

const simulator = await startPayments({ port: Number(values.port), isPrompt: true, idsFrom: Date.now() })
restoreState(state, simulator.state)
simulator.webhooks.targets = [gateway]
const { url, secretKey, webhookSecret } = simulator
process.stdout.write(`${JSON.stringify({ url, secretKey, webhookSecret })}\n`)

function end(): void {
  saveState(state ?? '', simulator.state)
  process.exit()
}
// The parent may die without a signal; the channel between them then breaks.
for (const signal of ['disconnect', 'SIGINT', 'SIGTERM'] as const) process.once(signal, end)
process.channel?.unref()
