import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { setFreeModel } from '#control/operators/free-models.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { createFreeModelStore } from '#store/postgres/free/free-model-store.ts'
import { createKeyOver, type KeyWorld, type Manager, startKeyWorld } from '#test/keys/key-world.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'

describe('PATCH /v1/keys/{id}', () => {
  let world: KeyWorld
  let manager: Manager
  beforeAll(async () => {
    world = await startKeyWorld()
    manager = await world.manager()
  })
  afterAll(() => world.close())

  it('[FREE-08] switches the automatic fallback of a key off and on, and says so in the log', async () => {
    const { id } = await createKeyOver(world, manager)
    const off = await world.send(manager, 'PATCH', `/v1/keys/${id}`, { freeFallback: false })
    expect(off.data.freeFallback).toBe(false)
    const on = await world.send(manager, 'PATCH', `/v1/keys/${id}`, { freeFallback: true })
    expect(on.data.freeFallback).toBe(true)
    expect((await world.send(manager, 'PATCH', `/v1/keys/${id}`, { freeFallback: 'no' })).status).toBe(400)
    const entries = await world.auditOf(id)
    expect(entries.map(({ after }) => after)).toEqual(
      expect.arrayContaining([{ freeFallback: false }, { freeFallback: true }]),
    )
  })

  it('[FREE-08] a key may be made without it', async () => {
    const made = await world.send(manager, 'POST', '/v1/keys', { name: 'strict', freeFallback: false })
    expect(made.data.freeFallback).toBe(false)
  })
})

describe('weir free', () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld()
    const databaseUrl = world.databaseUrl
    Object.assign(process.env, {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(databaseUrl),
    })
  })
  afterAll(() => world.close())

  it('[FREE-05] sets, lists and removes quotas, and each change is in the audit log', async () => {
    expect(await weir('free set openai/gpt-4o-mini --rpm 3 --json')).toMatchObject({
      code: 0,
      out: expect.stringContaining('"requestsPerMinute": 3'),
    })
    expect((await weir('free set openai/gpt-4o-mini --daily-units 20')).out).toContain(
      '3 requests per minute and 20 units',
    )
    expect((await weir('free list')).out).toMatch(/openai\/gpt-4o-mini\s+3\s+20/)
    expect((await weir('free set openai/gpt-4o-mini --disabled')).out).toContain(
      'free calls to openai/gpt-4o-mini are disabled',
    )
    expect((await weir('free remove openai/gpt-4o-mini')).code).toBe(0)
    expect((await weir('free remove openai/gpt-4o-mini')).code).not.toBe(0)
    expect((await weir('free set openai/gpt-4o-mini --rpm many')).code).toBe(2)
    const { rows } = await world.pool.query<{ action: string }>(
      "SELECT action FROM audit_entries WHERE target_kind = 'free_model' ORDER BY sequence",
    )
    expect(rows.map(({ action }) => action)).toEqual(['free.set', 'free.set', 'free.set', 'free.remove'])
  })

  it.each([{ modelId: 'no id' }, { modelId: 'a/b', unitsPerDay: -1 }, { modelId: 'a/b', requestsPerMinute: 1.5 }])(
    'refuses %j',
    async (input) => {
      await expect(setFreeModel(createFreeModelStore(world.pool), input, operatorAuthor(Date.now()))).rejects.toThrow()
    },
  )
})

async function weir(line: string): Promise<{ code: number; out: string }> {
  let out = ''
  const code = await runCommandLine(line.split(' '), {
    out: (text: string) => {
      out += text
    },
    error: () => {},
    readInput: async () => '',
  })
  return { code, out }
}
