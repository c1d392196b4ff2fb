import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { createClient } from '#test/setup/client.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { createKeyOver, type KeyWorld, type Manager, startKeyWorld } from './key-world.ts'

// The maximum time until a revocation takes effect: cache entries live no longer.
const hardTtlMs = 15_000

describe('[P14] [KEY-18] a key that is deleted or disabled through one gateway', () => {
  const clock = createTestClock('2030-01-07T12:00:15Z')
  let world: KeyWorld
  let manager: Manager
  let hearing: Awaited<ReturnType<typeof startSecondGateway>>
  let deaf: Awaited<ReturnType<typeof startSecondGateway>>
  beforeAll(async () => {
    world = await startKeyWorld(clock)
    manager = await world.manager()
    hearing = await startSecondGateway(world, { WEIR_LIMITS_ACCOUNT: '100000' }, clock)
    // Nothing listens there, so no message of the others arrives.
    const lonely = { WEIR_LIMITS_ACCOUNT: '100000', WEIR_REDIS_URL: 'redis://127.0.0.1:1' }
    deaf = await startSecondGateway(world, lonely, clock)
  })
  afterAll(async () => {
    await Promise.all([hearing.close(), deaf.close()])
    await world.close()
  })

  async function end(how: 'DELETE' | 'PATCH', id: string): Promise<void> {
    const answer = await world.send(manager, how, `/v1/keys/${id}`, how === 'PATCH' ? { enabled: false } : undefined)
    expect(answer.status).toBe(how === 'PATCH' ? 200 : 204)
  }

  // The clock stands still, so no cache entry expires: only the message can be the reason.
  it.each(['DELETE', 'PATCH'] as const)('is refused by another at once: %s', async (how) => {
    const made = await createKeyOver(world, manager)
    expect(await statusAt(hearing, made)).toBe(200)
    await end(how, made.id)
    await expectRefusal(hearing, made)
  })

  it('is refused within 15 s where every message is lost, whether it is used meanwhile or not', async () => {
    const [deleted, disabled, idle] = [
      await createKeyOver(world, manager),
      await createKeyOver(world, manager),
      await createKeyOver(world, manager),
    ]
    for (const made of [deleted, disabled, idle]) expect(await statusAt(deaf, made)).toBe(200)
    await end('DELETE', deleted.id)
    await end('PATCH', disabled.id)
    await end('DELETE', idle.id)
    expect(await statusAt(deaf, deleted), 'the message was lost').toBe(200)
    clock.forward(hardTtlMs - 1)
    // With these requests the gateway refreshes the keys while it still answers from memory.
    for (const made of [deleted, disabled]) await expectRefusal(deaf, made)
    // This key is not used until its entry has expired; then it is looked up before it is trusted.
    clock.forward(1)
    expect(await statusAt(deaf, idle)).toBe(401)
  })
})

async function statusAt({ url }: { url: string }, as: { key: string }): Promise<number> {
  return (await createClient(url, as).get('/v1/key')).status
}

/** Repeats the request while the gateway's clock stands still. */
async function expectRefusal(gateway: { url: string }, as: { key: string }): Promise<void> {
  await expect.poll(() => statusAt(gateway, as), { interval: 5 }).toBe(401)
}
