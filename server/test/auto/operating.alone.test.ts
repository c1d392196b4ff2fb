import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { type AutoWorld, greeting, startAutoWorld } from './auto-world.ts'

let world: AutoWorld
let second: Awaited<ReturnType<typeof startSecondGateway>>
let key: string

beforeAll(async () => {
  world = await startAutoWorld()
  second = await startSecondGateway(world, { WEIR_REVISIONS_POLL_MS: '50' })
  key = (await world.createClient()).key
  Object.assign(process.env, {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: world.databaseUrl,
    WEIR_REDIS_URL: testRedisUrl(),
    WEIR_REDIS_PREFIX: redisPrefixOf(world.databaseUrl),
  })
})
afterAll(async () => {
  await second.close()
  await world.close()
})

/** Waits until both gateways answer with this model, or with this error status. */
async function expectEverywhere(expected: string | number): Promise<void> {
  for (const url of [world.url, second.url]) {
    const ask = async (): Promise<unknown> => {
      const reply = await callChat({ url, key }, { model: 'auto', messages: greeting, max_tokens: 8 })
      return reply.status === 200 ? reply.json.model : reply.status
    }
    await expect.poll(ask, { interval: 20 }).toBe(expected)
  }
}

describe('an operator', () => {
  it('[AUTO-08] changes models, order and state of a tier for calls that follow, in every process', async () => {
    await expectEverywhere(503)
    expect((await weir('auto set paid simple openai/gpt-4o-mini openai/gpt-5.2')).code).toBe(0)
    await expectEverywhere('openai/gpt-4o-mini')
    await weir('auto set paid simple openai/gpt-5.2 openai/gpt-4o-mini')
    await expectEverywhere('openai/gpt-5.2')
    await weir('auto disable paid simple')
    await expectEverywhere(503)
    await weir('auto enable paid simple')
    await expectEverywhere('openai/gpt-5.2')
    const { out } = await weir('auto list')
    expect(out).toMatch(/paid +simple +yes +openai\/gpt-5\.2, openai\/gpt-4o-mini/)
    expect(out.trim().split('\n')).toHaveLength(29)
  })

  it('[AUTO-08] leaves a trace of each change in the audit log, and none where nothing changed', async () => {
    await weir('auto set free email google/gemma-3-27b-it:free')
    await weir('auto set free email google/gemma-3-27b-it:free')
    await weir('auto disable free email')
    const text = `SELECT actor_kind, target_id, before, after FROM audit_entries WHERE action = 'auto.tier.update'
      AND target_id = 'free/email' ORDER BY sequence`
    const { rows } = await world.pool.query(text)
    expect(rows).toEqual([
      {
        actor_kind: 'operator',
        target_id: 'free/email',
        before: { models: [] },
        after: { models: ['google/gemma-3-27b-it:free'] },
      },
      { actor_kind: 'operator', target_id: 'free/email', before: { enabled: true }, after: { enabled: false } },
    ])
  })

  it('is told what can not be', async () => {
    for (const [line, why] of [
      ['auto set paid simple', 'up to 5 fallbacks'],
      ['auto set paid simple openai/gpt-5.2 openai/gpt-5.2', 'listed only once'],
      ['auto set paid simple openai/nothing', 'openai/nothing is not in the catalogue'],
      ['auto set paid simple openai/gpt-4-32k', 'retired'],
      ['auto set paid simple google/veo-3.1', 'chat'],
      ['auto set paid simple google/gemma-3-27b-it:free', 'wrong'],
      ['auto set free simple openai/gpt-5.2', 'wrong'],
      ['auto set gold simple openai/gpt-5.2', 'paid, free'],
      ['auto enable paid poetry', 'simple, standard'],
    ] as const) {
      const { code, error } = await weir(line)
      expect(code, line).not.toBe(0)
      expect(error, line).toContain(why)
    }
  })

  it('can have empty tiers filled by rule, and keeps what was chosen before', async () => {
    await weir('auto set paid trading openai/gpt-4.1-nano')
    expect((await weir('auto defaults')).code).toBe(0)
    const { rows } = await world.pool.query<{ table_name: string; tier: string; models: string[] }>(
      "SELECT table_name, tier, models FROM auto_tiers WHERE models <> '{}'",
    )
    const modelsOf = (table: string, tier: string) =>
      rows.find((row) => row.table_name === table && row.tier === tier)?.models
    expect(modelsOf('paid', 'trading')).toEqual(['openai/gpt-4.1-nano'])
    expect(modelsOf('paid', 'simple')).toEqual(['openai/gpt-5.2', 'openai/gpt-4o-mini'])
    expect(modelsOf('paid', 'video')?.[0]).toBe('google/gemini-3-pro')
    expect(modelsOf('free', 'coding')).toEqual(['google/gemma-3-27b-it:free'])
    await weir('auto defaults --replace')
    await expectEverywhere('google/gemma-3-27b-it')
  })
})

async function weir(line: string): Promise<{ code: number; out: string; error: string }> {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' '), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  return { code, out, error }
}
