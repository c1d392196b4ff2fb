import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { createClient } from '#test/setup/client.ts'
import { type HeldAnswers, holdAnswersOf } from './held-answers.ts'
import { createKeyOver, type KeyWorld, type Manager, startKeyWorld } from './key-world.ts'

describe('[P14] a key that is ended while a request looks it up', () => {
  let world: KeyWorld
  let manager: Manager
  let postgres: HeldAnswers
  let gateway: Awaited<ReturnType<typeof startSecondGateway>>
  beforeAll(async () => {
    world = await startKeyWorld()
    manager = await world.manager()
    postgres = await holdAnswersOf(world.databaseUrl)
    gateway = await startSecondGateway({ databaseUrl: postgres.url })
  })
  afterAll(async () => {
    postgres.release()
    await gateway.close()
    await postgres.close()
    await world.close()
  })

  const statusOf = async (as: { key: string }) => (await createClient(gateway.url, as).get('/v1/key')).status

  it.each([
    ['DELETE', undefined, 204],
    ['PATCH', { enabled: false }, 200],
  ] as const)('is not brought back by what that request has read: %s', async (method, body, status) => {
    const made = await createKeyOver(world, manager)
    // Caches the management key, so that the revocation itself does not wait for a lookup.
    expect(await statusOf(manager)).toBe(200)
    const held = postgres.hold(hash('sha256', made.key))
    const early = statusOf(made)
    await held
    // The response that the key is valid is in transit; the revocation overtakes it.
    const ended = await createClient(gateway.url, manager).send(method, `/v1/keys/${made.id}`, body)
    expect(ended.status).toBe(status)
    postgres.release()
    // This request started before the revocation and may be answered either way, but its result must not be cached.
    expect([200, 401]).toContain(await early)
    expect(await statusOf(made)).toBe(401)
    expect(await statusOf(made)).toBe(401)
  })
})
