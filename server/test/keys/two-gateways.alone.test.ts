import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { createKeyOver, type KeyWorld, type Manager, send, startKeyWorld } from './key-world.ts'

// What a revocation may take, by the contract of the cache: its entries live no longer than this.
const hardTtlMs = 15_000

describe('[P14] [KEY-18] a key that is deleted or disabled through one gateway', () => {
  let world: KeyWorld
  let manager: Manager
  let hearing: Awaited<ReturnType<typeof startSecondGateway>>
  let deaf: Awaited<ReturnType<typeof startSecondGateway>>
  beforeAll(async () => {
    world = await startKeyWorld()
    manager = await world.manager()
    hearing = await startSecondGateway(world, { WEIR_LIMITS_ACCOUNT: '100000' })
    // Nobody listens there, so no message of the others ever comes.
    deaf = await startSecondGateway(world, { WEIR_LIMITS_ACCOUNT: '100000', WEIR_REDIS_URL: 'redis://127.0.0.1:1' })
  })
  afterAll(async () => {
    await Promise.all([hearing.close(), deaf.close()])
    await world.close()
  })

  async function end(how: 'DELETE' | 'PATCH', id: string): Promise<number> {
    const answer = await world.send(manager, how, `/v1/keys/${id}`, how === 'PATCH' ? { enabled: false } : undefined)
    expect(answer.status).toBe(how === 'PATCH' ? 200 : 204)
    return performance.now()
  }

  it.each(['DELETE', 'PATCH'] as const)('is refused by another at once: %s', async (how) => {
    const made = await createKeyOver(world, manager)
    expect(await statusAt(hearing, made)).toBe(200)
    const tookMs = await msUntilRefused(hearing, made, await end(how, made.id))
    console.info(`${how}: refused by another gateway after ${tookMs.toFixed(0)} ms`)
    // A tenth of a second is usual; two cores that many tests share take longer.
    expect(tookMs).toBeLessThan(5_000)
  })

  it('is refused within 15 s where every message is lost, whether it is used meanwhile or not', async () => {
    const [deleted, disabled, idle] = [
      await createKeyOver(world, manager),
      await createKeyOver(world, manager),
      await createKeyOver(world, manager),
    ]
    for (const made of [deleted, disabled, idle]) expect(await statusAt(deaf, made)).toBe(200)
    const knownAt = performance.now()
    const ended = [await end('DELETE', deleted.id), await end('PATCH', disabled.id), await end('DELETE', idle.id)]
    expect(await statusAt(deaf, deleted), 'the message was lost').toBe(200)
    const [deletedMs, disabledMs] = await Promise.all([
      msUntilRefused(deaf, deleted, ended[0] ?? 0),
      msUntilRefused(deaf, disabled, ended[1] ?? 0),
    ])
    // Nobody asks for this one until its time is over; then it is looked up before it is believed.
    await new Promise((resolve) => setTimeout(resolve, knownAt + hardTtlMs - performance.now()))
    expect(await statusAt(deaf, idle)).toBe(401)
    console.info(`without messages: ${deletedMs.toFixed(0)} ms after DELETE, ${disabledMs.toFixed(0)} ms after PATCH`)
    expect(Math.max(deletedMs, disabledMs)).toBeLessThan(hardTtlMs)
  }, 30_000)
})

async function statusAt({ url }: { url: string }, as: { key: string }): Promise<number> {
  return (await send(url, as, 'GET', '/v1/key')).status
}

/** Asks again and again; how long the key still worked. */
async function msUntilRefused(gateway: { url: string }, as: { key: string }, endedAt: number): Promise<number> {
  await expect.poll(() => statusAt(gateway, as), { timeout: hardTtlMs + 2_000, interval: 5 }).toBe(401)
  return performance.now() - endedAt
}
