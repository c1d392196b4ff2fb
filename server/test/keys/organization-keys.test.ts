import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Credential } from '#test/setup/client.ts'
import { createKeyOver, idsIn, keyIn, type KeyWorld, startKeyWorld } from './key-world.ts'

/** An organization with two teams, a member in each, and the administrators' sessions. */
interface Company {
  id: string
  walletId: string
  keys: string
  admin: { memberId: string; userId: string; session: Credential }
  teams: [Team, Team]
}
interface Team {
  teamId: string
  admin: { memberId: string; userId: string; session: Credential }
  member: { memberId: string; userId: string; walletId: string; email: string }
}

describe("an organization's keys", () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld()
  })
  afterAll(() => world.close())

  async function signedIn<Person extends { userId: string }>(
    person: Person,
  ): Promise<Person & { session: Credential }> {
    return { ...person, session: { cookie: await world.signIn(person.userId) } }
  }

  async function addTeam(organizationId: string): Promise<Team> {
    const { teamId } = await world.addTeam(organizationId)
    const admin = await signedIn(await world.addMember(organizationId, { role: 'team_admin', teamId }))
    return { teamId, admin, member: await world.addMember(organizationId, { teamId }) }
  }

  async function createCompany(): Promise<Company> {
    const { id, walletId } = await world.createOrganization()
    const admin = await signedIn(await world.addMember(id, { role: 'org_admin' }))
    return { id, walletId, keys: `/v1/orgs/${id}/keys`, admin, teams: [await addTeam(id), await addTeam(id)] }
  }

  it("[ACCT-13] are paid from the organization's wallet, which is the one they show", async () => {
    const company = await createCompany()
    const { member } = company.teams[0]
    await world.credit(member.walletId, '7')
    const made = await createKeyOver(world, company.admin.session, { memberId: member.memberId }, company.keys)
    expect(await world.spend(made)).toBe(200)
    expect(await world.walletOf(company.walletId)).toMatchObject({ balance: '24.994' })
    expect(await world.walletOf(member.walletId)).toMatchObject({ balance: '7', charged: '0' })
    expect(await world.get(made, '/v1/credits')).toEqual({ total_credits: 25, total_usage: 0.006 })
    expect(await world.get(made, '/v1/key')).toMatchObject({ limit_remaining: 24.994, usage: 0.006 })
  })

  it('say whose they are', async () => {
    const company = await createCompany()
    const [{ teamId, member }] = company.teams
    const { json } = await createKeyOver(
      world,
      company.admin.session,
      { memberId: member.memberId, teamId, name: 'both', limit: 3 },
      company.keys,
    )
    const place = {
      organizationId: company.id,
      workspace_id: company.id,
      memberId: member.memberId,
      teamId,
      member: { id: member.memberId, name: expect.any(String), email: member.email },
      team: { id: teamId, name: expect.any(String) },
      shared: false,
    }
    const terms = { name: 'both', limit: 3, keyType: 'standard', creator_user_id: company.admin.userId }
    expect(json).toMatchObject({ ...place, ...terms, data: { ...place, ...terms } })
    const { rows } = await world.pool.query('SELECT user_id FROM api_keys WHERE id = $1', [json.id])
    expect(rows).toEqual([{ user_id: member.userId }])
    const shared = await createKeyOver(world, company.admin.session, { shared: true }, company.keys)
    expect(shared.json).toMatchObject({ organizationId: company.id, memberId: null, teamId: null, shared: true })
    const list = await world.send(company.admin.session, 'GET', company.keys)
    expect(idsIn(list)).toEqual([shared.id, json.id])
    expect(list.json.total_count).toBe(2)
    expect(keyIn(list, String(json.id))).toMatchObject({ ...place, ...terms })
    expect(idsIn(await world.send({ cookie: await world.signIn(member.userId) }, 'GET', '/v1/keys'))).toEqual([])
  })

  it('are changed and deleted by their id, and nobody else is answered for them', async () => {
    const [company, other] = [await createCompany(), await createCompany()]
    const made = await createKeyOver(world, company.admin.session, { shared: true }, company.keys)
    const path = `${company.keys}/${made.id}`
    const { session } = company.admin
    expect((await world.send(session, 'PATCH', path, { enabled: false })).json).toMatchObject({
      updated: true,
      data: { id: made.id, enabled: false, organizationId: company.id },
    })
    expect(await world.spend(made)).toBe(401)
    await world.send(session, 'PATCH', path, { disabled: false })
    expect(await world.spend(made)).toBe(200)
    for (const stranger of [other.admin.session, await world.manager()]) {
      for (const elsewhere of [path, `${other.keys}/${made.id}`]) {
        expect((await world.send(stranger, 'DELETE', elsewhere)).status).toBe(404)
      }
    }
    expect((await world.send(session, 'PATCH', `${company.keys}/nonsense`, {})).status).toBe(404)
    expect((await world.send(session, 'DELETE', path)).status).toBe(204)
    expect(await world.spend(made)).toBe(401)
    expect((await world.send(session, 'DELETE', path)).status).toBe(404)
    const entries = await world.auditOf(made.id)
    const [created, ...rest] = entries
    expect(created).toMatchObject({ chain_id: company.id, actor_kind: 'user', actor_id: company.admin.userId })
    expect(rest.map(({ action, chain_id }) => [action, chain_id])).toEqual(
      ['key.update', 'key.update', 'key.delete'].map((action) => [action, company.id]),
    )
  })

  it.each([
    ['the team', 'DELETE FROM teams WHERE id = $1'],
    ["the member's place in it", 'UPDATE members SET team_id = NULL WHERE team_id = $1'],
  ])('for a team stop working when %s ends', async (_what, statement) => {
    const company = await createCompany()
    const [{ teamId, member }] = company.teams
    const { session } = company.admin
    const bound = await createKeyOver(world, session, { memberId: member.memberId, teamId }, company.keys)
    const own = await createKeyOver(world, session, { memberId: member.memberId }, company.keys)
    expect([await world.spend(bound), await world.spend(own)]).toEqual([200, 200])
    await world.pool.query("UPDATE members SET role = 'member' WHERE team_id = $1", [teamId])
    await world.pool.query(statement, [teamId])
    // The same announcement as for the change itself.
    await world.send(session, 'PATCH', `${company.keys}/${bound.id}`, { limit: 9 })
    expect([await world.spend(bound), await world.spend(own)]).toEqual([401, 200])
  })

  it('are not made for somebody who is being removed', async () => {
    const company = await createCompany()
    const { session } = company.admin
    for (const { member, teamId } of company.teams) {
      const wishes = [{ memberId: member.memberId }, { memberId: member.memberId, teamId }, { teamId }]
      const rounds = [...wishes, ...wishes, ...wishes]
      const organization = `/v1/orgs/${company.id}`
      const [removed, ended, ...answers] = await Promise.all([
        world.send(session, 'DELETE', `${organization}/members/${member.memberId}`),
        world.send(session, 'DELETE', `${organization}/teams/${teamId}`),
        ...rounds.map((wish) => world.send(session, 'POST', company.keys, { name: 'late', ...wish })),
      ])
      expect([removed.status, ended.status]).toEqual([204, 204])
      expect(answers.filter(({ status }) => ![201, 400, 404].includes(status))).toEqual([])
    }
    expect(idsIn(await world.send(session, 'GET', company.keys))).toEqual([])
  })

  it('are refused where member or team do not fit', async () => {
    const company = await createCompany()
    const [first, second] = company.teams
    const foreign = await createCompany()
    for (const [body, message] of [
      [{ memberId: foreign.teams[0].member.memberId }, 'memberId: member not found'],
      [{ memberId: 'nonsense' }, 'memberId: member not found'],
      [{ memberId: 5 }, 'memberId must be a string'],
      [{ teamId: foreign.teams[0].teamId }, 'teamId: team not found'],
      [{ memberId: first.member.memberId, teamId: second.teamId }, 'is not in this team'],
      [{ keyType: 'management', memberId: first.member.memberId }, 'Remove memberId, teamId and shared'],
      [{ keyType: 'management', shared: true }, 'Remove memberId, teamId and shared'],
      [{}, 'Send memberId or teamId, or shared: true'],
      [{ shared: false }, 'Send memberId or teamId, or shared: true'],
      [{ shared: true, teamId: first.teamId }, 'A shared key has no member and no team'],
      [{ shared: 'yes' }, 'shared must be true or false'],
      [{ keyType: 'institution' }, 'keyType must be standard or management'],
    ] as const) {
      const answer = await world.send(company.admin.session, 'POST', company.keys, { name: 'x', ...body })
      expect([answer.status, answer.message], JSON.stringify(body)).toEqual([400, expect.stringContaining(message)])
    }
  })

  it("administrators of a team see and change their team's alone", async () => {
    const company = await createCompany()
    const [own, other] = company.teams
    const { session } = own.admin
    const made = {
      team: await createKeyOver(world, session, { teamId: own.teamId }, company.keys),
      member: await createKeyOver(world, session, { memberId: own.member.memberId }, company.keys),
      other: await createKeyOver(world, company.admin.session, { teamId: other.teamId }, company.keys),
      shared: await createKeyOver(world, company.admin.session, { shared: true }, company.keys),
    }
    expect(idsIn(await world.send(session, 'GET', company.keys))).toEqual([made.member.id, made.team.id])
    for (const [key, status] of [
      [made.team, 200],
      [made.member, 200],
      [made.other, 403],
      [made.shared, 403],
    ] as const) {
      expect((await world.send(session, 'PATCH', `${company.keys}/${key.id}`, { limit: 1 })).status).toBe(status)
    }
    for (const body of [
      {},
      { shared: true },
      { teamId: other.teamId },
      { memberId: other.member.memberId },
      { memberId: company.admin.memberId },
      { memberId: own.member.memberId, teamId: other.teamId },
      { keyType: 'management' },
      { keyType: 'management', teamId: own.teamId },
    ]) {
      const { status } = await world.send(session, 'POST', company.keys, { name: 'x', ...body })
      expect(status, JSON.stringify(body)).toBe(403)
    }
    expect((await world.send(session, 'DELETE', `${company.keys}/${made.other.id}`)).status).toBe(403)
    expect((await world.send(session, 'DELETE', `${company.keys}/${made.team.id}`)).status).toBe(204)
  })

  it('are found by member, team and as shared, within the reach of the role', async () => {
    const company = await createCompany()
    const [first, second] = company.teams
    const make = (body: object) => createKeyOver(world, company.admin.session, { ...body }, company.keys)
    const ofMember = await make({ memberId: first.member.memberId })
    const ofTeam = await make({ teamId: first.teamId })
    const shared = await make({ shared: true })
    const found = async (session: Credential, query: string) =>
      idsIn(await world.send(session, 'GET', `${company.keys}?${query}`))
    const { session } = company.admin
    expect(await found(session, `member_id=${first.member.memberId}`)).toEqual([ofMember.id])
    expect(await found(session, `team_id=${first.teamId}&limit=5`)).toEqual([ofTeam.id, ofMember.id])
    expect(await found(session, `team_id=${second.teamId}`)).toEqual([])
    expect(await found(session, 'shared=true')).toEqual([shared.id])
    expect(await found(first.admin.session, `team_id=${second.teamId}`)).toEqual([])
    expect(await found(second.admin.session, `member_id=${first.member.memberId}`)).toEqual([])
    const foreign = await createCompany()
    expect(await found(foreign.admin.session, `member_id=${first.member.memberId}`)).toEqual([])
    expect((await world.send(session, 'GET', `${company.keys}?member_id=ada`)).status).toBe(400)
    const ofItsMember = keyIn(await world.send(session, 'GET', company.keys), ofMember.id)
    expect(ofItsMember).toMatchObject({ teamId: null, team: { id: first.teamId }, shared: false })
  })

  it('plain members see none, and those who watch the bill change none', async () => {
    const company = await createCompany()
    const made = await createKeyOver(world, company.admin.session, { shared: true }, company.keys)
    const member = await signedIn(company.teams[0].member)
    const viewer = await signedIn(await world.addMember(company.id, { role: 'billing_viewer' }))
    expect((await world.send(member.session, 'GET', company.keys)).status).toBe(403)
    expect((await world.send(member.session, 'POST', company.keys, { name: 'x' })).status).toBe(403)
    expect(idsIn(await world.send(viewer.session, 'GET', company.keys))).toEqual([made.id])
    expect((await world.send(viewer.session, 'POST', company.keys, { name: 'x' })).status).toBe(403)
    expect((await world.send(viewer.session, 'DELETE', `${company.keys}/${made.id}`)).status).toBe(403)
  })
})

describe('a management key of an organization', () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld()
  })
  afterAll(() => world.close())

  async function createManaged() {
    const organization = await world.createOrganization()
    const admin = await world.addMember(organization.id, { role: 'org_admin' })
    const session = { cookie: await world.signIn(admin.userId) }
    const path = `/v1/orgs/${organization.id}/keys`
    const manager = await createKeyOver(world, session, { keyType: 'management' }, path)
    return { organization, admin, session, path, manager }
  }

  it('acts for whoever made it, and cannot call models', async () => {
    const { organization, admin, manager } = await createManaged()
    expect(manager.json).toMatchObject({ keyType: 'management', organizationId: organization.id, teamId: null })
    expect(manager.json).toMatchObject({ memberId: admin.memberId, creator_user_id: admin.userId })
    expect(await world.spend(manager)).toBe(403)
  })

  it('makes no other management key, and neither does that of a person', async () => {
    const { admin, path, manager } = await createManaged()
    const personal = await world.addKey(admin.userId, { type: 'management' })
    for (const key of [manager, personal]) {
      const made = await createKeyOver(world, key, { keyType: 'management', shared: true }, path)
      expect(made.json).toMatchObject({ keyType: 'standard', memberId: null })
    }
  })

  it("[KEY-01] manages the organization's keys at /v1/keys, not the person's", async () => {
    const { organization, admin, manager } = await createManaged()
    await world.addKey(admin.userId)
    const made = await createKeyOver(world, manager, { keyType: 'management', memberId: admin.memberId })
    expect(made.json).toMatchObject({ keyType: 'standard', organizationId: organization.id, memberId: null })
    expect(made.json).toMatchObject({ creator_user_id: admin.userId })
    expect(idsIn(await world.send(manager, 'GET', '/v1/keys'))).toEqual([made.id, manager.id])
    expect(await world.spend(made)).toBe(200)
    expect(await world.walletOf(organization.walletId)).toMatchObject({ charged: '0.006' })
    const path = `/v1/keys/${made.id}`
    expect((await world.send(manager, 'PATCH', path, { limit: 1 })).data).toMatchObject({ limit: 1 })
    expect((await world.send(manager, 'DELETE', path)).status).toBe(204)
    expect(await world.spend(made)).toBe(401)
    const personal = await world.addKey(admin.userId)
    expect((await world.send(manager, 'DELETE', `/v1/keys/${personal.keyId}`)).status).toBe(404)
  })

  it('manages nothing any more once its person is no administrator there', async () => {
    const { organization, admin, path, manager } = await createManaged()
    const made = await createKeyOver(world, manager)
    await world.addMember(organization.id, { role: 'org_admin' })
    for (const role of ['member', 'billing_viewer']) {
      await world.pool.query('UPDATE members SET role = $2 WHERE id = $1', [admin.memberId, role])
      for (const [method, where] of [
        ['GET', '/v1/keys'],
        ['POST', '/v1/keys'],
        ['PATCH', `/v1/keys/${made.id}`],
        ['DELETE', `/v1/keys/${made.id}`],
        ['GET', path],
        ['DELETE', `${path}/${made.id}`],
      ] as const) {
        const bodies = { GET: undefined, POST: { name: 'x' }, PATCH: { enabled: false }, DELETE: {} }
        const body = bodies[method]
        expect((await world.send(manager, method, where, body)).status, `${role} ${method} ${where}`).toBe(403)
      }
    }
    expect(await world.spend(made)).toBe(200)
  })

  it('ends with the membership of its person', async () => {
    const { organization, admin, manager } = await createManaged()
    expect((await world.send(manager, 'GET', '/v1/credits')).status).toBe(200)
    await world.pool.query('DELETE FROM members WHERE id = $1', [admin.memberId])
    // A process that has not received the message yet still rejects management.
    expect((await world.send(manager, 'GET', '/v1/keys')).status).toBe(403)
    const other = await world.addMember(organization.id, { role: 'org_admin' })
    const session = { cookie: await world.signIn(other.userId) }
    await world.send(session, 'PATCH', `/v1/orgs/${organization.id}/keys/${manager.id}`, { limit: 1 })
    expect((await world.send(manager, 'GET', '/v1/credits')).status).toBe(401)
  })

  it('is no business of the administrator of a team that its person is in', async () => {
    const { organization, admin, manager, path } = await createManaged()
    const { teamId } = await world.addTeam(organization.id)
    await world.pool.query('UPDATE members SET team_id = $2 WHERE id = $1', [admin.memberId, teamId])
    const lead = await world.addMember(organization.id, { role: 'team_admin', teamId })
    const session = { cookie: await world.signIn(lead.userId) }
    expect(idsIn(await world.send(session, 'GET', path))).toEqual([])
    expect((await world.send(session, 'PATCH', `${path}/${manager.id}`, { enabled: false })).status).toBe(403)
    expect((await world.send(manager, 'GET', '/v1/keys')).status).toBe(200)
  })

  it('is refused a wallet of its own person, and another organization', async () => {
    const { admin, manager } = await createManaged()
    const other = await world.createOrganization()
    await world.addMember(other.id, { userId: admin.userId, role: 'org_admin' })
    expect((await world.send(manager, 'GET', `/v1/orgs/${other.id}/keys`)).status).toBe(404)
  })
})
