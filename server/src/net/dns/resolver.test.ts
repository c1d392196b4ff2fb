import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import type { ResolveHost } from '#ports/outbound.ts'
import { type DnsReply, type DnsServer, startDnsServer } from '#test/egress/start-dns-server.ts'
import { createTestClock, type TestClock } from '#test/setup/clock.ts'
import { createAskDns } from './ask-dns.ts'
import { accountLookups } from './lookup-limits.ts'
import { createResolver, type ResolverOptions } from './resolver.ts'

const address = (data: string, ttl = 60): DnsReply => [{ type: 'A', data, ttl }]

describe('[B4] the resolver', () => {
  let server: DnsServer
  let clock: TestClock
  let answers: Map<string, DnsReply | Promise<DnsReply>>
  beforeEach(async () => {
    clock = createTestClock('2030-01-01T00:00:00Z')
    answers = new Map()
    server = await startDnsServer((name, type) => (type === 'A' ? (answers.get(name) ?? 'missing') : []))
  })
  afterEach(() => server.close())

  function start(options: Partial<Omit<ResolverOptions, 'limits'>> & { limits?: object } = {}): ResolveHost {
    const { nowMs } = clock
    const ask = createAskDns({ servers: [server.address], searches: false, timeoutMs: 60_000, nowMs })
    const limits = { ...accountLookups, ...options.limits }
    return createResolver({ ask, timeoutMs: 60_000, cachedMax: 100, nowMs, ...options, limits })
  }
  const askedFor = (name: string): number => server.questions.filter((each) => each === `${name} A`).length
  const asked = (): string[] => server.questions.filter((each) => each.endsWith(' A')).map((each) => each.slice(0, -2))

  it('keeps an answer for as long as it holds, then asks again and takes the new one', async () => {
    const resolve = start()
    answers.set('a.example', address('192.0.2.1', 10))
    expect(await resolve('a.example', 'acme')).toEqual(['192.0.2.1'])
    answers.set('a.example', address('192.0.2.2', 10))
    clock.forward(9_999)
    expect(await resolve('a.example', 'other')).toEqual(['192.0.2.1'])
    expect(askedFor('a.example')).toBe(1)
    clock.forward(1)
    expect(await resolve('a.example', 'acme')).toEqual(['192.0.2.2'])
    expect(askedFor('a.example')).toBe(2)
  })

  it('remembers for a short time that a host does not exist, and not at all that DNS failed', async () => {
    const resolve = start()
    for (let times = 0; times < 3; times += 1) {
      await expect(resolve('a.example', 'acme')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    }
    expect(askedFor('a.example')).toBe(1)
    clock.forward(5_000)
    answers.set('a.example', 'failed')
    await expect(resolve('a.example', 'acme')).rejects.toMatchObject({ code: 'ESERVFAIL' })
    answers.set('a.example', address('192.0.2.1'))
    expect(await resolve('a.example', 'acme')).toEqual(['192.0.2.1'])
  })

  it('forgets the oldest answers where there are too many', async () => {
    const resolve = start({ cachedMax: 2 })
    for (const name of ['a.example', 'b.example', 'c.example']) {
      answers.set(name, address('192.0.2.1'))
      await resolve(name, 'acme')
    }
    for (const name of ['c.example', 'b.example', 'a.example']) await resolve(name, 'acme')
    expect(asked()).toEqual(['a.example', 'b.example', 'c.example', 'a.example'])
  })

  it('asks once for a host that many want at the same time', async () => {
    const resolve = start({ limits: { atOnceMaxEach: 1 } })
    const slow = Promise.withResolvers<DnsReply>()
    answers.set('first.example', slow.promise)
    answers.set('a.example', address('192.0.2.1'))
    const first = resolve('first.example', 'acme')
    const waiting = Array.from({ length: 300 }, () => resolve('a.example', 'acme'))
    const joined = Array.from({ length: 300 }, () => resolve('first.example', 'other'))
    slow.resolve(address('192.0.2.9'))
    expect(new Set((await Promise.all([first, ...joined])).flat())).toEqual(new Set(['192.0.2.9']))
    expect(new Set((await Promise.all(waiting)).flat())).toEqual(new Set(['192.0.2.1']))
    expect(asked()).toEqual(['first.example', 'a.example'])
  })

  it('serves another account while one has filled its line with names that nobody answers', async () => {
    const resolve = start()
    const names = Array.from({ length: 2_000 }, (_, index) => `x${index}.dead.example`)
    for (const name of names) answers.set(name, 'silent')
    const flood = names.map((name) => resolve(name, 'flood').catch((error: unknown) => error))
    // Eight lookups run and 256 wait; the others were rejected immediately.
    const refused = await Promise.all(flood.slice(8 + 256))
    expect(refused).toHaveLength(2_000 - 264)
    for (const error of refused) expect(error).toBeInstanceOf(GatewayError)
    expect(refused[0]).toMatchObject({ errorName: 'rateLimited', retryAfterS: 5 })
    answers.set('a.example', address('192.0.2.1'))
    expect(await resolve('a.example', 'acme')).toEqual(['192.0.2.1'])
    await expect.poll(() => new Set(asked()).size).toBe(9)
    expect(new Set(asked())).toEqual(new Set([...names.slice(0, 8), 'a.example']))
  })

  it('takes turns where all places are taken', async () => {
    const resolve = start({ limits: { atOnceMax: 1 } })
    const names = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => `${name}.example`)
    for (const name of names) answers.set(name, address('192.0.2.1'))
    await Promise.all(names.map((name) => resolve(name, name.charAt(0))))
    expect(asked()).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'].map((name) => `${name}.example`))
  })

  it('gives the place of a silent server to the next in line, and lets nobody wait for longer than a lookup may take', async () => {
    const resolve = start({ timeoutMs: 50, limits: { atOnceMax: 1 } })
    answers.set('silent.example', 'silent')
    answers.set('behind.example', 'silent')
    const late = await Promise.allSettled([resolve('silent.example', 'acme'), resolve('behind.example', 'acme')])
    for (const each of late) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEOUT' } })
    answers.set('a.example', address('192.0.2.1'))
    await expect.poll(() => resolve('a.example', 'other').catch(() => [])).toEqual(['192.0.2.1'])
  })
})
