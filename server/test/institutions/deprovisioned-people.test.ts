import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { patchBody, userBody, verifyDomain } from '#test/provisioning/scim-world.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type InstitutionWorld, startInstitutionWorld } from './institution-world.ts'

let world: InstitutionWorld
let second: Awaited<ReturnType<typeof startSecondGateway>>
beforeAll(async () => {
  world = await startInstitutionWorld()
  // Its clock stands still, so a cached session ends only by an announcement.
  second = await startSecondGateway(world, {}, createTestClock(new Date().toISOString()))
})
afterAll(async () => {
  await second.close()
  await world.close()
})

/** An institution with a directory, and a person whom the directory knows. */
async function newCampus() {
  const domain = `d${randomUUID().slice(0, 8)}.example`
  const campus = await world.createInstitution({ eduConfig: { allowedDomains: [domain] } })
  await verifyDomain(world, campus.organizationId, domain)
  const session = world.as(await world.signIn(campus.admin.userId))
  const tokens = `/api/orgs/${campus.organizationId}/provisioning/tokens`
  const scim = world.as(String((await session.post(tokens, { name: 'Directory' })).data['token']))
  const { json } = await scim.post('/scim/v2/Users', userBody('ada', domain))
  return {
    ...campus,
    domain,
    session,
    scim,
    email: `ada@${domain}`,
    user: `/scim/v2/Users/${String(json['id'])}`,
    member: `/v1/orgs/${campus.organizationId}/members/${String(json['id'])}`,
  }
}
type Campus = Awaited<ReturnType<typeof newCampus>>

const activate = (active: boolean) => patchBody({ op: 'replace', path: 'active', value: active })
const statusAt = async (token: string, url: string) =>
  (await callChat({ url, key: token }, { model: 'test/echo' })).status
const bothOf = async (token: string) => [await statusAt(token, world.url), await statusAt(token, second.url)]
const lastEntry = async (organizationId: string) => {
  const text = 'SELECT action, details FROM audit_entries WHERE chain_id = $1 ORDER BY sequence DESC LIMIT 1'
  return (await world.pool.query(text, [organizationId])).rows[0]
}

const waysOut: [string, string, (campus: Campus) => Promise<Reply>][] = [
  ['deactivated by the directory', 'org_member.update', ({ scim, user }) => scim.patch(user, activate(false))],
  ['deleted by the directory', 'org_member.remove', ({ scim, user }) => scim.delete(user)],
  ['suspended', 'org_member.update', ({ session, member }) => session.patch(member, { suspended: true })],
  ['removed', 'org_member.remove', ({ session, member }) => session.delete(member)],
]

describe('a person with institution sessions', () => {
  it.each(waysOut)('who is %s loses them on every gateway, and nobody else does', async (_how, action, leave) => {
    const campus = await newCampus()
    const elsewhere = await world.createInstitution({ eduConfig: { allowedDomains: [campus.domain] } })
    const { token } = await world.enter({ key: campus.key, email: campus.email })
    const others = [
      await world.enter({ key: campus.key, email: `eve@${campus.domain}` }),
      await world.enter({ key: elsewhere.key, email: campus.email }),
    ]
    expect(await bothOf(token)).toEqual([200, 200])
    expect((await leave(campus)).status).toBeLessThan(300)
    expect(await statusAt(token, world.url)).toBe(401)
    await expect.poll(() => statusAt(token, second.url)).toBe(401)
    for (const other of others) expect(await bothOf(other.token)).toEqual([200, 200])
    expect(await lastEntry(campus.organizationId)).toMatchObject({ action, details: { endedInstitutionSessions: 1 } })
  })

  it('who is suspended begins no session until they are restored, not even with a code from before', async () => {
    const campus = await newCampus()
    const entry = { key: campus.key, email: campus.email }
    const early = await world.codeFor(entry)
    await campus.scim.patch(campus.user, activate(false))
    const refused = await world.verify({ ...entry, code: early })
    expect([refused.status, refused.json]).toEqual([400, { error: 'invalid' }])
    await world.pool.query('UPDATE institution_code_requests SET subject = NULL')
    const asked = await world.requestCode(entry)
    expect([asked.status, asked.json]).toEqual([200, { ok: true, sent: true }])
    await expect
      .poll(() => lastEntry(campus.organizationId))
      .toMatchObject({
        action: 'institution.code.refused',
        details: { reason: 'member_suspended', domain: campus.domain },
      })
    await campus.scim.patch(campus.user, activate(true))
    await world.pool.query('UPDATE institution_code_requests SET subject = NULL')
    const { token } = await world.enter(entry)
    expect(await statusAt(token, world.url)).toBe(200)
  })

  it('loses those of the address that only the directory has of them', async () => {
    const campus = await newCampus()
    const { rows } = await world.pool.query(
      `UPDATE users SET email = 'king@' || $1 FROM members m WHERE m.user_id = users.id AND users.email = $2 RETURNING users.id`,
      [campus.domain, campus.email],
    )
    expect(rows).toHaveLength(1)
    const tokens = [
      (await world.enter({ key: campus.key, email: campus.email })).token,
      (await world.enter({ key: campus.key, email: `king@${campus.domain}` })).token,
    ]
    await campus.scim.patch(campus.user, activate(false))
    for (const token of tokens) expect(await statusAt(token, world.url)).toBe(401)
  })

  it('keeps those of an address that the account has not confirmed', async () => {
    const campus = await newCampus()
    const { memberId, userId } = await world.addMember(campus.organizationId)
    const email = `student@${campus.domain}`
    await world.pool.query('UPDATE users SET email = $2, email_verified = false WHERE id = $1', [userId, email])
    const { token } = await world.enter({ key: campus.key, email })
    const path = `/v1/orgs/${campus.organizationId}/members/${memberId}`
    expect((await campus.session.patch(path, { suspended: true })).status).toBe(200)
    expect(await statusAt(token, world.url)).toBe(200)
  })

  it('who enters while they are being suspended has no session afterwards', async () => {
    const campus = await newCampus()
    const entry = { key: campus.key, email: campus.email }
    const code = await world.codeFor(entry)
    const client = await world.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query(
        'UPDATE members SET suspended_at = now() WHERE organization_id = $1 AND user_id IN (SELECT id FROM users WHERE email = $2)',
        [campus.organizationId, campus.email],
      )
      const entering = world.verify({ ...entry, code })
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%'
        AND datname = current_database()`
      await expect.poll(async () => (await world.pool.query(waiting)).rowCount).toBe(1)
      await client.query('COMMIT')
      expect((await entering).status).toBe(400)
    } finally {
      client.release()
    }
  })
})
