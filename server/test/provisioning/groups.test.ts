import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { patchBody, type ScimHome, type ScimWorld, startScimWorld } from './scim-world.ts'

let world: ScimWorld
beforeAll(async () => {
  world = await startScimWorld()
})
afterAll(() => world.close())

const newTeam = async (home: ScimHome, name: string): Promise<string> =>
  String((await home.admin.post(`${home.path}/teams`, { name })).data['id'])

async function map(home: ScimHome, ...mappings: { group: string; teamId: string | null; role: string }[]) {
  for (const [position, { group, teamId, role }] of mappings.entries()) {
    await world.pool.query(
      'INSERT INTO sign_on_groups (organization_id, group_name, position, team_id, role) VALUES ($1, $2, $3, $4, $5)',
      [home.id, group, position, teamId, role],
    )
  }
}

const newGroup = async (home: ScimHome, displayName: string, members: readonly unknown[] = []): Promise<JsonObject> => {
  const reply = await home.scim.post('/scim/v2/Groups', { displayName, members: members.map((value) => ({ value })) })
  expect({ status: reply.status, json: reply.json }).toMatchObject({ status: 201 })
  return reply.json
}

const change = (home: ScimHome, group: JsonObject, ...operations: JsonObject[]) =>
  home.scim.patch(`/scim/v2/Groups/${group['id']}`, patchBody(...operations))

const placeOf = async (home: ScimHome, id: unknown) => {
  const { data } = await home.admin.get(`${home.path}/members/${id}`)
  const team = data['team'] as JsonObject | null
  return [data['role'], team === null ? null : team['name'], data['monthlyBudget']]
}

const ids = (...members: string[]) => members.map((value) => ({ value }))

describe('members of a group', () => {
  it.each<[string, (a: string, b: string, c: string) => JsonObject[], string]>([
    ['added by Entra', (_a, _b, c) => [{ op: 'Add', path: 'members', value: ids(c) }], 'abc'],
    ['added twice', (a, _b, c) => [{ op: 'add', path: 'members', value: ids(a, c, c) }], 'abc'],
    ['added without a path', (_a, _b, c) => [{ op: 'add', value: { members: ids(c) } }], 'abc'],
    ['removed by Entra', (a) => [{ op: 'Remove', path: 'members', value: ids(a) }], 'b'],
    ['removed by RFC 7644', (a) => [{ op: 'remove', path: `members[value eq "${a}"]` }], 'b'],
    ['removed although not in the group', (_a, _b, c) => [{ op: 'remove', path: `members[value eq "${c}"]` }], 'ab'],
    ['all removed', () => [{ op: 'remove', path: 'members' }], ''],
    ['replaced by Okta', (_a, b, c) => [{ op: 'replace', path: 'members', value: ids(b, c) }], 'bc'],
    [
      'added and removed at once',
      (a, _b, c) => [
        { op: 'Add', path: 'members', value: ids(c) },
        { op: 'Remove', path: 'members', value: ids(a) },
      ],
      'bc',
    ],
    [
      'replaced and added at once',
      (a, _b, c) => [
        { op: 'replace', path: 'members', value: ids(c) },
        { op: 'add', path: 'members', value: ids(a) },
      ],
      'ac',
    ],
  ])('are %s', async (_name, operations, expected) => {
    const home = await world.newScimHome()
    const people: Record<string, string> = {}
    for (const name of ['a', 'b', 'c']) people[name] = String((await home.create(name))['id'])
    const { a = '', b = '', c = '' } = people
    const group = await newGroup(home, 'Engineers', [a, b])
    const reply = await change(home, group, ...operations(a, b, c))
    expect(reply.status).toBe(200)
    const members = reply.json['members'] as JsonObject[]
    const names = members.map(({ display }) => String(display).charAt(0))
    expect(names.sort().join('')).toBe(expected)
  })

  it('are members of the organization, and hundreds in a request', async () => {
    const home = await world.newScimHome()
    const foreign = await (await world.newScimHome()).create('ada')
    const group = await newGroup(home, 'All')
    for (const value of [String(foreign['id']), '00000000-0000-7000-8000-000000000000', 'x']) {
      const reply = await change(home, group, { op: 'add', path: 'members', value: [{ value }] })
      expect(reply.json).toMatchObject({ status: '400', scimType: 'invalidValue' })
    }
    const many: string[] = []
    for (let count = 0; count < 300; count += 1) many.push((await world.addMember(home.id)).memberId)
    const reply = await change(home, group, { op: 'Add', path: 'members', value: ids(...many) })
    expect(reply.json['members']).toHaveLength(300)
    const [first] = many
    const { json } = await home.scim.get(`/scim/v2/Users/${first}`)
    expect(json['groups']).toMatchObject([{ value: group['id'], display: 'All' }])
    const slim = await home.scim.get(`/scim/v2/Groups/${group['id']}?excludedAttributes=members`)
    expect(slim.json['members']).toBeUndefined()
  })
})

describe('a mapped group', () => {
  it('gives team, role and default budget, and takes them back', async () => {
    const home = await world.newScimHome()
    const [red, blue] = [await newTeam(home, 'Red'), await newTeam(home, 'Blue')]
    await home.admin.patch(`${home.path}/teams/${blue}`, { defaultMonthlyBudget: 7 })
    await map(
      home,
      { group: 'Leads', teamId: red, role: 'team_admin' },
      { group: 'Blue', teamId: blue, role: 'member' },
      { group: 'Finance', teamId: null, role: 'billing_viewer' },
    )
    const { id } = await home.create('ada')
    const group = await newGroup(home, 'Blue', [id])
    expect(await placeOf(home, id)).toEqual(['member', 'Blue', 7])
    const leads = await newGroup(home, 'Leads', [id])
    expect(await placeOf(home, id)).toEqual(['team_admin', 'Red', null])
    await change(home, leads, { op: 'replace', path: 'members', value: [] })
    expect(await placeOf(home, id)).toEqual(['member', 'Blue', 7])
    await change(home, group, { op: 'replace', value: { id: group['id'], displayName: 'Finance' } })
    expect(await placeOf(home, id)).toEqual(['billing_viewer', null, null])
    expect((await home.scim.delete(`/scim/v2/Groups/${group['id']}`)).status).toBe(204)
    expect(await placeOf(home, id)).toEqual(['member', null, null])
    const actions = (await world.auditOf(home.id)).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('scim.group'))).toEqual([
      'scim.group.create',
      'scim.group.create',
      'scim.group.update',
      'scim.group.update',
      'scim.group.delete',
    ])
  })

  it('changes no administrator, no budget set by hand and no place given by hand', async () => {
    const home = await world.newScimHome()
    const blue = await newTeam(home, 'Blue')
    await map(home, { group: 'Blue', teamId: blue, role: 'member' })
    const byHand = await world.addMember(home.id, { role: 'billing_viewer', monthlyBudgetUsd: '3' })
    const other = await newGroup(home, 'Unmapped', [byHand.memberId, home.adminMember.memberId])
    await change(home, other, { op: 'remove', path: 'members' })
    expect(await placeOf(home, byHand.memberId)).toEqual(['billing_viewer', null, 3])
    await newGroup(home, 'Blue', [byHand.memberId, home.adminMember.memberId])
    expect(await placeOf(home, byHand.memberId)).toEqual(['member', 'Blue', 3])
    expect(await placeOf(home, home.adminMember.memberId)).toEqual(['org_admin', null, null])
  })
})

describe('groups', () => {
  it('have a name of their own, are found by it and replaced as a whole', async () => {
    const home = await world.newScimHome()
    const { id } = await home.create('ada')
    const group = await newGroup(home, 'Engineers', [id])
    expect((await home.scim.post('/scim/v2/Groups', { displayName: 'engineers' })).json).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    })
    const found = await home.scim.get('/scim/v2/Groups?filter=displayName eq "engineers"')
    expect(found.json).toMatchObject({ totalResults: 1, Resources: [{ id: group['id'] }] })
    const byMember = await home.scim.get(`/scim/v2/Groups?filter=members.value eq "${id}"&excludedAttributes=members`)
    expect(byMember.json).toMatchObject({ totalResults: 1 })
    const put = await home.scim.put(`/scim/v2/Groups/${group['id']}`, { displayName: 'Makers', externalId: 'g-1' })
    expect(put.json).toMatchObject({ displayName: 'Makers', externalId: 'g-1', members: [] })
    const refused: [JsonObject, string][] = [
      [{ op: 'add', path: 'color', value: 'red' }, 'invalidPath'],
      [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
      [{ op: 'add', path: 'members[value eq "x"]', value: {} }, 'invalidPath'],
      [{ op: 'add', path: 'members', value: [{}] }, 'invalidValue'],
    ]
    for (const [operation, scimType] of refused) {
      expect((await change(home, group, operation)).json).toMatchObject({ status: '400', scimType })
    }
    expect((await home.scim.post('/scim/v2/Groups', { members: [] })).json).toMatchObject({ scimType: 'invalidValue' })
  })
})
