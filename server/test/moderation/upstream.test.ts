import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChatWorld, errorOf, startChatWorld } from '#test/chat/chat-world.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type ModerationService, startModerationService } from './moderation-service.ts'
import { moderationTestPhrase } from './test-phrase.ts'

const say = (...texts: string[]) => ({ messages: texts.map((content) => ({ role: 'user', content })) })

const key = 'canary-moderation-key'

function settings(service: ModerationService, more: Record<string, string> = {}): Record<string, string> {
  return {
    WEIR_MODERATION_ENGINE: 'upstream',
    WEIR_MODERATION_URL: service.url,
    WEIR_MODERATION_KEY: key,
    WEIR_MODERATION_MODEL: 'judge-1',
    WEIR_MODERATION_TIMEOUT_MS: '60000',
    ...more,
  }
}

describe('a moderation service', () => {
  let world: ChatWorld
  let service: ModerationService
  beforeAll(async () => {
    service = await startModerationService()
    // The service's circuit is not under test here.
    world = await startChatWorld(settings(service, { WEIR_BREAKER_FAILURES: '1000' }))
  })
  afterAll(async () => {
    await world.close()
    await service.close()
  })
  afterEach(() => {
    world.forget()
    service.behave('answer')
    service.requests.length = 0
  })

  it('[MODER-01] [ERR-46] is asked about every text before an upstream is, and its word is final', async () => {
    const caller = await world.caller()
    const before = await world.gateway.walletOf(caller.walletId)
    const reply = await world.chat(say('Hello', '', 'Something forbidden'), { as: caller })
    expect(reply.status).toBe(403)
    expect(errorOf(reply)).toMatchObject({ code: 'content_filter', type: 'invalid_request_error' })
    expect(world.upstreamCalls()).toBe(0)
    expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
    expect(service.requests).toMatchObject([
      {
        path: '/v1/moderations',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: { model: 'judge-1', input: ['Hello', 'Something forbidden'] },
      },
    ])
    const { rows } = await world.gateway.pool.query('SELECT source, categories FROM moderation_evidence')
    expect(rows).toEqual([{ source: 'upstream', categories: ['violence'] }])
  })

  it('lets pass what it does not flag, over connections that are kept', async () => {
    for (let turn = 0; turn < 5; turn += 1) expect((await world.chat(say('Hello'))).status).toBe(200)
    expect(world.upstreamCalls()).toBe(5)
    expect(service.requests).toHaveLength(5)
    expect(service.connections()).toBeLessThanOrEqual(2)
    // The built-in policies are not applied.
    expect((await world.chat(say(moderationTestPhrase))).status).toBe(200)
  })

  it('is not asked when there is nothing to judge', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
    expect((await world.chat({ messages: [{ role: 'user', content: [image] }] })).status).toBe(200)
    expect(service.requests).toEqual([])
  })

  it('that gives no verdict refuses the request, and nothing is sent or charged', async () => {
    service.behave({ status: 500, body: 'oops' })
    const caller = await world.caller()
    const before = await world.gateway.walletOf(caller.walletId)
    const reply = await world.chat(say('Hello', 'again'), { as: caller })
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('5')
    expect(world.upstreamCalls()).toBe(0)
    expect(service.requests).toHaveLength(1)
    expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
    expect(await world.gateway.readMetrics()).toMatch(/^weir_moderation_failures_total [1-9]/m)
  })

  it('never shows its key in the log', () => {
    expect(world.gateway.logLines.join('')).not.toContain(key)
  })
})

describe('a moderation service that is down', () => {
  let service: ModerationService
  beforeAll(async () => {
    service = await startModerationService()
  })
  afterAll(() => service.close())

  it('is left alone after the first requests until one tries it again', async () => {
    const clock = createTestClock(new Date().toISOString())
    const terms = { WEIR_BREAKER_FAILURES: '2', WEIR_BREAKER_OPEN_MS: '3000' }
    const world = await startChatWorld(settings(service, terms), clock)
    try {
      const caller = await world.caller()
      const ask = async () => (await world.chat(say('Hello'), { as: caller })).status
      service.behave({ status: 500, body: 'oops' })
      expect([await ask(), await ask()]).toEqual([503, 503])
      expect([await ask(), await ask(), await ask()]).toEqual([503, 503, 503])
      expect(service.requests).toHaveLength(2)
      service.behave('answer')
      clock.forward(3_000)
      expect([await ask(), await ask()]).toEqual([200, 200])
      expect(service.requests).toHaveLength(4)
    } finally {
      await world.close()
    }
  })

  it('lets requests pass where that is configured, and counts them', async () => {
    const world = await startChatWorld(
      settings(service, { WEIR_MODERATION_WHEN_DOWN: 'allow', WEIR_MODERATION_TIMEOUT_MS: '100' }),
    )
    try {
      service.behave('hang')
      expect((await world.chat(say('Hello'))).status).toBe(200)
      expect(await world.gateway.readMetrics()).toContain('weir_moderation_failures_total 1')
    } finally {
      await world.close()
    }
  })
})

describe('both engines', () => {
  let world: ChatWorld
  let service: ModerationService
  beforeAll(async () => {
    service = await startModerationService()
    world = await startChatWorld(settings(service, { WEIR_MODERATION_ENGINE: 'both' }))
  })
  afterAll(async () => {
    await world.close()
    await service.close()
  })

  it('block what either of them blocks; the service sees only what the built-in policies let pass', async () => {
    expect((await world.chat(say(moderationTestPhrase))).status).toBe(403)
    expect(service.requests).toHaveLength(0)
    expect((await world.chat(say('Something forbidden'))).status).toBe(403)
    expect((await world.chat(say('Hello'))).status).toBe(200)
    expect(service.requests).toHaveLength(2)
  })
})
