import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { exchangeRaw } from './raw-exchange.ts'

const spellingsOf = (name: string): string[] => [
  `/${name}`,
  `/${name}/`,
  `/${name}//`,
  `//${name}`,
  `/./${name}`,
  `/x/../${name}`,
  `/%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
  `/${name}%2f`,
  `/${name}?x`,
  `/${name};x`,
  `/${name.toUpperCase()}`,
  `/api/${name}`,
  `/v1/${name}`,
  `/api/v1/${name}`,
  `/api/auth/../../${name}`,
  `http://localhost/${name}`,
  `http://localhost/${name}/`,
]
const names = ['health', 'ready', 'metrics']

describe('what a gateway tells its operators', () => {
  const gateways: TestGateway[] = []
  let plain: TestGateway
  let probed: TestGateway
  beforeAll(async () => {
    plain = await startTestGateway()
    probed = await startTestGateway({ WEIR_OPERATING_PUBLIC_PROBES: 'true' })
    gateways.push(plain, probed)
  })
  afterAll(async () => {
    for (const gateway of gateways) await gateway.close()
  })

  it('[B11] is in no spelling on the port for callers', async () => {
    for (const target of names.flatMap(spellingsOf)) expect([400, 404], target).toContain(await statusOf(plain, target))
  })

  it('[B11] is on a port of its own, which has nothing else', async () => {
    const { operating } = plain.gateway
    for (const name of names) expect((await operating.inject(`/${name}`)).statusCode, name).toBe(200)
    expect((await operating.inject('/metrics')).body).toContain('weir_generations_total')
    expect((await operating.inject('/v1/models')).statusCode).toBe(404)
    const stranger = await operating.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })
    expect(stranger.statusCode).toBe(404)
  })

  it('[B11] is on the port for callers, where the operator wants it so, but for the figures', async () => {
    for (const name of ['health', 'ready']) expect(await statusOf(probed, `/${name}`), name).toBe(200)
    for (const target of spellingsOf('metrics')) expect([400, 404], target).toContain(await statusOf(probed, target))
  })
})

async function statusOf(gateway: TestGateway, target: string): Promise<number> {
  const { answers } = await exchangeRaw(
    gateway.url,
    `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
  )
  return answers[0]?.status ?? 0
}
