import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Credential } from '#test/setup/client.ts'

const clock = createTestClock('2030-01-30T12:00:15Z')
let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld(clock)
})
afterAll(() => world.close())

const newOwner = () => world.createClient({ usd: '25' })

async function callIn(as: Credential, headers: Record<string, string>, text = 'Hello') {
  const messages = [...hello, { role: 'user', content: text }]
  const body: JsonObject = { model: 'openai/gpt-5.2', messages, max_tokens: 10 }
  const reply = await world.as(as).post('/v1/chat/completions', body, { headers })
  const error = reply.json['error'] as JsonObject | undefined
  return reply.status === 200 ? 200 : `${reply.status} ${error?.['code']} ${error?.['message']}`
}

const runWith = (rules: string) => ({ 'x-weir-run': 'r', 'x-weir-run-rules': rules })
const stopped = (rule: string) => expect.stringMatching(new RegExp(`^402 run_stopped .*Reason: ${rule}`))

describe('a run with rules', () => {
  it('[NEXT-52] is stopped by a request beyond its number per minute', async () => {
    const owner = await newOwner()
    const run = { 'x-weir-run': 'r', 'x-weir-run-rules': 'calls_per_minute=2' }
    expect([await callIn(owner, run, 'a'), await callIn(owner, run, 'b')]).toEqual([200, 200])
    clock.set('2030-01-30T12:01:15Z')
    expect([await callIn(owner, run, 'c'), await callIn(owner, run, 'd')]).toEqual([200, 200])
    const asked = world.upstream.requests.length
    expect(await callIn(owner, run, 'e')).toEqual(stopped('The run made more than 2 requests in a minute.'))
    expect(await callIn(owner, { 'x-weir-run': 'r' }, 'f')).toEqual(stopped('The run made more than 2'))
    expect(world.upstream.requests).toHaveLength(asked)
    const { data } = await world.send(owner, 'GET', '/v1/runs/r')
    expect(data).toMatchObject({ status: 'stopped', calls_per_minute: 2, repeats: null })
    const { rows } = await world.pool.query(
      `SELECT e.actor_kind, e.action FROM audit_entries e JOIN runs r ON r.id::text = e.target_id
       WHERE r.wallet_id = $1`,
      [owner.walletId],
    )
    expect(rows).toEqual([{ actor_kind: 'system', action: 'run.stop' }])
  })

  it('[NEXT-52] is stopped by a prompt that it repeats, and not by others', async () => {
    const owner = await newOwner()
    const made = await world.send(owner, 'POST', '/v1/runs', { id: 'r', repeats: 2 })
    expect(made.data).toMatchObject({ calls_per_minute: null, repeats: 2 })
    const run = { 'x-weir-run': 'r' }
    for (const text of ['a', 'b', 'a', 'b', 'c']) expect(await callIn(owner, run, text)).toBe(200)
    // Another run with the same prompts has counts of its own.
    const other = { 'x-weir-run': 'other', 'x-weir-run-rules': 'repeats=2' }
    expect(await callIn(owner, other, 'a')).toBe(200)
    expect(await callIn(owner, run, 'a')).toEqual(stopped('The run sent the same prompt more than 2 times.'))
    expect(await callIn(owner, other, 'a')).toBe(200)
  })

  it('[NEXT-52] counts requests of its child runs, and stops them', async () => {
    const owner = await newOwner()
    const top = { 'x-weir-run': 'top', 'x-weir-run-rules': 'calls_per_minute=2, repeats=9' }
    const child = { 'x-weir-run': 'child', 'x-weir-parent-run': 'top' }
    expect([await callIn(owner, top), await callIn(owner, child)]).toEqual([200, 200])
    expect(await callIn(owner, child)).toEqual(stopped('The run made more than 2 requests in a minute.'))
    expect(await callIn(owner, top)).toEqual(stopped('The run made more than 2'))
    expect((await world.send(owner, 'GET', '/v1/runs/child')).data).toMatchObject({ status: 'stopped' })
  })

  it('[NEXT-53] cannot get other rules, or malformed ones', async () => {
    const owner = await newOwner()
    expect(await callIn(owner, runWith('repeats=5, calls_per_minute=60'))).toBe(200)
    expect(await callIn(owner, runWith('calls_per_minute=60,repeats=5'))).toBe(200)
    expect(await callIn(owner, runWith('repeats=5'))).toMatch(/^409 run_conflict/)
    expect(await callIn(owner, runWith('repeats=0'))).toMatch(/^400/)
    expect(await callIn(owner, { 'x-weir-run-rules': 'repeats=5' })).toMatch(/^400/)
    for (const rule of [{ repeats: 0 }, { calls_per_minute: 1.5 }, { repeats: '3' }, { repeats: 1_000_001 }]) {
      expect((await world.send(owner, 'POST', '/v1/runs', { id: 'x', ...rule })).status).toBe(400)
    }
  })
})
