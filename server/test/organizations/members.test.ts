import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { type OrganizationWorld, startOrganizationWorld, type TestHome } from './organization-world.ts'

let world: OrganizationWorld
let home: TestHome
let members: string

beforeAll(async () => {
  world = await startOrganizationWorld()
})
beforeEach(async () => {
  home = await world.newOrganization()
  members = `${home.path}/members`
})
afterAll(() => world.close())

/** Creates a person with an account and without any organization. */
async function newUser(): Promise<{ userId: string; email: string }> {
  const { userId } = await world.createClient({ usd: '0' })
  const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
  return { userId, email: rows[0]?.email ?? '' }
}

describe('adding a member', () => {
  it('[MEMBER-02] [MEMBER-01] makes an existing user a member at once', async () => {
    const user = await newUser()
    const session = world.as(await world.signIn(user.userId))
    expect((await session.get('/v1/orgs')).list).toEqual([])
    const added = await home.admin.post(members, { email: ` ${user.email.toUpperCase()} ` })
    expect(added.status).toBe(201)
    expect(added.data).toEqual({
      id: expect.any(String),
      user: { id: user.userId, name: 'Test', email: user.email },
      team: null,
      role: 'member',
      joinedAt: expect.stringMatching(/Z$/),
      monthlyBudget: null,
      spendThisMonth: 0,
      heldThisMonth: 0,
      breaker: { cbEnabled: null, cbMinuteUsd: null, cbHourlyUsd: null },
      keyCount: 0,
      suspended: false,
    })
    expect((await session.get('/v1/orgs')).list).toMatchObject([{ id: home.id, role: 'member' }])
    expect((await home.admin.get(members)).json).toMatchObject({
      total_count: 2,
      data: [{ user: { id: home.adminMember.userId } }, added.data],
    })
    expect((await home.admin.get(`${members}/${added.data['id']}`)).data).toEqual(added.data)
    expect(await world.auditOf(home.id)).toMatchObject([
      { action: 'org_member.add', target_id: added.data['id'], after: { userId: user.userId, role: 'member' } },
    ])
  })

  it('[MEMBER-03] accepts every role', async () => {
    const { teamId } = await world.addTeam(home.id, { name: 'One' })
    for (const role of ['org_admin', 'billing_viewer', 'team_admin', 'member']) {
      const { email } = await newUser()
      const added = await home.admin.post(members, { email, role, teamId, monthlyBudget: 2.5 })
      expect(added.status, role).toBe(201)
      expect(added.data).toMatchObject({ role, team: { id: teamId, name: 'One' }, monthlyBudget: 2.5 })
    }
  })

  it('[MEMBER-03] [ORG-10] refuses other roles, and a body without an address', async () => {
    const { email } = await newUser()
    for (const role of ['owner', 'admin', 'ORG_ADMIN', '', null, 7, ['org_admin'], { org_admin: true }]) {
      expect((await home.admin.post(members, { email, role })).status, JSON.stringify(role)).toBe(400)
    }
    for (const body of [{}, { email: '' }, { email: 5 }, { email: null }, { email: [email] }]) {
      expect((await home.admin.post(members, body)).status, JSON.stringify(body)).toBe(400)
    }
    expect((await home.admin.post(members, { email, monthlyBudget: 'much' })).status).toBe(400)
    expect((await home.admin.post(members, { email, teamId: 5 })).status).toBe(400)
    expect((await home.admin.get(members)).json['total_count']).toBe(1)
  })

  it('[MEMBER-04] refuses a team_admin without a team', async () => {
    const { email } = await newUser()
    expect((await home.admin.post(members, { email, role: 'team_admin' })).status).toBe(400)
    expect((await home.admin.post(members, { email, role: 'team_admin', teamId: null })).status).toBe(400)
  })

  it('[MEMBER-05] answers 404 for an address without an account', async () => {
    const { userId } = await newUser()
    for (const email of ['nobody@example.com', userId, 'no address']) {
      expect((await home.admin.post(members, { email })).status, email).toBe(404)
    }
  })

  it('[MEMBER-05] answers 404 for an address that nobody has proven', async () => {
    const { userId, email } = await newUser()
    await world.pool.query('UPDATE users SET email_verified = false WHERE id = $1', [userId])
    expect((await home.admin.post(members, { email })).status).toBe(404)
    await world.pool.query('UPDATE users SET email_verified = true WHERE id = $1', [userId])
    expect((await home.admin.post(members, { email })).status).toBe(201)
  })

  it('[MEMBER-06] answers 409 for a present member, also when many ask at the same moment', async () => {
    const { email } = await newUser()
    const answers = await Promise.all(Array.from({ length: 6 }, () => home.admin.post(members, { email })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    expect((await home.admin.post(members, { email: home.adminMember.email, role: 'member' })).status).toBe(409)
    expect((await home.admin.get(members)).list[0]).toMatchObject({ role: 'org_admin' })
  })

  it('[TEAM-08] answers 404 for a team that is unknown or of another organization', async () => {
    const other = await world.newOrganization()
    const { teamId } = await world.addTeam(other.id)
    const { email } = await newUser()
    for (const id of [teamId, newUuid(Date.now()), 'nonsense']) {
      expect((await home.admin.post(members, { email, teamId: id })).status, id).toBe(404)
    }
  })

  it('stops with 409 when all seats are taken, also when many ask at the same moment', async () => {
    await world.pool.query('UPDATE organizations SET seats = 3 WHERE id = $1', [home.id])
    const users = await Promise.all(Array.from({ length: 5 }, () => newUser()))
    const answers = await Promise.all(users.map(({ email }) => home.admin.post(members, { email })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409])
    expect((await home.admin.get(home.path)).data).toMatchObject({ seats: { total: 3, used: 3 } })
  })

  it('takes nothing that is not its own to say', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const forged = { email: user.email, id: newUuid(0), userId: other.userId, user: other.userId, joinedAt: 'never' }
    const { data } = await home.admin.post(members, { ...forged, orgId: newUuid(0), organization_id: newUuid(0) })
    expect(data).toMatchObject({ user: { id: user.userId } })
    expect(data['id']).not.toBe(forged.id)
  })
})

describe('changing a member', () => {
  it('[MEMBER-07] changes role, team and budget, each alone', async () => {
    const { teamId } = await world.addTeam(home.id, { name: 'Two' })
    const { memberId } = await world.addMember(home.id)
    const path = `${members}/${memberId}`
    const { data: before } = await home.admin.get(path)
    const team = { id: teamId, name: 'Two' }
    expect((await home.admin.patch(path, { teamId })).data).toEqual({ ...before, team })
    expect((await home.admin.patch(path, { monthlyBudget: 0.5 })).data).toEqual({ ...before, team, monthlyBudget: 0.5 })
    const promoted = await home.admin.patch(path, { role: 'team_admin' })
    expect(promoted.data).toEqual({ ...before, team, monthlyBudget: 0.5, role: 'team_admin' })
    expect((await home.admin.patch(path, { monthlyBudget: null })).data).toMatchObject({ monthlyBudget: null })
    expect((await home.admin.patch(path, { role: 'billing_viewer', teamId: null })).data).toEqual({
      ...before,
      role: 'billing_viewer',
    })
    const entries = await world.auditOf(home.id)
    expect(entries.map(({ action }) => action)).toEqual(Array.from({ length: 5 }, () => 'org_member.update'))
    expect(entries[2]).toMatchObject({ before: { role: 'member' }, after: { role: 'team_admin' } })
    expect(entries[2]?.after).toEqual({ role: 'team_admin' })
  })

  it('[MEMBER-07] [ORG-10] refuses what it does not know, and changes nothing', async () => {
    const { memberId } = await world.addMember(home.id)
    const path = `${members}/${memberId}`
    const { data: before } = await home.admin.get(path)
    for (const body of [
      {},
      { role: 'owner' },
      { role: 'admin' },
      { role: null },
      { role: 'team_admin' },
      { teamId: 5 },
      { monthlyBudget: -1 },
      { monthlyBudget: '1' },
      { userId: newUuid(0) },
    ]) {
      expect((await home.admin.patch(path, body)).status, JSON.stringify(body)).toBe(400)
    }
    expect((await home.admin.patch(path, { teamId: newUuid(0) })).status).toBe(404)
    expect((await home.admin.get(path)).data).toEqual(before)
    expect(await world.auditOf(home.id)).toEqual([])
  })

  it('does not leave a team_admin without a team', async () => {
    const { teamId } = await world.addTeam(home.id)
    const { memberId } = await world.addMember(home.id, { role: 'team_admin', teamId })
    expect((await home.admin.patch(`${members}/${memberId}`, { teamId: null })).status).toBe(400)
    expect((await home.admin.patch(`${members}/${memberId}`, { teamId: null, role: 'member' })).status).toBe(200)
  })

  it.each(['another', 'none'])('P11: who leaves a team for %s ends the keys that were made for it', async (target) => {
    const [{ teamId }, other] = [await world.addTeam(home.id), await world.addTeam(home.id)]
    const next = target === 'none' ? null : other.teamId
    const { memberId } = await world.addMember(home.id, { teamId })
    const colleague = await world.addMember(home.id, { teamId })
    const teamKey = await world.addOrganizationKey(home.id, { memberId, teamId })
    const ownKey = await world.addOrganizationKey(home.id, { memberId })
    const othersKey = await world.addOrganizationKey(home.id, { memberId: colleague.memberId, teamId })
    const keys = [teamKey, ownKey, othersKey]
    expect(await Promise.all(keys.map(({ key }) => world.canCall(key)))).toEqual([200, 200, 200])
    await home.admin.patch(`${members}/${memberId}`, { monthlyBudget: 5 })
    expect(await world.canCall(teamKey.key)).toBe(200)
    expect((await home.admin.patch(`${members}/${memberId}`, { teamId: next })).status).toBe(200)
    expect(await Promise.all(keys.map(({ key }) => world.canCall(key)))).toEqual([401, 200, 200])
    expect((await world.auditOf(home.id)).at(-1)?.details).toEqual({ revokedKeyIds: [teamKey.keyId] })
  })

  it('[MEMBER-08] does not demote the last org_admin', async () => {
    const path = `${members}/${home.adminMember.memberId}`
    for (const body of [{ role: 'member' }, { role: 'billing_viewer', monthlyBudget: 1 }]) {
      expect((await home.admin.patch(path, body)).status).toBe(400)
    }
    expect((await home.admin.get(path)).data).toMatchObject({ role: 'org_admin', monthlyBudget: null })
    expect(await world.auditOf(home.id)).toEqual([])
    expect((await home.admin.patch(path, { monthlyBudget: 1 })).status).toBe(200)
    await world.addMember(home.id, { role: 'org_admin' })
    expect((await home.admin.patch(path, { role: 'member' })).status).toBe(200)
  })

  it('[MEMBER-08] [MEMBER-09] leaves one of two org_admins who go at the same moment', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const place = await world.newOrganization()
      const second = await world.addMember(place.id, { role: 'org_admin' })
      const { key } = await world.addKey(second.userId, { type: 'management' })
      const [first, last] = [place.adminMember.memberId, second.memberId]
      const isRemoval = turn % 2 === 0
      const answers = await Promise.all([
        place.admin.patch(`${place.path}/members/${last}`, { role: 'member' }),
        isRemoval
          ? world.as(key).delete(`${place.path}/members/${first}`)
          : world.as(key).patch(`${place.path}/members/${first}`, { role: 'billing_viewer' }),
      ])
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
      // The second request finds the last administrator, or has meanwhile lost the permission.
      expect([400, 403, 404]).toContain(answers.find(({ status }) => status >= 300)?.status)
      const { rows } = await world.pool.query(
        `SELECT id FROM members WHERE organization_id = $1 AND role = 'org_admin'`,
        [place.id],
      )
      expect(rows).toHaveLength(1)
    }
  })
})

describe('removing a member', () => {
  it('[MEMBER-09] refuses the last org_admin, and changes nothing', async () => {
    const { memberId } = home.adminMember
    const { key } = await world.addOrganizationKey(home.id, { memberId })
    expect((await home.admin.delete(`${members}/${memberId}`)).status).toBe(400)
    expect((await home.admin.get(members)).json['total_count']).toBe(1)
    expect(await world.canCall(key)).toBe(200)
    expect(await world.auditOf(home.id)).toEqual([])
  })

  it("[MEMBER-10] ends the membership and the organization's keys, and nothing of the person's own", async () => {
    const person = await world.createClient({ usd: '7' })
    const { memberId } = await world.addMember(home.id, { userId: person.userId })
    const other = await world.addMember(home.id)
    const key = await world.addOrganizationKey(home.id, { memberId })
    const management = await world.addOrganizationKey(home.id, { memberId, terms: { type: 'management' } })
    const othersKey = await world.addOrganizationKey(home.id, { memberId: other.memberId })
    expect(await world.canCall(key.key)).toBe(200)

    expect((await home.admin.delete(`${members}/${memberId}`)).status).toBe(204)

    expect(await world.canCall(key.key)).toBe(401)
    expect((await world.as(management.key).get('/v1/orgs')).status).toBe(401)
    expect(await world.canCall(othersKey.key)).toBe(200)
    expect(await world.canCall(person.key)).toBe(200)
    expect(await world.walletOf(person.walletId)).toMatchObject({ balance: '7' })
    expect((await world.as(person.key).get('/v1/orgs')).list).toEqual([])
    expect((await home.admin.get(`${members}/${memberId}`)).status).toBe(404)
    expect((await home.admin.delete(`${members}/${memberId}`)).status).toBe(404)
    expect((await world.auditOf(home.id)).at(-1)).toMatchObject({
      action: 'org_member.remove',
      target_id: memberId,
      before: { userId: person.userId, role: 'member' },
      details: { revokedKeyIds: expect.arrayContaining([key.keyId, management.keyId]) },
    })
    // A member who returns starts without the earlier settings.
    await world.addMember(home.id, { userId: person.userId })
    expect(await world.canCall(key.key)).toBe(401)
  })

  it('[MEMBER-10] of another organization answers 404', async () => {
    const other = await world.newOrganization()
    const { memberId } = await world.addMember(other.id)
    for (const id of [memberId, newUuid(Date.now()), 'nonsense']) {
      expect((await home.admin.delete(`${members}/${id}`)).status).toBe(404)
      expect((await home.admin.patch(`${members}/${id}`, { role: 'org_admin' })).status).toBe(404)
    }
    expect((await other.admin.get(`${other.path}/members`)).json['total_count']).toBe(2)
  })
})
