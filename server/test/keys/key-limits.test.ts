import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { createKeyOver, type KeyWorld, startKeyWorld } from './key-world.ts'

describe('GET /v1/keys/{id}/limits', () => {
  const clock = createTestClock('2027-03-10T12:00:00Z')
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld({ nowMs: clock.nowMs })
  })
  afterAll(() => world.close())

  async function limitsAt(as: Parameters<KeyWorld['send']>[0], path: string) {
    const { status, json, text } = await world.send(as, 'GET', path)
    expect(status, text).toBe(200)
    const data = isJsonObject(json.data) ? json.data : {}
    const limits = Array.isArray(data.limits) ? data.limits.filter(isJsonObject) : []
    return { effective: data.effective, lefts: limits.map(({ scope, window, left }) => [scope, window, left]) }
  }

  it('names the cap of the key, or the wallet where that has less', async () => {
    const manager = await world.manager('25')
    const made = await createKeyOver(world, manager, { limit: 2, limit_reset: 'daily' })
    await world.spend(made)
    const path = `/v1/keys/${made.id}/limits`
    const first = await limitsAt(manager, path)
    expect(first.effective).toEqual({
      scope: 'key',
      window: 'day',
      owner_id: made.id,
      is_breaker: false,
      limit: 2,
      taken: 0.006,
      left: 1.994,
      resets_at: '2027-03-11T00:00:00.000Z',
    })
    expect(first.lefts).toEqual([
      ['wallet', null, 24.994],
      ['key', 'day', 1.994],
    ])
    await world.send(manager, 'PATCH', `/v1/keys/${made.id}`, { limit: 100 })
    const second = await limitsAt(manager, path)
    expect(second.effective).toMatchObject({ scope: 'wallet', owner_id: manager.walletId, limit: 24.994, taken: 0 })
  })

  it('counts what is held, and windows in which nothing was held yet', async () => {
    const manager = await world.manager('25')
    const made = await createKeyOver(world, manager)
    await world.spend(made)
    await world.send(manager, 'PATCH', `/v1/keys/${made.id}`, { limit: 1, limit_reset: 'weekly' })
    world.upstream.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'held' }, { do: 'close' }] })
    const before = await limitsAt(manager, `/v1/keys/${made.id}/limits`)
    expect(before.lefts).toEqual([
      ['wallet', null, 24.994],
      ['key', 'week', 0.994],
    ])
    const answer = world.call(made, { max_tokens: 500 })
    await world.upstream.waitForGate('held')
    const during = await limitsAt(manager, `/v1/keys/${made.id}/limits`)
    expect(during.lefts).toEqual([
      ['wallet', null, 24.987985],
      ['key', 'week', 0.987985],
    ])
    world.upstream.release('held')
    await answer
    await world.settled()
  })

  it('names the tightest of member, team and organization, and shows breakers beside it', async () => {
    const { id: organizationId } = await world.createOrganization({ usd: '50' })
    const { teamId } = await world.addTeam(organizationId)
    const admin = await world.addMember(organizationId, { role: 'org_admin' })
    const member = await world.addMember(organizationId, { role: 'member', teamId })
    const made = await world.addOrganizationKey(organizationId, { memberId: member.memberId })
    const session = { cookie: await world.signIn(admin.userId) }
    const at = `/v1/orgs/${organizationId}`
    const ok = async (method: string, path: string, body: Parameters<KeyWorld['send']>[3]) =>
      expect((await world.send(session, method, path, body)).status, path).toBe(200)
    await ok('PATCH', `${at}/members/${member.memberId}`, { monthlyBudget: 3 })
    await ok('PATCH', `${at}/teams/${teamId}`, { monthlyBudget: 2 })
    await ok('PATCH', at, { monthlyBudget: 4, weeklyBudget: 10 })
    await ok('PATCH', `/api${at.slice(3)}/circuit-breaker`, { cbEnabled: true, cbMinuteUsd: 1, cbHourlyUsd: 5 })
    await world.spend(made)
    const { effective, lefts } = await limitsAt(session, `${at}/keys/${made.keyId}/limits`)
    expect(effective).toMatchObject({ scope: 'team', window: 'month', owner_id: teamId, limit: 2, left: 1.994 })
    expect(effective).toMatchObject({ resets_at: '2027-04-01T00:00:00.000Z' })
    expect(lefts).toEqual(
      expect.arrayContaining([
        ['wallet', null, 49.994],
        ['member', 'month', 2.994],
        ['team', 'month', 1.994],
        ['organization', 'week', 9.994],
        ['organization', 'month', 3.994],
        ['organization', 'minute', 0.994],
        ['organization', 'hour', 4.994],
      ]),
    )
  })

  it('knows no key of others, none that never was, and none that has been deleted', async () => {
    const [manager, stranger] = [await world.manager(), await world.manager()]
    const made = await createKeyOver(world, manager)
    expect((await world.send(stranger, 'GET', `/v1/keys/${made.id}/limits`)).status).toBe(404)
    expect((await world.send(manager, 'GET', '/v1/keys/nothing/limits')).status).toBe(404)
    await world.send(manager, 'DELETE', `/v1/keys/${made.id}`)
    expect((await world.send(manager, 'GET', `/v1/keys/${made.id}/limits`)).status).toBe(404)
  })
})
