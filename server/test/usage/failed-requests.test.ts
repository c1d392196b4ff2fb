import { afterAll, beforeAll, expect, it } from 'vitest'
import { isJsonObject } from '#lib/json.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway
beforeAll(async () => {
  gateway = await startUsageGateway()
})
afterAll(() => gateway.close())

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

/** Every result of a request, and whether it failed through no fault of the client. */
const results = [
  [null, false],
  ['upstream_failed', true],
  ['unusable_answer', true],
  ['stream_interrupted', true],
  ['no_usage', true],
  ['zero_usage', true],
  ['gateway_fault', true],
  ['upstream_rejected', false],
  ['client_cancelled', false],
  ['credit_exhausted', false],
  ['lease_lapsed', false],
  ['not_billed', false],
  ['free_tier', false],
  ['own_key', false],
] as const

it('status=failed lists the requests that usage counts as failed, and no others', async () => {
  const client = await gateway.createClient()
  // The list begins with the wallet.
  await gateway.pool.query(`UPDATE wallets SET created_at = now() - interval '3 days' WHERE id = $1`, [client.walletId])
  await gateway.spend(
    client,
    results.map(([refundReason], index) => {
      const model = refundReason ?? 'charged'
      return { at: `${yesterday}T12:00:${String(index).padStart(2, '0')}Z`, usd: '0', model, refundReason }
    }),
  )
  const failed = results.filter(([, isFailed]) => isFailed).map(([reason]) => reason)
  const { body } = await gateway.read('/v1/generations?status=failed&limit=100', client.key)
  const listed = Array.isArray(body.data) ? body.data.filter(isJsonObject) : []
  expect(listed.map(({ model }) => model).toReversed()).toEqual(failed)
  const usage = await gateway.read(`/v1/insights/changes?period=custom&from=${yesterday}&to=${yesterday}`, client.key)
  expect(usage.body).toMatchObject({ now: { requests: results.length, failed: failed.length } })
})
