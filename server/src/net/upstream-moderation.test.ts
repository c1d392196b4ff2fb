import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Moderation } from '#ports/moderation.ts'
import { type Behaviour, type ModerationService, startModerationService } from '#test/moderation/moderation-service.ts'
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts'
import { createUpstreamModeration } from './upstream-moderation.ts'

const longMs = 60_000
const health = { failures: 2, openMs: 3_000 }

let service: ModerationService
let network: UpstreamClient
beforeAll(async () => {
  service = await startModerationService()
  network = createUpstreamClient({ connectTimeoutMs: longMs, connectionsMax: 8 })
})
afterAll(async () => {
  await network.close()
  await service.close()
})
beforeEach(() => {
  service.behave('answer')
  service.requests.length = 0
})

function createModeration(options: { timeoutMs?: number; nowMs?: () => number; url?: string } = {}): Moderation {
  const { timeoutMs = longMs, nowMs = () => 0, url = service.url } = options
  return createUpstreamModeration({ upstreams: network, url, key: null, model: 'judge-1', timeoutMs, health, nowMs })
}

const review = async (moderation: Moderation, ...texts: string[]) => moderation.review({ texts, payer: 'one' })

describe('a moderation service', () => {
  it('is asked about the texts that say something, and names the first that it flags', async () => {
    const verdict = await review(createModeration(), 'Hello', ' ', 'forbidden', 'also forbidden')
    expect(verdict).toEqual({
      allowed: false,
      source: 'upstream',
      categories: ['violence'],
      place: { text: 2, start: 0 },
    })
    expect(service.requests.map(({ body }) => body.input)).toEqual([['Hello', 'forbidden', 'also forbidden']])
  })

  it.each<[string, Behaviour, RegExp]>([
    ['breaks off', 'break', /./],
    ['fails', { status: 500, body: 'oops' }, /returned 500/],
    ['refuses our key', { status: 401, body: '{}' }, /returned 401/],
    ['refuses the request', { status: 413, body: '{}' }, /rejected the request with 413/],
    ['answers no JSON', { status: 200, body: 'yes' }, /returned an unreadable response/],
    ['answers no results', { status: 200, body: '{"results":[]}' }, /returned an unreadable response/],
    [
      'answers fewer results than texts',
      { status: 200, body: '{"results":[{"flagged":false}]}' },
      /returned an unreadable response/,
    ],
    [
      'answers results without a verdict',
      { status: 200, body: '{"results":[{},{}]}' },
      /returned an unreadable response/,
    ],
    ['answers too much', { status: 200, body: `{"results":"${'x'.repeat(1_100_000)}"}` }, /too large/],
  ])('that %s gives no verdict, and is asked once', async (_what, behaviour, reason) => {
    service.behave(behaviour)
    await expect(review(createModeration(), 'Hello', 'again')).rejects.toThrow(reason)
    expect(service.requests).toHaveLength(1)
  })

  it('that does not answer in time gives no verdict', async () => {
    // Its own service: the request may arrive after the time is over.
    const slow = await startModerationService()
    slow.behave('hang')
    const moderation = createModeration({ timeoutMs: 20, url: slow.url })
    await expect(review(moderation, 'Hello')).rejects.toThrow('timed out after 20 ms')
    await slow.close()
  })

  it('is left alone after failures in a row until its time is over, then asked by one, and by all once it answers', async () => {
    let nowMs = 0
    const moderation = createModeration({ nowMs: () => nowMs })
    const ask = () => review(moderation, 'Hello')
    const skipped = 'skipped after repeated failures'
    service.behave({ status: 500, body: 'oops' })
    for (const _ of [1, 2]) await expect(ask()).rejects.toThrow('returned 500')
    nowMs = 2_999
    for (const _ of [1, 2, 3]) await expect(ask()).rejects.toThrow(skipped)
    expect(service.requests).toHaveLength(2)
    service.behave('answer')
    nowMs = 3_000
    const [probe, other] = [ask(), ask()]
    await expect(other).rejects.toThrow(skipped)
    expect(await probe).toEqual({ allowed: true })
    expect(await ask()).toEqual({ allowed: true })
    expect(service.requests).toHaveLength(4)
  })

  it('C13: still judges the texts of others after it failed on those of one payer', async () => {
    const moderation = createModeration()
    const ask = async (payer: string) => moderation.review({ texts: ['Hello'], payer })
    service.behave({ status: 500, body: 'oops' })
    for (const _ of [1, 2]) await expect(ask('hostile')).rejects.toThrow('returned 500')
    await expect(ask('hostile')).rejects.toThrow('skipped after repeated failures')
    service.behave('answer')
    expect(await ask('innocent')).toEqual({ allowed: true })
  })

  it('is not left alone for what it objects to', async () => {
    const moderation = createModeration()
    service.behave({ status: 413, body: '{}' })
    for (const _ of [1, 2, 3]) await expect(review(moderation, 'Hello')).rejects.toThrow('413')
    service.behave('answer')
    expect(await review(moderation, 'Hello')).toEqual({ allowed: true })
  })
})
