import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyOver, idsIn, keyIn, type KeyWorld, startKeyWorld } from './key-world.ts'

describe('with a session on the website', () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld()
  })
  afterAll(() => world.close())

  it('[KEY-17] a person changes their own keys, as their management key does', async () => {
    const caller = await world.createClient()
    const session = { cookie: await world.signIn(caller.userId) }
    const manager = await world.addKey(caller.userId, { type: 'management' })
    const path = `/v1/keys/${caller.keyId}`
    expect((await world.send(session, 'PATCH', path, { enabled: false })).data).toMatchObject({ enabled: false })
    expect(await world.spend(caller)).toBe(401)
    expect((await world.send(manager, 'PATCH', path, { enabled: true })).data).toMatchObject({ enabled: true })
    expect(await world.spend(caller)).toBe(200)
    expect((await world.auditOf(caller.keyId)).slice(1)).toMatchObject([
      { action: 'key.update', actor_kind: 'user', actor_id: caller.userId },
      { action: 'key.update', actor_kind: 'key', actor_id: manager.keyId },
    ])
  })

  it("[KEY-17] nobody changes another person's keys", async () => {
    const [caller, stranger] = [await world.createClient(), await world.createClient()]
    const session = { cookie: await world.signIn(stranger.userId) }
    for (const method of ['PATCH', 'DELETE']) {
      const { status } = await world.send(session, method, `/v1/keys/${caller.keyId}`, { enabled: false })
      expect(status, method).toBe(404)
    }
    expect(await world.spend(caller)).toBe(200)
  })

  it('[KEY-17] a write that comes from another site is refused', async () => {
    const caller = await world.createClient()
    const cookie = await world.signIn(caller.userId)
    const options = { headers: { origin: 'https://evil.example.com' } }
    const response = await world.as({ cookie }).patch(`/v1/keys/${caller.keyId}`, { enabled: false }, options)
    expect(response.status).toBe(403)
    expect(await world.spend(caller)).toBe(200)
  })

  it('a person makes the first management key, and whoever has it makes no other', async () => {
    const caller = await world.createClient()
    const session = { cookie: await world.signIn(caller.userId) }
    const made = await createKeyOver(world, session, { keyType: 'management' })
    expect(made.json).toMatchObject({ keyType: 'management', creator_user_id: caller.userId })
    expect(await world.spend(made)).toBe(403)
    const list = await world.send(made, 'GET', '/v1/keys')
    expect(idsIn(list)).toEqual([made.id, caller.keyId])
    const next = await createKeyOver(world, made, { keyType: 'management' })
    expect(keyIn(await world.send(session, 'GET', '/v1/keys'), next.id)).toMatchObject({ keyType: 'standard' })
    expect((await world.send(session, 'POST', '/v1/keys', { name: 'x', keyType: 'institution' })).status).toBe(400)
    expect((await world.send(session, 'DELETE', `/v1/keys/${made.id}`)).status).toBe(204)
    expect((await world.send(made, 'GET', '/v1/keys')).status).toBe(401)
  })
})
