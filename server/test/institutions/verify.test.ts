import { createHmac, hash, hkdfSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMailAddress } from '#domain/institutions/parse-mail-address.ts'
import { testSecret } from '#test/setup/gateway.ts'
import {
  type Institution,
  type InstitutionWorld,
  newEmail,
  startInstitutionWorld,
  unknownKey,
  wrongCode,
} from './institution-world.ts'

let world: InstitutionWorld
let institution: Institution
beforeAll(async () => {
  world = await startInstitutionWorld()
  institution = await world.createInstitution({ name: 'University of Testing' })
})
afterAll(() => world.close())

const invalid = [400, '{"error":"invalid"}']
const usedUp = [429, '{"error":"too_many_attempts"}']

async function tell(guess: { key: string; email: string; code: string }): Promise<unknown[]> {
  const { status, text } = await world.verify(guess)
  return [status, text]
}

async function countSessions(email: string): Promise<number> {
  const { rows } = await world.pool.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM institution_sessions WHERE email = $1 AND revoked_at IS NULL',
    [email],
  )
  return rows[0]?.count ?? -1
}

describe('the right code', () => {
  it('[EDU-08] [EDU-03] [EDU-15] opens a session of a day, without any credential', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const code = await world.codeFor(entry)
    const beforeMs = Date.now()
    const answer = await world.verify({ ...entry, code })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      token: expect.stringMatching(/^edu-sess-[\w-]{43}$/),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      organization: { id: institution.organizationId, name: 'University of Testing' },
    })
    const begunMs = Date.parse(String(answer.json.expiresAt)) - 86_400_000
    expect(begunMs).toBeGreaterThanOrEqual(beforeMs)
    expect(begunMs).toBeLessThanOrEqual(Date.now())
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('is the person’s in any spelling of the address, and nobody else’s', async () => {
    const email = newEmail()
    const code = await world.codeFor({ key: institution.key, email })
    const other = await world.createInstitution()
    expect(await tell({ key: institution.key, email: newEmail(), code })).toEqual(invalid)
    expect(await tell({ key: other.key, email, code })).toEqual(invalid)
    const answer = await world.verify({ key: institution.key, email: ` ${email.toUpperCase()} `, code: ` ${code} ` })
    expect(answer.status).toBe(200)
  })

  it('works once, also for those who come at the same moment', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const code = await world.codeFor(entry)
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.verify({ ...entry, code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countSessions(entry.email)).toBe(1)
    expect(await tell({ ...entry, code })).toEqual(invalid)
  })

  it('does not work any more once another was asked for', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const first = await world.codeFor(entry)
    await world.passTime('61 s')
    const second = await world.codeFor(entry)
    if (first !== second) expect(await tell({ ...entry, code: first })).toEqual(invalid)
    expect((await world.verify({ ...entry, code: second })).status).toBe(200)
  })

  it.each([
    ['switched off', { enabled: false }],
    ['no more for this domain', { eduConfig: { allowedDomains: ['elsewhere.edu'] } }],
  ])('opens nothing when its key is %s meanwhile', async (_name, change) => {
    const own = await world.createInstitution()
    const entry = { key: own.key, email: newEmail() }
    const code = await world.codeFor(entry)
    expect((await world.manage(own, 'PATCH', `/${own.keyId}`, change)).status).toBe(200)
    expect(await tell({ ...entry, code })).toEqual(invalid)
    expect(await countSessions(entry.email)).toBe(0)
  })
})

describe('a wrong code', () => {
  it('[EDU-09] is invalid, and so is what is no code, an unknown key, and an address that never asked', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const code = await world.codeFor(entry)
    expect(await tell({ ...entry, code: wrongCode(code) })).toEqual(invalid)
    expect(await tell({ ...entry, code: `${code}0` })).toEqual(invalid)
    expect(await tell({ key: unknownKey(), email: newEmail(), code })).toEqual(invalid)
    expect(await tell({ key: institution.key, email: newEmail(), code })).toEqual(invalid)
    for (const body of [{}, entry, { ...entry, code: Number(code) }, { ...entry, code: [code] }, 'no JSON']) {
      const { status, text } = await world.post('/api/edu/verify', body)
      expect([status, text], JSON.stringify(body)).toEqual(invalid)
    }
    // Five of these named key and email, and each counted as an attempt.
    expect(await tell({ ...entry, code })).toEqual(usedUp)
  })

  it('[EDU-09] is one that is older than 900 s, or than the key says', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const code = await world.codeFor(entry)
    const { subject } = await world.storedCode(entry)
    const life = `SELECT extract(epoch FROM expires_at - created_at)::integer AS s FROM institution_codes WHERE subject = $1`
    expect((await world.pool.query(life, [subject])).rows).toEqual([{ s: 900 }])
    await world.pool.query('UPDATE institution_codes SET expires_at = now() WHERE subject = $1', [subject])
    expect(await tell({ ...entry, code })).toEqual(invalid)
    const short = await world.createInstitution({ eduConfig: { verificationTtlSeconds: 60 } })
    const other = { key: short.key, email: newEmail() }
    await world.requestCode(other)
    expect((await world.pool.query(life, [(await world.storedCode(other)).subject])).rows).toEqual([{ s: 60 }])
  })

  it('[EDU-10] after five of them even the right one is refused, until another is asked for', async () => {
    const own = await world.createInstitution()
    const entry = { key: own.key, email: newEmail() }
    const code = await world.codeFor(entry)
    for (let count = 1; count <= 5; count += 1) {
      expect(await tell({ ...entry, code: wrongCode(code, count) }), `attempt ${count}`).toEqual(invalid)
    }
    expect(await tell({ ...entry, code })).toEqual(usedUp)
    expect(await tell({ ...entry, code: wrongCode(code) })).toEqual(usedUp)
    expect(await countSessions(entry.email)).toBe(0)
    await expect
      .poll(() => world.auditOf(own.organizationId, 'institution.code.refused'))
      .toMatchObject([{ details: { reason: 'attempts_used_up', domain: 'uni.edu' } }])
    await world.passTime('61 s')
    const next = await world.codeFor(entry)
    expect((await world.verify({ ...entry, code: next })).status).toBe(200)
  })

  it('[EDU-10] the right one at the fifth attempt still works', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const code = await world.codeFor(entry)
    for (let count = 1; count <= 4; count += 1) await world.verify({ ...entry, code: wrongCode(code, count) })
    expect((await world.verify({ ...entry, code })).status).toBe(200)
  })

  it('[EDU-10] of 200 guesses at the same moment exactly five are judged', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const code = await world.codeFor(entry)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => world.verify({ ...entry, code: wrongCode(code, index + 1) })),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(195)
    expect((await world.storedCode(entry)).attempts).toBe(5)
    expect(await tell({ ...entry, code })).toEqual(usedUp)
  })

  it.each([
    ['an unknown key', unknownKey, 'uni.edu'],
    ['a domain that is not allowed', () => institution.key, 'elsewhere.edu'],
  ])(
    '[EDU-02] [EDU-10] guessing tells as little about %s as about one that got a code',
    async (_name, keyOf, domain) => {
      const entry = { key: keyOf(), email: newEmail(domain) }
      await world.requestCode(entry)
      await world.storedCode(entry)
      for (let count = 1; count <= 5; count += 1) {
        expect(await tell({ ...entry, code: `00000${count}` })).toEqual(invalid)
      }
      expect(await tell({ ...entry, code: '000006' })).toEqual(usedUp)
    },
  )
})

describe('[EDU-17] a sixth session of one person', () => {
  it('begins, and the oldest ends', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const tokens: string[] = []
    for (let count = 0; count < 5; count += 1) tokens.push((await world.enter(entry)).token)
    const statusOf = async (token: string) => (await world.call({ key: token }, { model: 'test/echo' })).status
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 200, 200, 200])
    tokens.push((await world.enter(entry)).token)
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 200, 200, 200, 200])
    expect(await countSessions(entry.email)).toBe(5)
    const somebodyElse = await world.enter({ key: institution.key, email: newEmail() })
    expect(await statusOf(somebodyElse.token)).toBe(200)
    expect(await countSessions(entry.email)).toBe(5)
  })

  it('counts as the key says, and not those that have run out', async () => {
    const own = await world.createInstitution({ eduConfig: { maxSessionsPerEmailPerKey: 1 } })
    const entry = { key: own.key, email: newEmail() }
    await world.enter(entry)
    await world.pool.query('UPDATE institution_sessions SET expires_at = now() WHERE email = $1', [entry.email])
    await world.enter(entry)
    await world.enter(entry)
    const { rows } = await world.pool.query<{ revoked: boolean }>(
      'SELECT revoked_at IS NOT NULL AS revoked FROM institution_sessions WHERE email = $1 ORDER BY created_at',
      [entry.email],
    )
    expect(rows).toEqual([{ revoked: false }, { revoked: true }, { revoked: false }])
  })
})

describe('[EDU-19] a code', () => {
  it('is stored as an HMAC-SHA256 alone, and in clear in no table, log or answer', async () => {
    const entry = { key: institution.key, email: newEmail() }
    const address = parseMailAddress(entry.email)
    const texts: string[] = []
    const asked = await world.requestCode(entry)
    const { text: mail } = await world.mailServer.nextTo(address?.mailbox ?? '')
    const code = /\d{6}/.exec(mail)?.[0] ?? ''
    texts.push(asked.text, JSON.stringify([...asked.headers]))
    const key = hkdfSync('sha256', testSecret, 'weir', 'institution codes', 32)
    const message = JSON.stringify(['code', hash('sha256', entry.key), entry.email, code])
    const hmac = createHmac('sha256', Buffer.from(key)).update(message).digest()
    expect((await world.storedCode(entry)).code_hmac).toEqual(hmac)
    texts.push(...(await everythingStored()))
    const wrong = await world.verify({ ...entry, code: wrongCode(code) })
    const right = await world.verify({ ...entry, code })
    expect(right.status).toBe(200)
    texts.push(wrong.text, right.text, ...(await everythingStored()))
    for (const path of ['', `/${institution.keyId}/sessions`]) {
      texts.push((await world.manage(institution, 'GET', path)).text)
    }
    texts.push(...world.logLines)
    // Six digits may occur by chance, such as in a time or an id, so only the whole value counts.
    const alone = new RegExp(`(?<![\\dA-Za-z.-])${code}(?![\\dA-Za-z.-])`)
    expect(texts.filter((text) => alone.test(text))).toEqual([])
    const hex = Buffer.from(code).toString('hex')
    expect(texts.filter((text) => text.includes(`\\x${hex}"`) || text.includes(`"${hex}"`))).toEqual([])
    const token = String(right.json.token)
    expect([...(await everythingStored()), ...world.logLines].filter((text) => text.includes(token.slice(9)))).toEqual(
      [],
    )
    expect(world.logLines.filter((line) => line.includes(institution.key.slice(7)))).toEqual([])
  })
})

/** Every row of every table as a string. */
async function everythingStored(): Promise<string[]> {
  const { rows } = await world.pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name !~ '^(models|offers|prices)'`,
  )
  expect(rows.length).toBeGreaterThan(15)
  const tables = rows.map(({ name }) =>
    world.pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`),
  )
  return (await Promise.all(tables)).flatMap((table) => table.rows.map(({ row }) => row))
}
