import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { textAfterUsage } from '#test/simulators/scenarios/text-after-usage.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { openStream, startChat } from './stream-client.ts'

let world: MoneyWorld
/** The pause before an upstream retry. */
let pause = async (): Promise<void> => {}

beforeAll(async () => {
  world = await startMoneyWorld({}, { wait: () => pause() })
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play({ kind: 'echo' })
})

const gate = { do: 'gate', name: 'g' } as const

/** Frames of the good stream: role, three text chunks, finish, usage, [DONE]. */
const stages = {
  'before the head of the answer': { kind: 'steps', steps: [gate, ...goodStream({}).steps] },
  'after the head': insertAfterWrites(goodStream({}), 0, gate),
  'after the role': insertAfterWrites(goodStream({}), 1, gate),
  'after some text': insertAfterWrites(goodStream({}), 3, gate),
  'after the finish reason': insertAfterWrites(goodStream({}), 5, gate),
} satisfies Record<string, Scenario>

describe('a caller who leaves', () => {
  it.each(Object.entries(stages))(
    '[HOLD-05] [P6] %s pays nothing, and the upstream is let go at once',
    async (_stage, scenario) => {
      const caller = await world.createClient()
      world.upstream.play(scenario)
      const { response, leave } = startChat(world.as(caller), { stream: true })
      response.catch(() => {})
      await world.upstream.waitForGate('g')
      leave()
      await world.expectRefunded(caller, 'client_cancelled')
      expectLetGo()
      expect(await world.lastRecord(caller)).toMatchObject({
        cancelled: true,
        held_nano: expect.not.stringMatching(/^0$/),
      })
    },
  )

  it('[HOLD-05] before a whole answer is there pays nothing, and the upstream is let go at once', async () => {
    const caller = await world.createClient()
    world.upstream.play({ kind: 'steps', steps: [gate] })
    const { response, leave } = startChat(world.as(caller), {})
    response.catch(() => {})
    await world.upstream.waitForGate('g')
    leave()
    await world.expectRefunded(caller, 'client_cancelled')
    expectLetGo()
  })

  it('[HOLD-05] while its upstream counts the tokens so far pays nothing', async () => {
    const caller = await world.createClient()
    world.upstream.play(insertAfterWrites(faults.cumulativeUsage(), 4, gate))
    const client = await openStream(world.as(caller))
    // The last text chunk: when it has arrived, the usage has arrived too.
    await client.waitFor('world')
    client.leave()
    await world.expectRefunded(caller, 'client_cancelled')
    expectLetGo()
  })

  it('[HOLD-09] after the usage had come pays for it', async () => {
    const caller = await world.createClient()
    world.upstream.play(textAfterUsage('g'))
    const client = await openStream(world.as(caller))
    await client.waitFor('world')
    client.leave()
    await expect.poll(() => world.walletOf(caller.walletId)).toMatchObject({ charged: '0.00006', held: '0' })
    expect(await world.lastRecord(caller)).toMatchObject({ cancelled: true, refund_reason: null, cost_nano: '60000' })
    await world.expectSoundBooks()
    expectLetGo()
  })

  it('[HOLD-05] between a failed attempt and its repetition is not served any more', async () => {
    const caller = await world.createClient()
    world.upstream.play(faults.serverError(500))
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    pause = () => {
      begun.resolve()
      return over.promise
    }
    const { response, leave } = startChat(world.as(caller), { stream: true })
    response.catch(() => {})
    await begun.promise
    leave()
    await world.expectRefunded(caller)
    pause = async () => {}
    over.resolve()
    // A later client that stays connected causes two upstream requests. A retry for the first client would have come
    // before them.
    await world.call(caller, { stream: true })
    expect(world.upstream.requests).toHaveLength(3)
  })

  it('[HOLD-05] is not counted as served: the process keeps no request of theirs', async () => {
    const caller = await world.createClient()
    world.upstream.play(insertAfterWrites(goodStream({}), 3, gate))
    const clients = await Promise.all(Array.from({ length: 20 }, () => openStream(world.as(caller))))
    for (const client of clients) client.leave()
    await world.settled()
    await expect.poll(() => world.upstream.openConnections()).toBe(0)
    await world.expectSoundBooks()
  })
})

/**
 * The upstream is aborted before the settlement, so the abort has happened by the time the ledger agrees again. The
 * gate is still closed and no timeout is near: only the client's disconnect can be the reason.
 */
function expectLetGo(): void {
  expect(world.upstream.requests.map(({ aborted }) => aborted)).toEqual([true])
}
