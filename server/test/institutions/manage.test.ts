import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Institution, type InstitutionWorld, newEmail, startInstitutionWorld } from './institution-world.ts'

let world: InstitutionWorld
beforeAll(async () => {
  world = await startInstitutionWorld()
})
afterAll(() => world.close())

const listOf = ({ list }: Reply): JsonObject[] => list

const defaults = {
  allowedDomains: ['uni.edu'],
  sessionTtlSeconds: 86_400,
  verificationTtlSeconds: 900,
  maxSessionsPerEmailPerKey: 5,
  codesPerNetworkPer15Minutes: 10,
  codesPerHour: 100,
  sessionRequestQuota: null,
  sessionTokenQuota: null,
  sessionSpendQuotaUsd: null,
  monthlySpendQuotaUsd: null,
}

describe('an institution key', () => {
  it('[EDU-01] [EDU-09] [EDU-15] [EDU-17] is made with a secret that is shown once, and with the defaults', async () => {
    const own = await world.createInstitution()
    expect(own.key).toMatch(/^sk-edu-[0-9A-Za-z]{43}$/)
    const listed = await world.manage(own, 'GET')
    expect(listed.status).toBe(200)
    expect(listed.json).toEqual({
      data: [
        {
          id: own.keyId,
          name: 'Campus',
          keyType: 'institution',
          keyPrefix: own.key.slice(0, 11),
          keySuffix: own.key.slice(-4),
          enabled: true,
          createdAt: expect.any(String),
          activeSessions: 0,
          eduConfig: defaults,
        },
      ],
      total_count: 1,
    })
    expect(listed.text).not.toContain(own.key)
    const { rows } = await world.pool.query(
      'SELECT 1 FROM api_keys WHERE id = $1 AND wallet_id = $2 AND user_id IS NULL',
      [own.keyId, own.walletId],
    )
    expect(rows).toHaveLength(1)
  })

  it('takes every setting, and an international domain in either form', async () => {
    const eduConfig = {
      allowedDomains: ['Uni.EDU', 'münchen.de', 'xn--mnchen-3ya.de', 'uni.edu'],
      sessionTtlSeconds: 60,
      verificationTtlSeconds: 60,
      maxSessionsPerEmailPerKey: 1,
      codesPerNetworkPer15Minutes: 1_000,
      codesPerHour: 2_000,
      sessionRequestQuota: 10,
      sessionTokenQuota: 20,
      sessionSpendQuotaUsd: 0.000000001,
      monthlySpendQuotaUsd: 0.000000002,
    }
    const own = await world.createInstitution({ eduConfig })
    const [key] = listOf(await world.manage(own, 'GET'))
    expect(key?.eduConfig).toEqual({ ...eduConfig, allowedDomains: ['uni.edu', 'xn--mnchen-3ya.de'] })
  })

  it('changes field by field, and a change is in force at once', async () => {
    const own = await world.createInstitution({ eduConfig: { sessionRequestQuota: 7 } })
    const changed = await world.manage(own, 'PATCH', `/${own.keyId}`, {
      name: 'Library',
      eduConfig: { allowedDomains: ['library.edu'], sessionTtlSeconds: 120 },
    })
    expect(changed.status).toBe(200)
    expect(changed.json).toMatchObject({
      data: {
        name: 'Library',
        enabled: true,
        eduConfig: { ...defaults, allowedDomains: ['library.edu'], sessionTtlSeconds: 120, sessionRequestQuota: 7 },
      },
    })
    const cleared = await world.manage(own, 'PATCH', `/${own.keyId}`, { eduConfig: { sessionRequestQuota: null } })
    expect(cleared.json).toMatchObject({ data: { eduConfig: { sessionRequestQuota: null } } })
    const refused = { key: own.key, email: newEmail() }
    await world.requestCode(refused)
    expect(await world.storedCode(refused)).toMatchObject({ key_id: null })
    expect(await world.codeFor({ key: own.key, email: newEmail('library.edu') })).toMatch(/^\d{6}$/)
  })

  it('is gone once deleted: not listed, not changed, and no code is sent for it', async () => {
    const own = await world.createInstitution()
    expect((await world.manage(own, 'DELETE', `/${own.keyId}`)).status).toBe(204)
    expect((await world.manage(own, 'GET')).json).toEqual({ data: [], total_count: 0 })
    for (const [method, path] of [
      ['PATCH', `/${own.keyId}`],
      ['DELETE', `/${own.keyId}`],
      ['GET', `/${own.keyId}/sessions`],
      ['DELETE', `/${own.keyId}/sessions?email=a@uni.edu`],
    ] as const) {
      expect((await world.manage(own, method, path, method === 'PATCH' ? {} : undefined)).status, path).toBe(404)
    }
    const entry = { key: own.key, email: newEmail() }
    await world.requestCode(entry)
    expect(await world.storedCode(entry)).toMatchObject({ key_id: null })
  })

  it('has at most a hundred beside it, also when they are made together', async () => {
    const own = await world.createInstitution()
    const body = { name: 'More', eduConfig: { allowedDomains: ['uni.edu'] } }
    const make = () => world.manage(own, 'POST', '', body)
    // Most of them run one after another: only the concurrent ones at the limit matter.
    for (let count = 2; count <= 95; count += 1) expect((await make()).status).toBe(201)
    const made = await Promise.all(Array.from({ length: 11 }, make))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(made.find(({ status }) => status === 409)?.text).toMatch(/100 institution keys/)
  })

  const wrong: readonly (readonly [name: string, body: JsonObject, message: RegExp])[] = [
    ['no name', { eduConfig: { allowedDomains: ['uni.edu'] } }, /name/],
    ['an empty name', { name: ' ', eduConfig: { allowedDomains: ['uni.edu'] } }, /name/],
    ['no domains', { name: 'x' }, /allowedDomains/],
    ['an empty list', { name: 'x', eduConfig: { allowedDomains: [] } }, /allowedDomains/],
    ['no list', { name: 'x', eduConfig: { allowedDomains: 'uni.edu' } }, /allowedDomains/],
    [
      'too many',
      { name: 'x', eduConfig: { allowedDomains: Array.from({ length: 101 }, (_, n) => `u${n}.edu`) } },
      /100/,
    ],
    ['a wildcard', { name: 'x', eduConfig: { allowedDomains: ['*.uni.edu'] } }, /\*\.uni\.edu/],
    ['an address', { name: 'x', eduConfig: { allowedDomains: ['a@uni.edu'] } }, /a@uni\.edu/],
    ['a URL', { name: 'x', eduConfig: { allowedDomains: ['https://uni.edu'] } }, /not a domain/],
    ['a number', { name: 'x', eduConfig: { allowedDomains: [7] } }, /not a domain/],
    ['one label', { name: 'x', eduConfig: { allowedDomains: ['edu'] } }, /not a domain/],
    ['a config that is none', { name: 'x', eduConfig: [] }, /eduConfig must be an object/],
    ['a misspelt field', { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], sessionTtl: 5 } }, /sessionTtl/],
    ['a short session', { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], sessionTtlSeconds: 59 } }, /from 60/],
    [
      'a text for a number',
      { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], sessionTtlSeconds: '60' } },
      /must be an integer/,
    ],
    ['a long code', { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], verificationTtlSeconds: 86_401 } }, /86400/],
    ['no session', { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], maxSessionsPerEmailPerKey: 0 } }, /from 1/],
    ['a null', { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], maxSessionsPerEmailPerKey: null } }, /from 1/],
    ['no request', { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], sessionRequestQuota: 0 } }, /from 1/],
    [
      'half a token',
      { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], sessionTokenQuota: 0.5 } },
      /must be an integer/,
    ],
    ['no money', { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], sessionSpendQuotaUsd: 0 } }, /above 0/],
    [
      'too fine an amount',
      { name: 'x', eduConfig: { allowedDomains: ['uni.edu'], sessionSpendQuotaUsd: 1e-10 } },
      /nine/,
    ],
  ]

  it.each(wrong)('is refused with %s, and told why', async (_name, body, message) => {
    const own = await world.createInstitution()
    const answer = await world.manage(own, 'POST', '', body)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { message: expect.stringMatching(message) } })
    if (body.name === 'x' && isJsonObject(body.eduConfig)) {
      const { eduConfig } = body
      expect((await world.manage(own, 'PATCH', `/${own.keyId}`, { eduConfig })).status).toBe(400)
    }
    expect(listOf(await world.manage(own, 'GET'))).toHaveLength(1)
  })
})

describe('what belongs to another organization', () => {
  it('is answered as what never was', async () => {
    const [own, other] = [await world.createInstitution(), await world.createInstitution()]
    await world.enter({ key: other.key, email: newEmail() })
    const [session] = listOf(await world.manage(other, 'GET', `/${other.keyId}/sessions`))
    const paths = [
      ['PATCH', `/${other.keyId}`],
      ['DELETE', `/${other.keyId}`],
      ['GET', `/${other.keyId}/sessions`],
      ['DELETE', `/${other.keyId}/sessions?email=a@uni.edu`],
      ['DELETE', `/${other.keyId}/sessions/${session?.id}`],
      ['DELETE', `/${own.keyId}/sessions/${session?.id}`],
      ['GET', '/no-id/sessions'],
    ] as const
    for (const [method, path] of paths) {
      const answer = await world.manage(own, method, path, method === 'PATCH' ? { enabled: false } : undefined)
      expect(answer.status, `${method} ${path}`).toBe(404)
    }
    expect((await world.manage({ ...own, organizationId: other.organizationId }, 'GET')).status).toBe(404)
    expect(listOf(await world.manage(other, 'GET'))).toMatchObject([{ enabled: true, activeSessions: 1 }])
  })

  it('an ordinary key of the organization is no institution key', async () => {
    const own = await world.createInstitution()
    const { keyId } = await world.addOrganizationKey(own.organizationId)
    expect((await world.manage(own, 'PATCH', `/${keyId}`, { enabled: false })).status).toBe(404)
    expect((await world.manage(own, 'DELETE', `/${keyId}`)).status).toBe(404)
  })
})

describe('sessions', () => {
  it('are listed without their tokens, the newest first, page by page', async () => {
    const own = await world.createInstitution({ eduConfig: { sessionSpendQuotaUsd: 0.5, monthlySpendQuotaUsd: 3 } })
    const emails = [newEmail(), newEmail(), newEmail()]
    const tokens: string[] = []
    for (const email of emails) tokens.push((await world.enter({ key: own.key, email })).token)
    const all = await world.manage(own, 'GET', `/${own.keyId}/sessions`)
    expect(all.json.total_count).toBe(3)
    expect(listOf(all).map(({ email }) => email)).toEqual(emails.toReversed())
    expect(listOf(all)[0]).toEqual({
      id: expect.any(String),
      email: emails[2],
      status: 'active',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      revokedAt: null,
      requests: { quota: null, used: 0 },
      tokens: { quota: null, used: 0 },
      spendQuotaUsd: 0.5,
      monthlySpend: { quotaUsd: 3, usedUsd: 0 },
    })
    for (const token of tokens) expect(all.text).not.toContain(token)
    const page = await world.manage(own, 'GET', `/${own.keyId}/sessions?limit=1&offset=1`)
    expect([page.json.total_count, listOf(page).map(({ email }) => email)]).toEqual([3, [emails[1]]])
    const found = await world.manage(own, 'GET', `/${own.keyId}/sessions?email=${emails[0]?.toUpperCase()}`)
    expect(listOf(found).map(({ email }) => email)).toEqual([emails[0]])
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'status=some']) {
      expect((await world.manage(own, 'GET', `/${own.keyId}/sessions?${query}`)).status, query).toBe(400)
    }
  })

  it('[EDU-16] are ended one by one or all of a person, and only once', async () => {
    const own = await world.createInstitution()
    const email = newEmail()
    for (let count = 0; count < 3; count += 1) await world.enter({ key: own.key, email })
    const other = await world.enter({ key: own.key, email: newEmail() })
    const sessions = `/${own.keyId}/sessions`
    const [newest] = listOf(await world.manage(own, 'GET', `${sessions}?email=${email}`))
    expect((await world.manage(own, 'DELETE', `${sessions}/${newest?.id}`)).status).toBe(204)
    expect((await world.manage(own, 'DELETE', `${sessions}/${newest?.id}`)).status).toBe(404)
    expect((await world.manage(own, 'DELETE', sessions)).status).toBe(400)
    expect((await world.manage(own, 'DELETE', `${sessions}?email=${email.toUpperCase()}`)).json).toEqual({ revoked: 2 })
    expect((await world.manage(own, 'DELETE', `${sessions}?email=${email}`)).json).toEqual({ revoked: 0 })
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await world.manage(own, method, `${sessions}?email=a%00b`)).status).toBe(400)
    }
    const all = listOf(await world.manage(own, 'GET', `${sessions}?status=all`))
    expect(all.map(({ status }) => status)).toEqual(['active', 'revoked', 'revoked', 'revoked'])
    expect(listOf(await world.manage(own, 'GET', sessions))).toHaveLength(1)
    expect((await world.call({ key: other.token }, { model: 'test/echo' })).status).toBe(200)
  })
})

const entries = async (own: Institution) =>
  (
    await world.pool.query<{
      action: string
      actor_kind: string
      before: JsonObject | null
      after: JsonObject | null
      details: JsonObject | null
    }>(
      `SELECT action, actor_kind, before, after, details FROM audit_entries WHERE chain_id = $1 AND action LIKE 'institution.%' ORDER BY sequence`,
      [own.organizationId],
    )
  ).rows

describe('every change', () => {
  it('is in the audit log with what differs, and never a secret', async () => {
    const own = await world.createInstitution()
    const email = newEmail()
    const { token } = await world.enter({ key: own.key, email })
    await world.manage(own, 'PATCH', `/${own.keyId}`, { enabled: true })
    await world.manage(own, 'PATCH', `/${own.keyId}`, {
      enabled: false,
      eduConfig: { sessionSpendQuotaUsd: 1.5, monthlySpendQuotaUsd: 12.5 },
    })
    await world.manage(own, 'DELETE', `/${own.keyId}/sessions?email=${email}`)
    await world.manage(own, 'DELETE', `/${own.keyId}`)
    const log = await entries(own)
    expect(log).toMatchObject([
      { action: 'institution.key.create', actor_kind: 'key', after: { name: 'Campus', ...defaults } },
      {
        action: 'institution.key.update',
        before: { enabled: true, sessionSpendQuotaUsd: null, monthlySpendQuotaUsd: null },
        after: { enabled: false, sessionSpendQuotaUsd: '1.5', monthlySpendQuotaUsd: '12.5' },
      },
      { action: 'institution.session.revoke', details: { institutionKeyId: own.keyId, email } },
      { action: 'institution.key.delete', before: { name: 'Campus', enabled: false } },
    ])
    for (const secret of [own.key, token]) expect(JSON.stringify(log)).not.toContain(secret)
  })
})
