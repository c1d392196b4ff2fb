import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EgressPolicy, egressPolicy } from '#domain/egress/egress-policy.ts'
import type { UrlVerdict } from '#domain/egress/judge-url.ts'
import type { ResolveHost } from '#ports/outbound.ts'
import { startDnsServer } from '#test/egress/start-dns-server.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { createAskDns } from './dns/ask-dns.ts'
import { accountLookups } from './dns/lookup-limits.ts'
import { createResolver } from './dns/resolver.ts'
import { createEgressGuard } from './egress-guard.ts'

describe('the egress guard', () => {
  let server: Server
  let port = 0
  let connections = 0
  let bytes = 0
  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1
      socket.on('data', (piece) => (bytes += piece.length)).on('error', () => {})
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(async () => {
    await once(server.close(), 'close')
  })

  const opened = egressPolicy(['127.0.0.0/8'])
  const connect = (policy: EgressPolicy, hostname: string, resolve: ResolveHost = async () => []): Promise<string> =>
    new Promise((answer) => {
      const guard = createEgressGuard({ policy, resolve, connectTimeoutMs: 1_000 })
      guard.connectFor('acme')({ hostname, protocol: 'http:', port: String(port) }, (error, socket) => {
        socket?.destroy()
        answer(error === null ? `connected to ${socket.remoteAddress}` : error.message)
      })
    })

  it('judges literals, for which no lookup is made', async () => {
    const closed = egressPolicy([])
    for (const literal of ['127.0.0.1', '::1', '[::1]', '::ffff:127.0.0.1', '169.254.169.254']) {
      expect(await connect(closed, literal)).toMatch('not public')
    }
    expect(connections).toBe(0)
  })

  it('looks a name up once, judges all of its addresses, and connects to one of them', async () => {
    let lookups = 0
    const rebinding: ResolveHost = async () => {
      lookups += 1
      return lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1']
    }
    expect(await connect(opened, 'a.example', rebinding)).toBe('connected to 127.0.0.1')
    expect(lookups).toBe(1)
    expect(await connect(opened, 'a.example', rebinding)).toMatch('not public')
    const before = connections
    expect(await connect(opened, 'a.example', async () => ['127.0.0.1', '10.0.0.1'])).toMatch('not public')
    expect(await connect(opened, 'a.example', async () => ['127.0.0.1', '::1'])).toMatch('not public')
    expect(await connect(opened, 'a.example', async () => [])).toMatch('does not resolve')
    expect(await connect(opened, 'a.example', () => Promise.reject(new Error('ENOTFOUND')))).toMatch('ENOTFOUND')
    expect(connections).toBe(before)
  })

  it('[B4] connects to the answer that was judged while it is kept, and judges the next one anew', async () => {
    const clock = createTestClock('2030-01-01T00:00:00Z')
    const { nowMs } = clock
    const answers = { now: '127.0.0.1' }
    const dns = await startDnsServer((_name, type) => (type === 'A' ? [{ type, data: answers.now, ttl: 10 }] : []))
    const ask = createAskDns({ servers: [dns.address], searches: false, timeoutMs: 60_000, nowMs })
    const resolve = createResolver({ ask, limits: accountLookups, timeoutMs: 60_000, cachedMax: 10, nowMs })
    expect(await connect(opened, 'a.example', resolve)).toBe('connected to 127.0.0.1')
    answers.now = '10.0.0.1'
    expect(await connect(opened, 'a.example', resolve)).toBe('connected to 127.0.0.1')
    clock.forward(10_000)
    const before = connections
    expect(await connect(opened, 'a.example', resolve)).toMatch('not public')
    // Each connection's policy checks the cached answer.
    answers.now = '127.0.0.1'
    clock.forward(10_000)
    expect(await connect(opened, 'a.example', resolve)).toBe('connected to 127.0.0.1')
    expect(await connect(egressPolicy([]), 'a.example', resolve)).toMatch('not public')
    expect(connections).toBe(before + 1)
    expect(dns.questions.filter((question) => question === 'a.example A')).toHaveLength(3)
    await dns.close()
  })

  it('judges the address that was reached, before anything is sent', async () => {
    let asked = 0
    // Allows the first check only, as if the connection reached another address than the lookup returned.
    const misled: EgressPolicy = { ...opened, objectionTo: () => (asked++ === 0 ? null : 'loopback') }
    expect(await connect(misled, '127.0.0.1')).toMatch('not public (loopback)')
    expect(asked).toBe(2)
    expect(bytes).toBe(0)
  })

  it('judges what a name resolves to when it is written down', async () => {
    expect(await judgeResolved('10.0.0.1')).toMatchObject({ allowed: false })
    expect(await judgeResolved('8.8.8.8')).toMatchObject({ allowed: true })
  })
})

function judgeResolved(address: string): Promise<UrlVerdict> {
  const resolve = async (): Promise<string[]> => [address]
  const guard = createEgressGuard({ policy: egressPolicy([]), resolve, connectTimeoutMs: 1_000 })
  return guard.judge('https://a.example/v1', 'acme')
}
