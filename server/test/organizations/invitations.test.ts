import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import { type Client, createClient } from '#test/setup/client.ts'
import { type MailServer, startMailServer } from '#test/setup/mail-server.ts'
import { sendMails } from '#test/setup/send-mails.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { type OrganizationWorld, startOrganizationWorld, type TestHome } from './organization-world.ts'

let mail: MailServer
let world: OrganizationWorld
let home: TestHome
let invitations: string

beforeAll(async () => {
  mail = await startMailServer()
  world = await startOrganizationWorld({ WEIR_MAIL_URL: mail.url, WEIR_MAIL_FROM: 'Weir <weir@example.com>' })
})
beforeEach(async () => {
  home = await world.newOrganization({ name: 'Acme' })
  invitations = `${home.path}/invitations`
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

interface NewPerson {
  email: string
  userId: string
  session: Client
}

async function newPerson(): Promise<NewPerson> {
  const { userId } = await world.createClient({ usd: '0' })
  const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
  return { userId, email: rows[0]?.email ?? '', session: world.as(await world.signIn(userId)) }
}

const tokenIn = (sent: JsonObject | undefined): string =>
  new URL(String(sent?.['url']), 'http://x').searchParams.get('token') ?? ''

async function inviteTo(email: string, terms: JsonObject = {}): Promise<{ id: string; token: string }> {
  const { status, list } = await home.admin.post(invitations, { emails: [email], ...terms })
  expect(status).toBe(201)
  return { id: String(list[0]?.['id']), token: tokenIn(list[0]) }
}

const accept = (person: NewPerson, token: string) => person.session.post('/api/invitations/accept', { token })
const open = (token: string) => createClient(world.url).post('/api/invitations/open', { token })
/** Moves an invitation into the past by its whole life. */
const expire = (id: string) =>
  world.pool.query(
    'UPDATE invitations SET sent_at = sent_at - (expires_at - now()), expires_at = now() WHERE id = $1',
    [id],
  )

describe('an invitation to an address', () => {
  it('is mailed, shows what it gives, and makes the person a member with team and budget', async () => {
    const { teamId } = await world.addTeam(home.id, { name: 'Lab' })
    const person = await newPerson()
    const terms = { role: 'team_admin', teamId, monthlyBudget: 12.5 }
    const { status, list } = await home.admin.post(invitations, {
      emails: [` ${person.email.toUpperCase()} `],
      ...terms,
    })
    expect(status).toBe(201)
    expect(list).toMatchObject([{ outcome: 'invited', email: person.email, mailed: true }])
    await sendMails(world.pool, { url: mail.url, sealingKey: sealingKeyFrom(testSecret) })
    const received = await mail.nextTo(person.email)
    expect(received.text).toContain(String(list[0]?.['url']))
    const token = tokenIn(list[0])
    expect((await open(token)).data).toEqual({
      organization: { name: 'Acme' },
      role: 'team_admin',
      team: 'Lab',
      monthlyBudget: 12.5,
      invitedBy: 'Test',
      email: person.email,
      domain: null,
      expiresAt: list[0]?.['expiresAt'],
    })
    const accepted = await accept(person, token)
    expect(accepted.status).toBe(201)
    const member = await home.admin.get(`${home.path}/members/${accepted.data['memberId']}`)
    expect(member.data).toMatchObject({ role: 'team_admin', team: { id: teamId }, monthlyBudget: 12.5 })
    expect((await home.admin.get(invitations)).list).toMatchObject([{ status: 'accepted', uses: 1 }])
    const log = await world.auditOf(home.id)
    expect(log.map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
      ['invitation.create', 'key'],
      ['invitation.accept', 'user'],
      ['org_member.add', 'user'],
    ])
    expect(log.at(-1)?.details).toEqual({ invitationId: list[0]?.['id'] })
    expect(JSON.stringify(log)).not.toContain(person.email)
  })

  it('stores no token, neither in its row nor in the unsent email', async () => {
    const { token } = await inviteTo('ada@example.org')
    const { rows } = await world.pool.query(`SELECT i::text AS one, m::text AS other FROM invitations i, mail_outbox m`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('takes role and budget from the defaults of the day of the invitation', async () => {
    await home.admin.patch(home.path, { defaultMonthlyBudget: 4, defaultRole: 'billing_viewer' })
    const person = await newPerson()
    const { token } = await inviteTo(person.email)
    await home.admin.patch(home.path, { defaultMonthlyBudget: null })
    const { data } = await accept(person, token)
    const member = await home.admin.get(`${home.path}/members/${data['memberId']}`)
    expect(member.data).toMatchObject({ role: 'billing_viewer', monthlyBudget: 4 })
  })

  it('is for that address alone, and only once it is proven', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const { token } = await inviteTo(person.email)
    expect((await accept(other, token)).status).toBe(403)
    await world.pool.query('UPDATE users SET email_verified = false WHERE id = $1', [person.userId])
    expect((await accept(person, token)).status).toBe(403)
    await world.pool.query('UPDATE users SET email_verified = true WHERE id = $1', [person.userId])
    expect((await accept(person, token)).status).toBe(201)
    expect((await home.admin.get(home.path)).data).toMatchObject({ memberCount: 2 })
  })

  it('is accepted once, also when many ask at the same moment', async () => {
    const person = await newPerson()
    const { token } = await inviteTo(person.email)
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(person, token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 410, 410, 410])
  })

  it('to a member says so, and one more replaces the first', async () => {
    const person = await newPerson()
    const first = await inviteTo(person.email, { monthlyBudget: 1 })
    const again = await home.admin.post(invitations, {
      emails: [person.email, home.adminMember.email],
      monthlyBudget: 2,
    })
    expect(again.list).toMatchObject([
      { outcome: 'renewed', id: first.id },
      { outcome: 'already_member', id: null, url: null, mailed: false },
    ])
    expect((await open(first.token)).status).toBe(404)
    expect((await open(tokenIn(again.list[0]))).data).toMatchObject({ monthlyBudget: 2 })
    expect((await home.admin.get(invitations)).list).toHaveLength(1)
  })
})

describe('a link', () => {
  it('is open to as many people as it says', async () => {
    const made = await home.admin.post(invitations, { usesMax: 2 })
    expect(made.list).toMatchObject([{ outcome: 'invited', email: null, mailed: false }])
    const token = tokenIn(made.list[0])
    const people = [await newPerson(), await newPerson(), await newPerson()]
    const answers = await Promise.all(people.map((person) => accept(person, token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 410])
    const joined = people.find((_, at) => answers[at]?.status === 201)
    expect(joined && (await accept(joined, token)).status).toBe(410)
  })

  it('is not used up by a member', async () => {
    const token = tokenIn((await home.admin.post(invitations, { usesMax: 2 })).list[0])
    const person = await newPerson()
    expect((await accept(person, token)).status).toBe(201)
    expect((await accept(person, token)).status).toBe(409)
    expect((await home.admin.get(invitations)).list).toMatchObject([{ uses: 1, status: 'pending' }])
  })

  it('can be for the addresses of one domain', async () => {
    const made = await home.admin.post(invitations, { usesMax: 5, domain: '@Uni.EXAMPLE' })
    const token = tokenIn(made.list[0])
    const [inside, outside] = [await newPerson(), await newPerson()]
    await world.pool.query(`UPDATE users SET email = 'ann@uni.example' WHERE id = $1`, [inside.userId])
    expect((await accept(outside, token)).status).toBe(403)
    expect((await accept(inside, token)).status).toBe(201)
  })
})

describe('a token that opens nothing', () => {
  it('is refused in words of its own, which name no organization', async () => {
    const person = await newPerson()
    const used = await inviteTo(person.email)
    await accept(person, used.token)
    const expired = await inviteTo('expired@example.org')
    await expire(expired.id)
    const revoked = await inviteTo('revoked@example.org')
    expect((await home.admin.delete(`${invitations}/${revoked.id}`)).status).toBe(204)
    const asker = await newPerson()
    for (const [token, status, message] of [
      ['unknown', 404, 'This invitation link is not valid. Ask for a new one.'],
      [used.token, 410, 'This invitation has already been used.'],
      [expired.token, 410, 'This invitation has expired. Ask for a new one.'],
      [revoked.token, 410, 'This invitation was revoked. Ask for a new one.'],
    ] as const) {
      for (const answer of [await open(token), await accept(asker, token)]) {
        expect(answer.status, message).toBe(status)
        expect(answer.message).toBe(message)
        expect(JSON.stringify(answer.json)).not.toContain('Acme')
      }
    }
  })
})

describe('resending and revoking', () => {
  it('gives a new link with the full life, and ends the old one', async () => {
    const { id, token } = await inviteTo('slow@example.org', { expiresInDays: 3 })
    await expire(id)
    const sent = await home.admin.post(`${invitations}/${id}/resend`, {})
    expect(sent.status).toBe(200)
    expect(sent.data).toMatchObject({ id, mailed: true })
    expect((await open(token)).status).toBe(404)
    expect((await open(tokenIn(sent.data))).status).toBe(200)
  })

  it('of a link that gives a role needs a session as fresh as its creation', async () => {
    const session = world.as(await world.signIn(home.adminMember.userId))
    const create = async (role?: string) => {
      const { status, list } = await session.post(invitations, { usesMax: 5, ...(role === undefined ? {} : { role }) })
      expect(status).toBe(201)
      return String(list[0]?.['id'])
    }
    const [admins, members] = [await create('org_admin'), await create()]
    await world.pool.query(
      `UPDATE auth_sessions SET created_at = created_at - interval '11 minutes' WHERE user_id = $1`,
      [home.adminMember.userId],
    )
    const refused = await session.post(`${invitations}/${admins}/resend`, {})
    expect([refused.status, refused.json['error']]).toMatchObject([403, { code: 'step_up_required' }])
    expect((await session.post(`${invitations}/${members}/resend`, {})).status).toBe(200)
    expect((await home.admin.post(`${invitations}/${admins}/resend`, {})).status).toBe(200)
  })

  it('is refused for an invitation that was accepted or revoked', async () => {
    const person = await newPerson()
    const used = await inviteTo(person.email)
    await accept(person, used.token)
    const revoked = await inviteTo('gone@example.org')
    await home.admin.delete(`${invitations}/${revoked.id}`)
    expect((await home.admin.post(`${invitations}/${used.id}/resend`, {})).status).toBe(409)
    expect((await home.admin.post(`${invitations}/${revoked.id}/resend`, {})).status).toBe(404)
    expect((await home.admin.delete(`${invitations}/${used.id}`)).status).toBe(409)
    expect((await home.admin.delete(`${invitations}/${revoked.id}`)).status).toBe(404)
  })

  it('drops the unsent email of a revoked invitation, and sends at most six in an hour', async () => {
    const { id } = await inviteTo('flood@example.org')
    const mailed: unknown[] = []
    for (let n = 0; n < 6; n += 1)
      mailed.push((await home.admin.post(`${invitations}/${id}/resend`, {})).data['mailed'])
    expect(mailed).toEqual([true, true, true, true, true, false])
    await home.admin.delete(`${invitations}/${id}`)
    const text = `SELECT count(*)::integer AS open FROM mail_outbox WHERE topic = $1 AND due_at IS NOT NULL`
    expect((await world.pool.query(text, [`invitation ${id}`])).rows).toEqual([{ open: 0 }])
  })
})

async function lead() {
  const { teamId } = await world.addTeam(home.id, { name: 'Own' })
  const member = await world.addMember(home.id, { role: 'team_admin', teamId })
  return { ...member, teamId, session: world.as(await world.signIn(member.userId)) }
}

describe('an inviter', () => {
  it.each([
    ['org_admin', 403],
    ['billing_viewer', 403],
    ['team_admin', 201],
    ['member', 201],
    [undefined, 201],
  ])('who administers a team invites a %s: %i', async (role, status) => {
    const { session, teamId } = await lead()
    const answer = await session.post(invitations, {
      emails: ['x@example.org'],
      ...(role === undefined ? {} : { role }),
    })
    expect(answer.status).toBe(status)
    if (status === 201) expect((await session.get(invitations)).list).toMatchObject([{ team: { id: teamId } }])
  })

  it('who administers a team reaches no invitation to others, and no other team', async () => {
    const { session } = await lead()
    const { teamId } = await world.addTeam(home.id, { name: 'Other' })
    const { id } = await inviteTo('y@example.org', { teamId })
    expect((await session.get(invitations)).list).toEqual([])
    expect((await session.delete(`${invitations}/${id}`)).status).toBe(403)
    expect((await session.post(`${invitations}/${id}/resend`, {})).status).toBe(403)
    expect((await session.post(invitations, { emails: ['z@example.org'], teamId })).status).toBe(403)
    expect((await session.post(invitations, { emails: ['y@example.org'] })).list).toMatchObject([
      { outcome: 'invited_to_other_team' },
    ])
  })

  it.each(['removed', 'suspended', 'demoted'])('who was %s leaves no way in behind', async (what) => {
    const { session, memberId } = await lead()
    const token = tokenIn((await session.post(invitations, { usesMax: 5 })).list[0])
    const path = `${home.path}/members/${memberId}`
    if (what === 'removed') await home.admin.delete(path)
    else await home.admin.patch(path, what === 'suspended' ? { suspended: true } : { role: 'member' })
    expect((await accept(await newPerson(), token)).status).toBe(410)
  })

  it('whose team was deleted invites plain members', async () => {
    const { teamId } = await world.addTeam(home.id, { name: 'Short' })
    const person = await newPerson()
    const { token } = await inviteTo(person.email, { role: 'team_admin', teamId })
    await home.admin.delete(`${home.path}/teams/${teamId}`)
    const { data } = await accept(person, token)
    expect((await home.admin.get(`${home.path}/members/${data['memberId']}`)).data).toMatchObject({
      role: 'member',
      team: null,
    })
  })

  it('finds no seat for more people than there are seats', async () => {
    await world.pool.query('UPDATE organizations SET seats = 1 WHERE id = $1', [home.id])
    const person = await newPerson()
    const { token } = await inviteTo(person.email)
    expect((await accept(person, token)).status).toBe(409)
  })
})

describe('the list', () => {
  it('is paged, filtered by status and searched', async () => {
    for (const name of ['a', 'b', 'c']) await inviteTo(`${name}@list.example`)
    await home.admin.post(invitations, { usesMax: 3, domain: 'list.example' })
    const first = await home.admin.get(`${invitations}?limit=3`)
    expect(first.list).toHaveLength(3)
    const rest = await home.admin.get(`${invitations}?limit=3&cursor=${first.json['next_cursor']}`)
    expect(rest.list).toMatchObject([{ email: 'a@list.example' }])
    expect((await home.admin.get(`${invitations}?q=B@LIST`)).list).toMatchObject([{ email: 'b@list.example' }])
    expect((await home.admin.get(`${invitations}?status=pending`)).list).toHaveLength(4)
    for (const status of ['accepted', 'expired', 'revoked']) {
      expect((await home.admin.get(`${invitations}?status=${status}`)).list, status).toEqual([])
    }
    expect((await home.admin.get(`${invitations}?status=lost`)).status).toBe(400)
  })

  it('and its entries belong to one organization', async () => {
    const other = await world.newOrganization()
    const { id } = await inviteTo('mine@example.org')
    const theirs = `${other.path}/invitations`
    expect((await other.admin.get(theirs)).list).toEqual([])
    for (const foreign of [id, newUuid(Date.now()), 'nonsense']) {
      expect((await other.admin.delete(`${theirs}/${foreign}`)).status).toBe(404)
      expect((await other.admin.post(`${theirs}/${foreign}/resend`, {})).status).toBe(404)
    }
    expect((await other.admin.get(invitations)).status).toBe(404)
    const { teamId } = await world.addTeam(other.id)
    expect((await home.admin.post(invitations, { emails: ['a@example.org'], teamId })).status).toBe(404)
  })
})

it.each([
  {},
  { emails: [] },
  { emails: 'ada@example.org' },
  { emails: ['no address'] },
  { emails: ['a@example.org'], usesMax: 2 },
  { emails: ['a@example.org'], domain: 'example.org' },
  { emails: ['a@example.org'], role: 'owner' },
  { emails: ['a@example.org'], role: 'team_admin' },
  { emails: ['a@example.org'], monthlyBudget: -1 },
  { emails: ['a@example.org'], expiresInDays: 0 },
  { emails: ['a@example.org'], expiresInDays: 91 },
  { emails: Array.from({ length: 101 }, (_, n) => `a${n}@example.org`) },
  { usesMax: 0 },
  { usesMax: 1_001 },
  { usesMax: 1, domain: 'no domain' },
])('refuses %j', async (body) => {
  expect((await home.admin.post(invitations, body)).status).toBe(400)
  expect((await home.admin.get(invitations)).list).toEqual([])
})
