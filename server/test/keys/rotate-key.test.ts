import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { createKeyOver, type KeyWorld, keyIn, startKeyWorld } from './key-world.ts'

const hourMs = 3_600_000

describe('POST /v1/keys/{id}/rotate', () => {
  const clock = createTestClock(new Date().toISOString())
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld({ nowMs: clock.nowMs })
  })
  afterAll(() => world.close())

  async function rotate(manager: { key: string }, id: string, body = {}) {
    const { status, json, text } = await world.send(manager, 'POST', `/v1/keys/${id}/rotate`, body)
    expect(status, text).toBe(200)
    return { key: String(json.key), json }
  }

  // First, while the test clock still shows the start time of the sessions.
  it('is done to a management key with a session alone, and to the key of another by no one', async () => {
    const manager = await world.manager()
    expect((await world.send(manager, 'POST', `/v1/keys/${manager.keyId}/rotate`, {})).status).toBe(403)
    const session = { cookie: await world.signIn(manager.userId) }
    const { json } = await world.send(session, 'POST', `/v1/keys/${manager.keyId}/rotate`, { overlap_seconds: 0 })
    expect((await world.send(manager, 'GET', '/v1/keys')).status).toBe(401)
    expect((await world.send({ key: String(json.key) }, 'GET', '/v1/keys')).status).toBe(200)
    clock.forward(11 * 60_000)
    const late = await world.send(session, 'POST', `/v1/keys/${manager.keyId}/rotate`, {})
    expect([late.status, late.json.error]).toMatchObject([403, { code: 'step_up_required' }])
    const stranger = await world.manager()
    expect((await world.send(stranger, 'POST', `/v1/keys/${manager.keyId}/rotate`, {})).status).toBe(404)
    expect((await world.send(stranger, 'POST', '/v1/keys/nothing/rotate', {})).status).toBe(404)
  })

  it('gives the same key a second secret, and ends the former one after an hour', async () => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager, { limit: 5, name: 'laptop' })
    expect(await world.spend(made)).toBe(200)
    const { key, json } = await rotate(manager, made.id)
    expect(json).toMatchObject({
      id: made.id,
      name: 'laptop',
      limit: 5,
      usage: 0.006,
      keySuffix: key.slice(-4),
      keyPrefix: key.slice(0, 12),
      former_expires_at: new Date(clock.nowMs() + hourMs).toISOString(),
    })
    expect(key).not.toBe(made.key)
    expect([await world.spend({ key }), await world.spend(made)]).toEqual([200, 200])
    const listed = keyIn(await world.send(manager, 'GET', '/v1/keys'), made.id)
    expect(listed).toMatchObject({ keySuffix: key.slice(-4), requestCount: 3, usage: 0.018 })
    clock.forward(hourMs - 1)
    expect(await world.spend(made)).toBe(200)
    clock.forward(1)
    expect([await world.spend({ key }), await world.spend(made)]).toEqual([200, 401])
  })

  it('ends the former secret at once without an overlap', async () => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager)
    expect(await world.spend(made)).toBe(200)
    const { key, json } = await rotate(manager, made.id, { overlap_seconds: 0 })
    expect(json.former_expires_at).toBeNull()
    expect([await world.spend({ key }), await world.spend(made)]).toEqual([200, 401])
  })

  it('ends the older of two secrets when it is rotated again', async () => {
    const manager = await world.manager()
    const first = await createKeyOver(world, manager)
    const second = await rotate(manager, first.id, { overlap_seconds: 604_800 })
    expect(await world.spend(first)).toBe(200)
    const third = await rotate(manager, first.id)
    expect([await world.spend(first), await world.spend(second), await world.spend(third)]).toEqual([401, 200, 200])
  })

  it.each([
    ['deleted', 'DELETE', undefined],
    ['disabled', 'PATCH', { enabled: false }],
  ])('leaves a key that is %s no secret', async (_what, method, body) => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager)
    const { key } = await rotate(manager, made.id)
    expect([await world.spend({ key }), await world.spend(made)]).toEqual([200, 200])
    expect((await world.send(manager, method, `/v1/keys/${made.id}`, body)).status).toBeLessThan(300)
    expect([await world.spend({ key }), await world.spend(made)]).toEqual([401, 401])
  })

  it('lets no secret outlive the key', async () => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager, { expires_at: new Date(clock.nowMs() + 60_000).toISOString() })
    const { key } = await rotate(manager, made.id)
    clock.forward(60_000)
    expect([await world.spend({ key }), await world.spend(made)]).toEqual([401, 401])
  })

  it('is told by the audit log, without a secret', async () => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager)
    const { key } = await rotate(manager, made.id, { overlap_seconds: 0 })
    const entries = await world.auditOf(made.id)
    expect(entries[1]).toMatchObject({
      action: 'key.rotate',
      actor_id: manager.keyId,
      before: { keySuffix: made.key.slice(-4) },
      after: { keySuffix: key.slice(-4), formerSecretUntil: null },
    })
    expect(JSON.stringify(entries)).not.toContain(key)
  })

  it.each([{ overlap_seconds: -1 }, { overlap_seconds: 604_801 }, { overlap_seconds: 1.5 }, { overlap_seconds: '60' }])(
    'refuses %j and changes nothing',
    async (body) => {
      const manager = await world.manager()
      const made = await createKeyOver(world, manager)
      expect((await world.send(manager, 'POST', `/v1/keys/${made.id}/rotate`, body)).status).toBe(400)
      expect(await world.spend(made)).toBe(200)
      expect(await world.auditOf(made.id)).toHaveLength(1)
    },
  )

  it("gives an organization's key a new secret, by those who may change it", async () => {
    const { id: organizationId } = await world.createOrganization()
    const admin = await world.addMember(organizationId, { role: 'org_admin' })
    const viewer = await world.addMember(organizationId, { role: 'billing_viewer' })
    const made = await world.addOrganizationKey(organizationId)
    const path = `/v1/orgs/${organizationId}/keys/${made.keyId}/rotate`
    expect((await world.send({ cookie: await world.signIn(viewer.userId) }, 'POST', path, {})).status).toBe(403)
    const { json } = await world.send({ cookie: await world.signIn(admin.userId) }, 'POST', path, {})
    expect([await world.spend({ key: String(json.key) }), await world.spend(made)]).toEqual([200, 200])
  })
})
