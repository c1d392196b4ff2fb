import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#domain/access/roles.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Credential } from '#test/setup/client.ts'
import { createKeyOver, idsIn, type KeyWorld, startKeyWorld } from './key-world.ts'

let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld()
})
afterAll(() => world.close())

interface Person {
  memberId: string
  userId: string
  walletId: string
  session: Credential
}

/** An organization whose members may create so many keys, with an administrator and a member. */
async function createOrganization(memberKeysMax: number) {
  const { id, walletId } = await world.createOrganization()
  const admin = await join(id, 'org_admin')
  const changed = await world.send(admin.session, 'PATCH', `/v1/orgs/${id}`, { memberKeysMax })
  expect(changed.json['data']).toMatchObject({ memberKeysMax })
  return { id, walletId, admin, member: await join(id), own: `/v1/keys?organization=${id}` }
}

async function join(organizationId: string, role: Role = 'member'): Promise<Person> {
  const member = await world.addMember(organizationId, { role })
  return { ...member, session: { cookie: await world.signIn(member.userId) } }
}

const at = (id: string, keyId: string, part = '') => `/v1/keys/${keyId}${part}?organization=${id}`

describe('a member', () => {
  it('creates keys that the organization pays for and that count for the member', async () => {
    const { id, walletId, member, own } = await createOrganization(2)
    const made = await createKeyOver(world, member.session, { name: 'mine', limit: 3 }, own)
    expect(made.json).toMatchObject({ organizationId: id, memberId: member.memberId, teamId: null, limit: 3 })
    expect(made.json).toMatchObject({ creator_user_id: member.userId, keyType: 'standard', shared: false })
    expect(await world.spend(made)).toBe(200)
    expect(await world.walletOf(walletId)).toMatchObject({ balance: '24.994' })
    expect(idsIn(await world.send(member.session, 'GET', own))).toEqual([made.id])
    expect(idsIn(await world.send(member.session, 'GET', '/v1/keys'))).toEqual([])
    const limits = await world.send(member.session, 'GET', at(id, made.id, '/limits'))
    expect(limits.json['data']).toMatchObject({ effective: { scope: 'key', limit: 3 } })
  })

  it('creates no more than the organization allows, also at once', async () => {
    const { member, own } = await createOrganization(2)
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => world.send(member.session, 'POST', own, { name: 'late' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409])
    const full = answers.find(({ status }) => status === 409)
    expect(full?.message).toBe('You already have 2 API keys. Delete one first.')
  })

  it('creates none where the organization allows none, and no management key', async () => {
    const closed = await createOrganization(0)
    const refused = await world.send(closed.member.session, 'POST', closed.own, { name: 'x' })
    expect([refused.status, refused.message]).toEqual([
      403,
      "Members of this organization can't create API keys. Ask an administrator for one.",
    ])
    const open = await createOrganization(1)
    const management = await world.send(open.member.session, 'POST', open.own, { name: 'x', keyType: 'management' })
    expect(management.status).toBe(400)
  })

  it('changes, rotates and deletes the keys that they created, and only those', async () => {
    const { id, admin, member, own } = await createOrganization(3)
    const mine = await createKeyOver(world, member.session, {}, own)
    const given = await createKeyOver(
      world,
      admin.session,
      { memberId: member.memberId, limit: 1 },
      `/v1/orgs/${id}/keys`,
    )
    const shared = await createKeyOver(world, admin.session, { shared: true }, `/v1/orgs/${id}/keys`)
    const colleague = await join(id)
    expect(idsIn(await world.send(member.session, 'GET', own))).toEqual([given.id, mine.id])
    const attempts = async (session: Credential, keyId: string) => {
      const changed = await world.send(session, 'PATCH', at(id, keyId), { limit: 9 })
      const rotated = await world.send(session, 'POST', at(id, keyId, '/rotate'), {})
      const deleted = await world.send(session, 'DELETE', at(id, keyId))
      return [changed.status, rotated.status, deleted.status]
    }
    expect(await attempts(member.session, given.id)).toEqual([403, 403, 403])
    expect(await attempts(member.session, shared.id)).toEqual([404, 404, 404])
    expect(await attempts(colleague.session, mine.id)).toEqual([404, 404, 404])
    expect(await attempts(member.session, mine.id)).toEqual([200, 200, 204])
    expect(await world.spend(mine)).toBe(401)
    expect(await world.spend(given)).toBe(200)
  })

  it('of another organization gets the same answers as for one that does not exist', async () => {
    const [one, other] = [await createOrganization(1), await createOrganization(1)]
    const key = await createKeyOver(world, other.member.session, {}, other.own)
    const { session } = one.member
    for (const id of [other.id, '00000000-0000-4000-8000-000000000000', 'nonsense']) {
      const answers = [
        await world.send(session, 'GET', `/v1/keys?organization=${id}`),
        await world.send(session, 'POST', `/v1/keys?organization=${id}`, { name: 'x' }),
        await world.send(session, 'PATCH', at(id, key.id), { limit: 1 }),
        await world.send(session, 'DELETE', at(id, key.id)),
        await world.send(session, 'GET', at(id, key.id, '/limits')),
      ]
      expect(answers.map(({ status, message }) => [status, message])).toEqual(
        answers.map(() => [404, 'Organization not found.']),
      )
    }
    const missing = await world.send(session, 'DELETE', at(one.id, '00000000-0000-4000-8000-000000000000'))
    const foreign = await world.send(session, 'DELETE', at(one.id, key.id))
    expect(foreign.status).toBe(404)
    expect(foreign.message.replace(key.id, '…')).toBe(
      missing.message.replace('00000000-0000-4000-8000-000000000000', '…'),
    )
  })

  it.each([
    [0, 403],
    [1, 201],
  ])('with %i own keys allowed gets %i for a playground key of the organization', async (memberKeysMax, status) => {
    const { id, member } = await createOrganization(memberKeysMax)
    const answer = await world.send(member.session, 'POST', `/api/playground-keys?organization=${id}`, {})
    expect(answer.status).toBe(status)
  })
})

it('takes the number of keys for each member from an administrator', async () => {
  const { id, admin, member } = await createOrganization(5)
  for (const memberKeysMax of [-1, 101, 1.5, '5', null]) {
    const { status } = await world.send(admin.session, 'PATCH', `/v1/orgs/${id}`, { memberKeysMax })
    expect(status, String(memberKeysMax)).toBe(400)
  }
  const listed = await world.send(member.session, 'GET', '/v1/orgs')
  expect((listed.json['data'] as JsonObject[])[0]).toMatchObject({ id, memberKeysMax: 5 })
})

it('lists the first 1,000 keys of an organization at once, with their number and a cursor', async () => {
  const { id, admin } = await createOrganization(0)
  await world.pool.query(
    `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, organization_id, wallet_id, created_at)
     SELECT gen_random_uuid(), sha256((n || $1)::bytea), 'sk-weir-', 'abcd', 'key ' || n, 'standard', $1::uuid, w.id,
       now() - n * interval '1 second'
     FROM generate_series(1, 1002) AS n, wallets w WHERE w.owner_id = $1::uuid`,
    [id],
  )
  const whole = await world.send(admin.session, 'GET', `/v1/orgs/${id}/keys`)
  expect(whole.json['total_count']).toBe(1_002)
  expect(idsIn(whole)).toHaveLength(1_000)
  const rest = await world.send(admin.session, 'GET', `/v1/orgs/${id}/keys?cursor=${String(whole.json['next_cursor'])}`)
  expect((rest.json['data'] as JsonObject[]).map(({ name }) => name)).toEqual(['key 1001', 'key 1002'])
})
