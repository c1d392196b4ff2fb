import { expect, it } from 'vitest'
import { completesAccountNames, gatewayOutbound, workerOutbound } from './outbound-limits.ts'
import { parseConfig } from './parse-config.ts'

const secret = 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe'
const configOf = (env: Record<string, string>) => parseConfig({ env: { WEIR_SECRET: secret, ...env } })

it('a gateway is bound by what the operator has set', () => {
  const config = configOf({ WEIR_OUTBOUND_AT_ONCE: '7', WEIR_OUTBOUND_PER_ACCOUNT: '3' })
  const { waitingPerAccount, bytes, bytesPerAccount } = config.outbound
  expect(gatewayOutbound(config)).toEqual({
    atOnceMax: 7,
    perAccountMax: 3,
    waitingPerAccountMax: waitingPerAccount,
    bytesMax: bytes,
    bytesPerAccountMax: bytesPerAccount,
  })
})

it.each([
  { videos: '40', webhooks: '20' },
  { videos: '20', webhooks: '40' },
])('a worker refuses no job that it has taken, nor a video for its size: $videos, $webhooks', (settings) => {
  const { videos, webhooks } = settings
  const config = configOf({ WEIR_VIDEO_AT_ONCE: videos, WEIR_WEBHOOKS_AT_ONCE: webhooks, WEIR_OUTBOUND_AT_ONCE: '7' })
  expect(workerOutbound(config)).toMatchObject({
    atOnceMax: 7,
    waitingPerAccountMax: 40,
    bytesMax: Number.POSITIVE_INFINITY,
    bytesPerAccountMax: Number.POSITIVE_INFINITY,
  })
})

it('completes names that accounts write only where private networks are open to them', () => {
  expect(completesAccountNames(configOf({}))).toBe(false)
  expect(completesAccountNames(configOf({ WEIR_EGRESS_ALLOWED_NETWORKS: '10.0.0.0/8' }))).toBe(true)
})
