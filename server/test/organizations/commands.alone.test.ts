import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { type OrganizationWorld, startOrganizationWorld } from './organization-world.ts'

let world: OrganizationWorld
let adminEmail: string

beforeAll(async () => {
  world = await startOrganizationWorld()
  Object.assign(process.env, {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: world.databaseUrl,
    WEIR_REDIS_URL: testRedisUrl(),
  })
  adminEmail = (await world.addMember((await world.createOrganization()).id)).email
})
afterAll(() => world.close())

describe('organizations on the command line', () => {
  it('come with a wallet and an administrator', async () => {
    const made = await weirJson(
      'org',
      'create',
      'Ácme & Söhne',
      '--admin',
      adminEmail,
      '--seats',
      '2',
      '--plan',
      'team',
    )
    expect(made).toMatchObject({ slug: 'acme-sohne' })
    const shown = await weirJson('org', 'show', 'acme-sohne')
    expect(shown).toEqual({
      id: made['id'],
      slug: 'acme-sohne',
      name: 'Ácme & Söhne',
      plan: 'team',
      billing: 'prepaid',
      creditLine: '0',
      balance: '0',
      walletId: made['walletId'],
      seats: 2,
      members: 1,
      teams: 0,
      weeklyBudget: null,
      monthlyBudget: null,
      suspended: false,
      createdAt: expect.any(String),
    })
    expect((await weir('org', 'list')).out).toMatch(/acme-sohne +Ácme & Söhne +active +prepaid +0 +1 of 2/)
    expect((await weir('org', 'member', 'list', 'acme-sohne')).out).toContain(adminEmail)
    expect(await world.auditOf(String(made['id']))).toMatchObject([
      { action: 'org.create', actor_kind: 'operator', after: { slug: 'acme-sohne', seats: 2 } },
      { action: 'org_member.add', actor_kind: 'operator', after: { role: 'org_admin' } },
    ])
  })

  it('are refused when something is wrong with them, and nothing is made', async () => {
    const before = (await weir('org', 'list')).out
    const admin = ['--admin', adminEmail]
    const refused = [
      ['x', '--admin', 'nobody@weir.test'],
      ['Acme Sohne', ...admin],
      ['???', ...admin],
      ['x', '--slug', 'Not A Slug', ...admin],
      ['x', '--slug', '0190c5a0-0000-7000-8000-000000000000', ...admin],
      ['x', '--seats', '0', ...admin],
      ['x', '--monthly', ...admin],
      ['x', '--credit-line', '5', ...admin],
      ['x', '--monthly', '--credit-line', '0', ...admin],
    ]
    for (const words of refused) {
      expect((await weir('org', 'create', ...words)).code, words.join(' ')).toBe(1)
    }
    for (const words of [['x'], ['x', '--seats', 'many', ...admin], ['x', '--credit-line', 'much', ...admin]]) {
      expect((await weir('org', 'create', ...words)).code, words.join(' ')).toBe(2)
    }
    expect((await weir('org', 'list')).out).toBe(before)
  })

  it('are credited by slug or id, and their log tells', async () => {
    const { id, walletId } = await weirJson('org', 'create', 'Credited', '--admin', adminEmail)
    await weirJson('wallet', 'credit', 'credited', '100', '--note', 'invoice 7')
    expect(await weirJson('wallet', 'credit', String(id), '0.5', '--grant')).toMatchObject({
      balance: '100.5',
      walletId,
    })
    expect(await weirJson('wallet', 'show', 'credited')).toMatchObject({
      balance: '100.5',
      owner: `organization ${id}`,
    })
    expect((await world.auditOf(String(id))).slice(-2)).toMatchObject([
      { action: 'org.credit', actor_kind: 'operator', details: { amount: 100, source: 'usd', note: 'invoice 7' } },
      { action: 'org.credit', details: { amount: 0.5, source: 'grant', note: null } },
    ])
  })

  it('refuse all their keys with 403 while they are suspended', async () => {
    const home = await world.newOrganization({ name: 'Halted' })
    const { key } = await world.addOrganizationKey(home.id, { memberId: home.adminMember.memberId })
    const service = await world.addOrganizationKey(home.id)
    const personal = await world.addKey(home.adminMember.userId)
    const keys = [key, service.key, personal.key]
    const statuses = () => Promise.all(keys.map((secret) => world.canCall(secret)))
    expect(await statuses()).toEqual([200, 200, 200])
    await weirJson('org', 'suspend', home.id)
    await expect.poll(statuses).toEqual([403, 403, 200])
    await weirJson('org', 'unsuspend', home.id)
    await expect.poll(statuses).toEqual([200, 200, 200])
    expect((await world.auditOf(home.id)).map(({ action, after }) => [action, after?.['suspended']])).toEqual([
      ['org.suspend', true],
      ['org.unsuspend', false],
    ])
  })

  it('change how they pay and how many seats they have', async () => {
    await weirJson('org', 'create', 'Changing', '--admin', adminEmail, '--monthly', '--credit-line', '50')
    const monthly = await weirJson('org', 'billing', 'changing', 'monthly', '--credit-line', '75.5')
    expect(monthly).toMatchObject({ billing: 'monthly', creditLine: '75.5' })
    expect(await weirJson('org', 'show', 'changing')).toEqual(monthly)
    expect(await weirJson('org', 'billing', 'changing', 'prepaid')).toMatchObject({
      billing: 'prepaid',
      creditLine: '0',
    })
    expect((await weir('org', 'billing', 'changing', 'monthly')).code).toBe(2)
    expect((await weir('org', 'billing', 'changing', 'yearly')).code).toBe(2)
    expect((await weir('org', 'billing', 'nobody', 'prepaid')).code).toBe(1)
    expect((await weir('org', 'seats', 'changing', '7')).out).toBe('changing has 7 seats, 1 taken\n')
    expect(await weirJson('org', 'seats', 'changing', 'unlimited')).toMatchObject({ seats: null })
    expect((await weir('org', 'seats', 'changing', '-1')).code).toBe(2)
  })

  it('take in members and let them go', async () => {
    const home = await world.newOrganization()
    const { teamId } = await world.addTeam(home.id, { name: 'Crew' })
    const person = await world.createClient()
    const add = ['org', 'member', 'add', home.id]
    expect((await weir(...add, person.userId, '--role', 'owner')).code).toBe(2)
    expect((await weir(...add, person.userId, '--role', 'team_admin')).code).toBe(1)
    expect((await weir(...add, person.userId, '--team', 'Nobodies')).code).toBe(1)
    const added = await weirJson(...add, person.userId, '--role', 'team_admin', '--team', 'crew', '--budget', '3')
    expect(added).toMatchObject({ userId: person.userId, role: 'team_admin', teamId })
    expect((await weir(...add, person.userId)).code).toBe(1)
    const { key } = await world.addOrganizationKey(home.id, { memberId: String(added['id']) })
    expect(await world.canCall(key)).toBe(200)
    await weirJson('org', 'member', 'remove', home.id, person.userId)
    await expect.poll(() => world.canCall(key)).toBe(401)
    expect((await weir('org', 'member', 'remove', home.id, person.userId)).code).toBe(1)
    const last = await weir('org', 'member', 'remove', home.id, home.adminMember.email)
    expect(last).toMatchObject({ code: 1, error: expect.stringContaining('last org_admin') })
  })
})

async function weir(...words: string[]) {
  let out = ''
  let error = ''
  const code = await runCommandLine(words, {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  return { code, out, error }
}

async function weirJson(...words: string[]): Promise<JsonObject> {
  const { code, out, error } = await weir(...words, '--json')
  expect({ code, error }).toEqual({ code: 0, error: '' })
  const value: unknown = JSON.parse(out)
  if (!isJsonObject(value)) throw new Error('not an object')
  return value
}
