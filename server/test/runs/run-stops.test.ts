import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { callChat } from '#test/setup/call-chat.ts'
import type { Credential } from '#test/setup/client.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { textAfterUsage } from '#test/simulators/scenarios/text-after-usage.ts'
import { lastPayload, openStream, startChat } from '#test/streams/stream-client.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await startMoneyWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play({ kind: 'echo' })
})

const gate = { do: 'gate', name: 'g' } as const
const inRun = (run: string, more: Record<string, string> = {}) => ({ headers: { 'x-weir-run': run, ...more } })

async function stop(as: Credential, run: string, body: JsonObject = {}) {
  const reply = await world.as(as).send('POST', `/v1/runs/${run}/stop`, body)
  return [reply.status, reply.data['status'], reply.data['stop_reason']]
}

describe('a stopped run', () => {
  it('[NEXT-49] rejects later requests of it and of its child runs, with the reason', async () => {
    const caller = await world.createClient()
    for (const [run, parent] of [
      ['top', null],
      ['child', 'top'],
      ['grandchild', 'child'],
      ['other', null],
    ] as const) {
      const more = parent === null ? {} : { 'x-weir-parent-run': parent }
      expect((await callChat(world.as(caller), {}, inRun(run, more))).status).toBe(200)
    }
    const asked = world.upstream.requests.length
    expect(await stop(caller, 'top', { reason: 'It loops.' })).toEqual([200, 'stopped', 'It loops.'])
    for (const run of ['top', 'child', 'grandchild']) {
      const refused = await callChat(world.as(caller), {}, inRun(run))
      expect([refused.status, refused.json]).toMatchObject([
        402,
        { error: { code: 'run_stopped', message: expect.stringContaining('It loops.') } },
      ])
    }
    const born = await callChat(world.as(caller), {}, inRun('late', { 'x-weir-parent-run': 'child' }))
    expect([born.status, born.json]).toMatchObject([402, { error: { code: 'run_stopped' } }])
    expect(world.upstream.requests).toHaveLength(asked)
    expect((await callChat(world.as(caller), {}, inRun('other'))).status).toBe(200)
    // A stop is final, and keeps its first reason.
    expect(await stop(caller, 'top', { reason: 'Another.' })).toEqual([200, 'stopped', 'It loops.'])
    expect(await stop(caller, 'unknown')).toEqual([404, undefined, undefined])
    expect((await world.as(caller).send('POST', '/v1/runs/top/stop', { reason: 7 })).status).toBe(400)
  })

  it('[NEXT-49] has one entry in the audit log, without its id and the reason', async () => {
    const caller = await world.createClient()
    await callChat(world.as(caller), {}, inRun('secret-job'))
    await stop(caller, 'secret-job', { reason: 'secret reason' })
    await stop(caller, 'secret-job')
    const { rows } = await world.pool.query<JsonObject>(
      `SELECT e.* FROM audit_entries e JOIN runs r ON r.id = e.target_id::uuid
       WHERE e.target_kind = 'run' AND r.external_id = 'secret-job'`,
    )
    expect(rows).toMatchObject([
      { action: 'run.stop', actor_id: caller.keyId, before: { stopped: false }, after: { stopped: true } },
    ])
    expect(JSON.stringify(rows)).not.toContain('secret')
  })
})

describe('a request whose run is stopped while it runs', () => {
  it.each([
    ['the run', 'job'],
    ['the run above it', 'boss'],
  ])('[NEXT-50] ends its stream with the reason and pays nothing, when %s stops', async (_name, stopped) => {
    const caller = await world.createClient()
    expect((await callChat(world.as(caller), { model: 'test/echo' }, inRun('boss'))).status).toBe(200)
    world.upstream.play(insertAfterWrites(goodStream({}), 3, gate))
    const client = await openStream(world.as(caller), {}, { 'x-weir-run': 'job', 'x-weir-parent-run': 'boss' })
    await world.upstream.waitForGate('g')
    expect(await stop(caller, stopped, { reason: 'Too slow.' })).toEqual([200, 'stopped', 'Too slow.'])
    const whole = await client.end()
    expect(lastPayload(whole)).toMatchObject({
      error: { code: 'run_stopped', message: expect.stringMatching(/was stopped.*Too slow\./) },
    })
    await world.expectRefunded(caller, 'client_cancelled')
    expect(world.upstream.requests.at(-1)?.aborted).toBe(true)
  })

  it('[NEXT-50] answers a document with 402', async () => {
    const caller = await world.createClient()
    world.upstream.play({ kind: 'steps', steps: [gate] })
    const { response } = startChat(world.as(caller), {}, { 'x-weir-run': 'job' })
    await world.upstream.waitForGate('g')
    await stop(caller, 'job', { reason: 'Enough.' })
    const answer = await response
    expect(answer.statusCode).toBe(402)
    expect(await text(answer)).toContain('Enough.')
    await world.expectRefunded(caller, 'client_cancelled')
  })

  it('[NEXT-50] pays for usage that has arrived', async () => {
    const caller = await world.createClient()
    world.upstream.play(textAfterUsage('g'))
    const client = await openStream(world.as(caller), {}, { 'x-weir-run': 'job' })
    await client.waitFor('world')
    await stop(caller, 'job')
    expect(await client.end()).toContain('run_stopped')
    await world.expectSoundBooks()
    const record = await world.lastRecord(caller)
    expect(record).toMatchObject({ cancelled: true, refund_reason: null })
    expect(record.cost_nano).not.toBe('0')
  })

  it('[NEXT-50] leaves requests of other runs alone', async () => {
    const caller = await world.createClient()
    world.upstream.play(insertAfterWrites(goodStream({}), 3, gate))
    const client = await openStream(world.as(caller), {}, { 'x-weir-run': 'other' })
    await world.upstream.waitForGate('g')
    await callChat(world.as(caller), { model: 'test/echo' }, inRun('job'))
    await stop(caller, 'job')
    world.upstream.release('g')
    expect(await client.end()).toContain('[DONE]')
    await world.expectSoundBooks()
  })
})
