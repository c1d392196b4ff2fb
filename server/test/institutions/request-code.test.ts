import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import {
  codeIn,
  type Institution,
  type InstitutionWorld,
  newEmail,
  randomIp,
  startInstitutionWorld,
  unknownKey,
} from './institution-world.ts'

let world: InstitutionWorld
let institution: Institution
beforeAll(async () => {
  world = await startInstitutionWorld()
  institution = await world.createInstitution({ name: 'University of\r\nTesting www.evil.example 123456' })
})
afterAll(() => world.close())

const accepted = '{"ok":true,"sent":true}'

describe('a code by mail', () => {
  it('[EDU-01] [EDU-03] goes to an address of an allowed domain, without any credential', async () => {
    const email = newEmail()
    const answer = await world.requestCode({ key: institution.key, email })
    expect([answer.status, answer.text]).toEqual([200, accepted])
    const mail = await world.mailServer.nextTo(email)
    expect(mail.to).toEqual([email])
    expect(mail.headers).toMatchObject({ to: email, subject: 'Your verification code' })
    expect(mail.text.match(/(?<!\d)\d{6}(?!\d)/g)).toHaveLength(1)
    expect(mail.text).toContain('15 minutes')
  })

  it('names the organization without what a mail program could make a link of', async () => {
    const email = newEmail()
    await world.codeFor({ key: institution.key, email })
    const mail = world.mailServer.mails.find(({ to }) => to.includes(email))
    expect(mail?.text).toContain('University of Testing www evil example')
  })

  it('has six digits of chance', async () => {
    const codes: string[] = []
    for (let count = 0; count < 40; count += 1)
      codes.push(await world.codeFor({ key: institution.key, email: newEmail() }))
    await world.passTime('1 hour')
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true)
    expect(new Set(codes).size).toBeGreaterThan(35)
    expect(new Set(codes.join('')).size).toBe(10)
  })

  it('[EDU-02] is not sent for an unknown key or a domain that is not allowed, and the answer is the same', async () => {
    const asked = [
      { key: unknownKey(), email: newEmail() },
      { key: 'sk-edu-', email: newEmail() },
      { key: institution.admin.key, email: newEmail() },
      { key: institution.key, email: newEmail('elsewhere.edu') },
      { key: institution.key, email: 'no address at all' },
    ]
    const before = world.mailServer.mails.length
    for (const entry of asked) {
      const answer = await world.requestCode(entry)
      expect([answer.status, answer.text], entry.email).toEqual([200, accepted])
      expect(await world.storedCode(entry)).toMatchObject({ key_id: null })
    }
    expect(world.mailServer.mails).toHaveLength(before)
    const known = { key: institution.key, email: newEmail() }
    await world.requestCode(known)
    expect(await world.storedCode(known)).toMatchObject({ key_id: institution.keyId })
  })

  it('[EDU-04] domains match exactly, and tricks with addresses reach nobody', async () => {
    const tricks = [
      'a@sub.uni.edu',
      'a@evil-uni.edu',
      'a@uni.edu.evil.com',
      'a@uni.education',
      'a@UNI.edu.',
      'a@evil.com,b@uni.edu',
      '<a@evil.com>@uni.edu',
      '"a@evil.com"@uni.edu',
      'a@evil.com@uni.edu',
      'a%evil.com@uni.edu',
      'a@uni.edu\r\nBcc: b@evil.com',
      'b@uni.edu <a@evil.com>',
      'a@unі.edu',
      'a@ｕｎｉ.edu',
    ]
    for (const email of tricks) {
      const entry = { key: institution.key, email }
      const answer = await world.requestCode(entry)
      expect([answer.status, answer.text], email).toEqual([200, accepted])
      expect(await world.storedCode(entry), email).toMatchObject({ key_id: null })
    }
    const receivers = world.mailServer.mails.flatMap(({ to }) => to)
    expect(receivers.filter((to) => !/^student\d+@uni\.edu$/.test(to))).toEqual([])
    await world.passTime('1 hour')
  })

  it('[EDU-04] is for the one domain in any spelling of its letters', async () => {
    const email = newEmail('Uni.EDU').replace('student', 'Student')
    await world.requestCode({ key: institution.key, email })
    const [local] = email.split('@')
    expect(codeIn((await world.mailServer.nextTo(`${local}@uni.edu`)).text)).toMatch(/^\d{6}$/)
  })

  it('is refused with one word where key or email are missing', async () => {
    const bodies = [{}, { key: institution.key }, { email: newEmail() }, { key: 1, email: [] }, 'no JSON', '[]', '']
    for (const body of bodies) {
      const answer = await world.post('/api/edu/request-code', body)
      expect([answer.status, answer.text], JSON.stringify(body)).toEqual([400, '{"error":"invalid"}'])
    }
    const large = await world.post('/api/edu/request-code', { key: 'x'.repeat(11_000_000), email: '' })
    expect([large.status, large.text]).toEqual([413, '{"error":"invalid"}'])
    const long = await world.requestCode({ key: institution.key, email: `${'a'.repeat(2_000)}@uni.edu` })
    expect(long.status).toBe(400)
  })
})

describe('the pace of code requests', () => {
  // Existing and unknown subjects must count alike, or the rate limit would reveal which is which.
  const kinds = [
    ['a key that exists', () => institution.key, 'uni.edu'],
    ['a key that does not', unknownKey, 'uni.edu'],
    ['a domain that is not allowed', () => institution.key, 'elsewhere.edu'],
  ] as const

  it.each(kinds)(
    '[EDU-05] a second request for one key and email within 60 s has to wait: %s',
    async (_name, keyOf, domain) => {
      const entry = { key: keyOf(), email: newEmail(domain) }
      expect((await world.requestCode(entry)).status).toBe(200)
      const second = await world.requestCode({ ...entry, email: entry.email.toUpperCase() })
      expect([second.status, second.text]).toEqual([429, '{"error":"cooldown"}'])
      expect(second.headers.get('retry-after')).toBe(await cooldownLeft())
      expect((await world.requestCode({ ...entry, email: newEmail(domain) })).status).toBe(200)
      await world.passTime('30 s')
      expect((await world.requestCode(entry)).status).toBe(429)
      // A request that came too early does not extend the wait.
      await world.passTime('30 s')
      expect((await world.requestCode(entry)).status).toBe(200)
      await world.passTime('1 hour')
    },
  )

  it.each(kinds)(
    '[EDU-06] the 11th request from one IP within 15 minutes is refused: %s',
    async (_name, keyOf, domain) => {
      const [ip, key] = [randomIp(), keyOf()]
      const ask = () => world.requestCode({ key, email: newEmail(domain) }, { ip })
      for (let count = 0; count < 10; count += 1) expect((await ask()).status, `request ${count + 1}`).toBe(200)
      const eleventh = await ask()
      expect([eleventh.status, eleventh.text]).toEqual([429, '{"error":"rate_limited"}'])
      expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(800)
      expect((await world.requestCode({ key, email: newEmail(domain) })).status).toBe(200)
      await world.passTime('14 minutes')
      expect((await ask()).status).toBe(429)
      await world.passTime('1 minute')
      expect((await ask()).status).toBe(200)
      await world.passTime('1 hour')
    },
  )

  it('[EDU-06] counts a network of IPv6 as one, and requests that had to wait as well', async () => {
    const email = newEmail()
    const ask = (host: number) =>
      world.requestCode(
        { key: institution.key, email: host % 2 === 0 ? email : newEmail() },
        { ip: `2001:db8:5:6::${host}` },
      )
    const statuses: number[] = []
    for (let host = 1; host <= 10; host += 1) statuses.push((await ask(host)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(6)
    expect((await ask(11)).json).toEqual({ error: 'rate_limited' })
    expect(
      (await world.requestCode({ key: institution.key, email: newEmail() }, { ip: '2001:db8:5:7::1' })).status,
    ).toBe(200)
    await world.passTime('1 hour')
  })

  it.each(kinds)(
    '[EDU-07] the 101st request for one key within an hour is refused: %s',
    async (_name, keyOf, domain) => {
      const key = keyOf()
      const ask = () => world.requestCode({ key, email: newEmail(domain) })
      for (let count = 0; count < 100; count += 1) expect((await ask()).status, `request ${count + 1}`).toBe(200)
      const next = await ask()
      expect([next.status, next.text]).toEqual([429, '{"error":"rate_limited"}'])
      expect((await world.requestCode({ key: unknownKey(), email: newEmail() })).status).toBe(200)
      await world.passTime('59 minutes')
      expect((await ask()).status).toBe(429)
      await world.passTime('1 minute')
      expect((await ask()).status).toBe(200)
      await world.passTime('1 hour')
    },
  )

  it('[EDU-06] [EDU-05] is one for all processes, and exact when requests come together', async () => {
    const second = await startSecondGateway(world, { WEIR_EDGE_PROXIES: '127.0.0.1' })
    const urls = [world.url, second.url]
    const ip = randomIp()
    const byClient = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const url = urls[index % 2] ?? world.url
        return world.requestCode({ key: unknownKey(), email: newEmail() }, { ip, url })
      }),
    )
    expect(byClient.filter(({ status }) => status === 200)).toHaveLength(10)
    const entry = { key: institution.key, email: newEmail() }
    const byAddress = await Promise.all(
      Array.from({ length: 20 }, (_, index) => world.requestCode(entry, { url: urls[index % 2] ?? world.url })),
    )
    expect(byAddress.filter(({ status }) => status === 200)).toHaveLength(1)
    await second.close()
    await world.passTime('1 hour')
  })

  it('keeps neither addresses nor clients in clear', async () => {
    const [email, ip] = [newEmail(), randomIp()]
    await world.requestCode({ key: institution.key, email }, { ip })
    const { rows } = await world.pool.query<{ row: string }>('SELECT r::text AS row FROM institution_code_requests r')
    const texts = rows.map(({ row }) => row).join('\n')
    expect(rows.length).toBeGreaterThan(0)
    for (const secret of [email, ip, institution.key]) {
      expect(texts).not.toContain(secret)
      expect(texts).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('[AUDIT-04] a code request that failed', () => {
  it.each([
    ['a domain that is not allowed', 'domain_not_allowed', 'elsewhere.edu', 'a@elsewhere.edu'],
    ['what is no address', 'malformed_address', null, 'a@evil.com\r\n,b@uni.edu'],
  ])('leaves an entry in the log of the organization: %s', async (_name, reason, domain, email) => {
    const own = await world.createInstitution()
    await world.requestCode({ key: own.key, email })
    await expect.poll(() => world.auditOf(own.organizationId, 'institution.code.refused')).toHaveLength(1)
    const [entry] = await world.auditOf(own.organizationId, 'institution.code.refused')
    expect(entry).toMatchObject({
      actor_kind: 'anonymous',
      target_kind: 'institution_key',
      target_id: own.keyId,
      details: { reason, domain },
    })
    expect(JSON.stringify(entry)).not.toContain('evil')
  })

  it.each([
    ['key_disabled', { enabled: false }, null],
    ['organization_suspended', null, 'UPDATE organizations SET suspended_at = now() WHERE id = $1'],
  ])('says why: %s', async (reason, change, statement) => {
    const own = await world.createInstitution()
    if (change !== null) await world.manage(own, 'PATCH', `/${own.keyId}`, change)
    if (statement !== null) await world.pool.query(statement, [own.organizationId])
    const email = newEmail()
    const answer = await world.requestCode({ key: own.key, email })
    expect([answer.status, answer.text]).toEqual([200, accepted])
    await expect
      .poll(() => world.auditOf(own.organizationId, 'institution.code.refused'))
      .toMatchObject([{ details: { reason } }])
    expect(world.mailServer.mails.filter(({ to }) => to.includes(email))).toEqual([])
  })

  it('can not be made to flood the log', async () => {
    const own = await world.createInstitution()
    await Promise.all(
      Array.from({ length: 150 }, () => world.requestCode({ key: own.key, email: newEmail('elsewhere.edu') })),
    )
    await expect.poll(() => world.auditOf(own.organizationId, 'institution.code.refused')).toHaveLength(100)
  })
})

/** The rest of 60 s between the last two requests, by the store's own times. */
async function cooldownLeft(): Promise<string | undefined> {
  const { rows } = await world.pool.query<{ left: string }>(
    `SELECT ceil(60 - extract(epoch FROM later.at - earlier.at))::text AS left
     FROM institution_code_requests AS later, institution_code_requests AS earlier
     WHERE later.id = (SELECT max(id) FROM institution_code_requests) AND earlier.id = later.id - 1`,
  )
  return rows[0]?.left
}
