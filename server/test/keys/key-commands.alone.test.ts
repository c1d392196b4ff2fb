import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { isJsonObject } from '#lib/json.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { createKeyOver, idsIn, keyIn, type KeyWorld, startKeyWorld } from './key-world.ts'

describe('the commands for keys', () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld()
    const own = { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: world.databaseUrl, WEIR_REDIS_URL: testRedisUrl() }
    Object.assign(process.env, own)
  })
  afterAll(() => world.close())

  it('make keys that the API lists, and tell the audit log that an operator did', async () => {
    const manager = await world.manager()
    const made = await weir(`key create ${manager.userId} --name laptop --limit 5 --period weekly`)
    const key = keyIn(await world.send(manager, 'GET', '/v1/keys'), made.id)
    expect(key).toMatchObject({ name: 'laptop', limit: 5, limit_reset: 'weekly', creator_user_id: null })
    expect(await world.spend({ key: made.secret })).toBe(200)
    await weir(`key disable ${made.id}`)
    await weir(`key revoke ${made.id}`)
    await expect.poll(() => world.spend({ key: made.secret })).toBe(401)
    const entries = await world.auditOf(made.id)
    expect(entries.map(({ action }) => action)).toEqual(['key.create', 'key.update', 'key.delete'])
    for (const entry of entries)
      expect(entry).toMatchObject({ actor_kind: 'operator', actor_id: null, request_id: null })
  })

  it('change keys that were made over the API, whosever they are', async () => {
    const made = await createKeyOver(world, await world.manager())
    expect(await world.spend(made)).toBe(200)
    await weir(`key cidrs ${made.id} 203.0.113.7`)
    await expect.poll(() => world.spend(made)).toBe(401)
  })

  it("[ACCT-13] make keys of an organization, its members' and its teams'", async () => {
    const organization = await world.createOrganization({ name: 'Acme' })
    const { teamId } = await world.addTeam(organization.id)
    const admin = await world.addMember(organization.id, { role: 'org_admin', teamId })
    const create = `key create --organization ${organization.id} --name made`
    const shared = await weir(create)
    const bound = await weir(`${create} --member ${admin.memberId} --team ${teamId}`)
    const manager = await weir(`${create} --member ${admin.memberId} --management`)
    expect(await world.spend({ key: bound.secret })).toBe(200)
    expect(await world.walletOf(organization.walletId)).toMatchObject({ charged: '0.006' })
    const list = await world.send({ key: manager.secret }, 'GET', '/v1/keys')
    expect(idsIn(list)).toEqual([manager.id, bound.id, shared.id])
    expect(keyIn(list, bound.id)).toMatchObject({ memberId: admin.memberId, teamId })
    expect(keyIn(list, shared.id)).toMatchObject({ memberId: null, teamId: null })
    const listed = await run(`key list --organization ${organization.id}`)
    for (const { id } of [shared, bound, manager]) expect(listed.out).toContain(id)
    expect((await world.auditOf(shared.id))[0]).toMatchObject({ chain_id: organization.id, actor_kind: 'operator' })
  })

  it.each([
    ['key create --name x', 2, 'Specify one user'],
    ['key cidrs k', 2, 'Specify addresses or --clear'],
    ['key cidrs k 203.0.113.7 --clear', 2, 'Specify addresses or --clear'],
    ['key create a@b.test --organization acme --name x', 2, 'Specify one user'],
    ['key create a@b.test --team x --name x', 2, '--member and --team require --organization'],
    ['key create --organization nowhere --name x', 1, 'Organization nowhere not found'],
    ['key list', 2, 'Specify one user'],
    ['key list --organization nowhere', 1, 'Organization nowhere not found'],
  ])('refuse: %s', async (line, code, message) => {
    expect(await run(line)).toMatchObject({ code, error: expect.stringContaining(message) })
  })

  it('refuse a management key that acts for nobody, and members and teams of others', async () => {
    const [organization, other] = [await world.createOrganization(), await world.createOrganization()]
    const { teamId } = await world.addTeam(other.id)
    const { memberId } = await world.addMember(other.id)
    const create = `key create --organization ${organization.id} --name x`
    expect(await run(`${create} --management`)).toMatchObject({ code: 2 })
    expect(await run(`${create} --management --member ${memberId}`)).toMatchObject({ code: 1 })
    expect(await run(`${create} --member ${memberId}`)).toMatchObject({ error: expect.stringContaining('memberId') })
    expect(await run(`${create} --team ${teamId}`)).toMatchObject({ error: expect.stringContaining('teamId') })
  })
})

async function run(line: string): Promise<{ code: number; out: string; error: string }> {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' '), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  return { code, out, error }
}

/** Runs a command that must succeed and returns its key. */
async function weir(line: string): Promise<{ id: string; secret: string }> {
  const { code, out, error } = await run(`${line} --json`)
  expect([code, error]).toEqual([0, ''])
  const value: unknown = JSON.parse(out)
  if (!isJsonObject(value) || typeof value.id !== 'string') throw new Error(out)
  return { id: value.id, secret: typeof value.secret === 'string' ? value.secret : '' }
}
