import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type OrganizationWorld, startOrganizationWorld, type TestHome } from './organization-world.ts'

let world: OrganizationWorld
let home: TestHome

beforeAll(async () => {
  world = await startOrganizationWorld()
})
beforeEach(async () => {
  home = await world.newOrganization()
})
afterAll(() => world.close())

const importing = (body: JsonObject, client = home.admin): Promise<Reply> =>
  client.post(`${home.path}/members/import`, body)
const outcomesOf = ({ data }: Reply): unknown[] =>
  (data['rows'] as JsonObject[]).map(({ row, outcome }) => `${row} ${outcome}`)
const reasonsOf = ({ data }: Reply): unknown[] => (data['rows'] as JsonObject[]).map(({ reason }) => reason)

async function newAddress(): Promise<string> {
  const { userId } = await world.createClient({ usd: '0' })
  const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
  return rows[0]?.email ?? ''
}

/** All members and open invitations, as a comparison of before and after. */
async function everyone(): Promise<unknown[]> {
  const members = (await home.admin.get(`${home.path}/members`)).list
  const invitations = (await home.admin.get(`${home.path}/invitations?limit=100`)).list
  return [...members, ...invitations]
}

describe('an import', () => {
  it('invites, changes and leaves alone, and a dry run changes nothing', async () => {
    const { teamId } = await world.addTeam(home.id, { name: 'Lab' })
    const known = await newAddress()
    const same = await world.addMember(home.id, { teamId, monthlyBudgetUsd: '5' })
    const other = await world.addMember(home.id, { monthlyBudgetUsd: '5' })
    const csv = [
      'Email,Name,Role,Team,Monthly budget',
      `${known},Ada,team_admin,LAB,12.5`,
      'new@example.org,Grace,,lab,0.000000001',
      `${same.email.toUpperCase()},,member,Lab,$5`,
      `${other.email},,,none,7`,
      'nowhere@example.org,,,Nowhere,1',
      'no address,,,,',
      'role@example.org,,owner,,',
      'NEW@example.org,,,,',
      'much@example.org,,,,much',
    ].join('\r\n')
    const before = await everyone()
    const dry = await importing({ csv, dryRun: true })
    expect(dry.status).toBe(200)
    const expected = [
      '2 invite',
      '3 invite',
      '4 unchanged',
      '5 change',
      '6 error',
      '7 error',
      '8 error',
      '9 error',
      '10 error',
    ]
    expect(outcomesOf(dry)).toEqual(expected)
    expect(reasonsOf(dry).slice(4)).toEqual([
      'Team Nowhere does not exist.',
      'This is not an email address.',
      'The role must be one of org_admin, billing_viewer, team_admin, member.',
      'Row 3 has the same address.',
      'The monthly budget must be an amount in USD, such as 25 or 12.50, or none.',
    ])
    expect(dry.data).toMatchObject({ counts: { invite: 2, change: 1, unchanged: 1, error: 5 }, newTeams: [] })
    expect(await everyone()).toEqual(before)
    const done = await importing({ csv })
    expect(outcomesOf(done)).toEqual(expected)
    expect(done.data['maximumCost']).toEqual(dry.data['maximumCost'])
    const members = await home.admin.get(`${home.path}/members`)
    expect(members.list.find(({ id }) => id === other.memberId)).toMatchObject({ team: null, monthlyBudget: 7 })
    const invited = (await home.admin.get(`${home.path}/invitations`)).list
    expect(invited).toHaveLength(2)
    expect(invited).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: known, name: 'Ada', role: 'team_admin', monthlyBudget: 12.5 }),
        expect.objectContaining({ email: 'new@example.org', name: 'Grace', monthlyBudget: 0.000000001 }),
      ]),
    )
    for (const { team } of invited) expect(team).toMatchObject({ id: teamId })
    const log = await world.auditOf(home.id)
    expect(log.map(({ action }) => action)).toEqual(['invitation.create', 'invitation.create', 'org_member.update'])
    expect(JSON.stringify(log)).not.toContain('new@example.org')
  })

  it('changes only what differs when it is repeated', async () => {
    const { email: known } = await world.addMember(home.id)
    const rows = [
      { email: known, monthly_budget: 3 },
      { email: 'b@example.org', role: 'billing_viewer', monthlyBudget: '4.5' },
    ]
    await importing({ rows })
    const [before, entries] = [await everyone(), await world.auditOf(home.id)]
    expect(outcomesOf(await importing({ rows }))).toEqual(['1 unchanged', '2 unchanged'])
    expect(await everyone()).toEqual(before)
    expect(await world.auditOf(home.id)).toEqual(entries)
    const changed = [{ email: known }, { email: 'b@example.org', monthly_budget: null }]
    expect(outcomesOf(await importing({ rows: changed }))).toEqual(['1 unchanged', '2 change'])
    expect((await home.admin.get(`${home.path}/invitations`)).list).toMatchObject([
      { email: 'b@example.org', role: 'billing_viewer', monthlyBudget: null },
    ])
  })

  it('creates teams when asked, with their cost centre, and in a dry run only names them', async () => {
    const rows = [
      { email: 'a@example.org', team: 'New', cost_centre: 'CC-1' },
      { email: 'b@example.org', team: 'new' },
      { email: 'c@example.org', team: 'new', cost_centre: 'CC-2' },
    ]
    expect(outcomesOf(await importing({ rows }))).toEqual(['1 error', '2 error', '3 error'])
    const dry = await importing({ rows, createTeams: true, dryRun: true })
    expect(dry.data).toMatchObject({ newTeams: ['New'], counts: { invite: 2, error: 1 } })
    expect((await home.admin.get(`${home.path}/teams`)).list).toEqual([])
    const done = await importing({ rows, createTeams: true })
    expect(outcomesOf(done)).toEqual(['1 invite', '2 invite', '3 error'])
    expect(reasonsOf(done)[2]).toBe('Team New has the cost centre CC-1, not CC-2.')
    expect((await home.admin.get(`${home.path}/teams`)).list).toMatchObject([{ name: 'New', costCenterCode: 'CC-1' }])
  })

  it('gives defaults of the team and the organization', async () => {
    const { teamId } = await world.addTeam(home.id, { name: 'Lab' })
    await home.admin.patch(home.path, { defaultMonthlyBudget: 9 })
    await home.admin.patch(`${home.path}/teams/${teamId}`, { defaultMonthlyBudget: 2 })
    const rows = [
      { email: 'a@example.org' },
      { email: 'b@example.org', team: 'Lab' },
      { email: 'c@example.org', monthly_budget: null },
    ]
    await importing({ rows })
    const { list } = await home.admin.get(`${home.path}/invitations`)
    const budgets = Object.fromEntries(list.map(({ email, monthlyBudget }) => [email, monthlyBudget]))
    expect(budgets).toEqual({ 'a@example.org': 9, 'b@example.org': 2, 'c@example.org': null })
  })

  it.each([
    [null, 10, { memberBudgets: 31, withoutBudget: 1, monthly: null }],
    [1_000, 10, { memberBudgets: 31, withoutBudget: 1, monthly: 1_000 }],
    [1_000, null, { memberBudgets: 21, withoutBudget: 2, monthly: 1_000 }],
    [20, 10, { memberBudgets: 31, withoutBudget: 1, monthly: 20 }],
  ])(
    'tells the maximum cost with an organization budget of %s and a row of %s',
    async (monthlyBudget, row, maximum) => {
      await home.admin.patch(home.path, { monthlyBudget })
      await world.addMember(home.id, { monthlyBudgetUsd: '20' })
      const suspended = await world.addMember(home.id, { monthlyBudgetUsd: '500' })
      await home.admin.patch(`${home.path}/members/${suspended.memberId}`, { suspended: true })
      const rows = [
        { email: 'a@example.org', monthly_budget: row },
        { email: 'b@example.org', monthly_budget: 1 },
      ]
      expect((await importing({ rows, dryRun: true })).data['maximumCost']).toEqual(maximum)
      expect((await importing({ rows })).data['maximumCost']).toEqual(maximum)
    },
  )

  it('keeps the last administrator', async () => {
    const done = await importing({ rows: [{ email: home.adminMember.email, role: 'member' }] })
    expect(outcomesOf(done)).toEqual(['1 error'])
    expect(reasonsOf(done)).toEqual([expect.stringMatching(/last org_admin/)])
  })

  it('answers the same for addresses with and without an account, and asks for no account', async () => {
    const other = await world.newOrganization()
    const unconfirmed = await newAddress()
    await world.pool.query('UPDATE users SET email_verified = false WHERE email = $1', [unconfirmed])
    const emails = [await newAddress(), unconfirmed, (await world.addMember(other.id)).email, 'free@example.org']
    for (const dryRun of [true, false]) {
      const rows = (await importing({ rows: emails.map((email) => ({ email })), dryRun })).data['rows'] as JsonObject[]
      const answers = rows.map(({ row: _row, email: _email, url, ...answer }) => ({ ...answer, hasUrl: url !== null }))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(answers[0]).toEqual({ outcome: 'invite', reason: null, hasUrl: !dryRun })
    }
    expect((await home.admin.get(`${home.path}/members`)).list).toHaveLength(1)
    expect((await importing({ rows: [] }, other.admin)).status).toBe(404)
  })

  it('is bounded by the rights of a team admin', async () => {
    const { teamId } = await world.addTeam(home.id, { name: 'Own' })
    await world.addTeam(home.id, { name: 'Other' })
    const foreign = await world.addMember(home.id)
    const lead = await world.addMember(home.id, { role: 'team_admin', teamId })
    const session = world.as(await world.signIn(lead.userId))
    const rows = [
      { email: 'a@example.org' },
      { email: 'b@example.org', team: 'Other' },
      { email: 'c@example.org', role: 'org_admin' },
      { email: foreign.email, monthly_budget: 1 },
      { email: 'd@example.org', team: 'Unknown' },
    ]
    const done = await importing({ rows, createTeams: true }, session)
    expect(outcomesOf(done)).toEqual(['1 invite', '2 error', '3 error', '4 error', '5 error'])
    expect((await session.get(`${home.path}/invitations`)).list).toMatchObject([{ team: { id: teamId } }])
  })

  it('takes 5,000 rows and no more', async () => {
    const rows = Array.from({ length: 5_001 }, (_, n) => ({ email: `p${n}@example.org`, monthly_budget: 0.1 }))
    expect((await importing({ rows, dryRun: true })).status).toBe(400)
    const dry = await importing({ rows: rows.slice(1), dryRun: true })
    expect(dry.data).toMatchObject({ counts: { invite: 5_000 }, maximumCost: { memberBudgets: 500 } })
  })

  it.each<JsonObject>([
    {},
    { rows: 'a@example.org' },
    { rows: ['a@example.org'] },
    { rows: [{ email: 'a@example.org', colour: 'red' }] },
    { csv: 5 },
    { csv: 'name\nAda' },
    { csv: 'email,"name\nAda' },
    { csv: 'email,colour\na@example.org,red' },
    { rows: [], dryRun: 'yes' },
  ])('refuses %j', async (body) => {
    expect((await importing(body)).status).toBe(400)
  })
})
