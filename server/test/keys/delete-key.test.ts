import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { createKeyOver, idsIn, type KeyWorld, type Manager, startKeyWorld } from './key-world.ts'

describe('DELETE /v1/keys/{id}', () => {
  let world: KeyWorld
  let manager: Manager
  beforeAll(async () => {
    world = await startKeyWorld()
    manager = await world.manager()
  })
  afterAll(() => world.close())

  it.each([
    ['enabled', {}],
    ['disabled', { enabled: false }],
  ])('[KEY-18] ends a key that is %s at once, without a word', async (_state, change) => {
    const made = await createKeyOver(world, manager)
    expect(await world.spend(made)).toBe(200)
    await world.send(manager, 'PATCH', `/v1/keys/${made.id}`, change)
    const answer = await world.send(manager, 'DELETE', `/v1/keys/${made.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await world.spend(made)).toBe(401)
    expect((await world.send(made, 'GET', '/v1/key')).status).toBe(401)
    expect(idsIn(await world.send(manager, 'GET', '/v1/keys'))).not.toContain(made.id)
    for (const method of ['PATCH', 'DELETE']) {
      const again = await world.send(manager, method, `/v1/keys/${made.id}`, { enabled: true })
      expect(again.status, method).toBe(404)
    }
    expect(await world.spend(made)).toBe(401)
  })

  it('[KEY-19] lets a call that has begun finish, and charges it', async () => {
    const owner = await world.manager()
    const made = await createKeyOver(world, owner)
    const usage = { prompt: 0, completion: 500 }
    const answer = vendorCompletion('openai', { kind: 'text', pieces: ['late'], usage })
    if (answer.kind !== 'steps') throw new Error('an answer in steps')
    world.upstream.playNext({ ...answer, steps: [{ do: 'gate', name: 'begun' }, ...answer.steps] })
    const running = world.call(made, { max_tokens: 500 })
    await world.upstream.waitForGate('begun')
    expect((await world.send(owner, 'DELETE', `/v1/keys/${made.id}`)).status).toBe(204)
    expect(await world.spend(made)).toBe(401)
    world.upstream.release('begun')
    const reply = await running
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('late')
    await world.expectSoundBooks()
    expect(await world.walletOf(owner.walletId)).toEqual({ balance: '24.994', held: '0', charged: '0.006' })
    // The key's usage stays visible to every other key of the wallet.
    const record = await world.send(owner, 'GET', `/v1/generation?id=${String(reply.json.id)}`)
    expect(record.data).toMatchObject({ total_cost: 0.006, tokens_completion: 500 })
    const { rows } = await world.pool.query('SELECT requests, spent_nano FROM key_usage_days WHERE key_id = $1', [
      made.id,
    ])
    expect(rows).toEqual([{ requests: '1', spent_nano: '6000000' }])
  })

  it("[KEY-20] answers 404 for an unknown id and for another account's key, and touches nothing", async () => {
    const stranger = await world.manager()
    const theirs = await createKeyOver(world, stranger)
    const organization = await world.createOrganization()
    const organizations = await world.addOrganizationKey(organization.id)
    const unknown = ['01890000-0000-7000-8000-000000000000', 'nonsense', '%00', "'; DROP TABLE api_keys; --"]
    for (const id of [theirs.id, stranger.keyId, organizations.keyId, ...unknown]) {
      for (const method of ['PATCH', 'DELETE']) {
        const { status, json } = await world.send(manager, method, `/v1/keys/${encodeURIComponent(id)}`, {
          enabled: false,
        })
        expect([status, json.error], `${method} ${id}`).toMatchObject([404, { code: 404 }])
      }
    }
    expect([await world.spend(theirs), await world.spend(organizations)]).toEqual([200, 200])
    expect((await world.send(stranger, 'GET', '/v1/keys')).status).toBe(200)
    expect(await world.auditOf(theirs.id)).toHaveLength(1)
  })

  it('[KEY-20] an organization key of the same person is not one of their own', async () => {
    const organization = await world.createOrganization()
    const member = await world.addMember(organization.id, { userId: manager.userId, role: 'org_admin' })
    const key = await world.addOrganizationKey(organization.id, { memberId: member.memberId })
    expect(idsIn(await world.send(manager, 'GET', '/v1/keys'))).not.toContain(key.keyId)
    expect((await world.send(manager, 'DELETE', `/v1/keys/${key.keyId}`)).status).toBe(404)
  })

  it('[KEY-21] and every other request for keys is refused to a standard key with 403', async () => {
    const made = await createKeyOver(world, manager)
    for (const [method, path] of [
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys'],
      ['PATCH', `/v1/keys/${made.id}`],
      ['DELETE', `/v1/keys/${made.id}`],
      ['DELETE', '/v1/keys/nonsense'],
    ] as const) {
      const body = method === 'GET' ? undefined : { name: 'x', enabled: false }
      const { status, message } = await world.send(made, method, path, body)
      expect([status, message], `${method} ${path}`).toEqual([403, expect.stringContaining('management key')])
    }
    expect(await world.spend(made)).toBe(200)
  })

  it('leaves an entry in the audit log', async () => {
    const { id } = await createKeyOver(world, manager, { name: 'laptop' })
    await world.send(manager, 'DELETE', `/v1/keys/${id}`)
    expect((await world.auditOf(id)).slice(1)).toMatchObject([
      { action: 'key.delete', actor_id: manager.keyId, before: { name: 'laptop', enabled: true }, after: null },
    ])
  })

  it('ends the key that asks for it too', async () => {
    const owner = await world.manager()
    expect((await world.send(owner, 'DELETE', `/v1/keys/${owner.keyId}`)).status).toBe(204)
    expect((await world.send(owner, 'GET', '/v1/keys')).status).toBe(401)
  })
})
