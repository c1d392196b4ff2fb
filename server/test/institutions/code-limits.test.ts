import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startTestGateway } from '#test/setup/gateway.ts'
import {
  codeIn,
  type InstitutionWorld,
  newEmail,
  randomIp,
  startInstitutionWorld,
  wrongCode,
} from './institution-world.ts'

/**
 * The limits on codes, written by hand. A key may change the first two.
 *
 * | What is counted | From | At most | In |
 * |---|---|---|---|
 * | code requests | one network | 10 | 15 minutes |
 * | code requests | anywhere, with one key | 100 | an hour |
 * | codes mailed | for one address | 1 | a minute |
 * | codes mailed | for one address | 6 | an hour |
 * | wrong codes | for one code | 5 | its life |
 * | wrong codes | one network | 50 | 15 minutes |
 * | wrong codes | anywhere, with one key | 500 | an hour |
 */
describe('the limits on codes', () => {
  let world: InstitutionWorld
  beforeAll(async () => {
    world = await startInstitutionWorld()
  })
  afterAll(() => world.close())

  const limited = [429, '{"error":"rate_limited"}']
  const cooldown = [429, '{"error":"cooldown"}']

  async function newKey(eduConfig: JsonObject = {}) {
    return world.createInstitution({ eduConfig: { allowedDomains: ['uni.edu'], ...eduConfig } })
  }

  async function request(key: string, email: string, ip: string): Promise<unknown[]> {
    const { status, text } = await world.requestCode({ key, email }, { ip })
    return [status, text]
  }

  /** Moves what a key has asked for into the past. */
  async function age(key: string, seconds: number): Promise<void> {
    const text = `UPDATE institution_code_requests SET at = at - make_interval(secs => $2) WHERE key_hash = decode($1, 'hex')`
    await world.pool.query(text, [hash('sha256', key), seconds])
  }

  it.each([
    [10, {}],
    [12, { codesPerNetworkPer15Minutes: 12 }],
    [2, { codesPerNetworkPer15Minutes: 2 }],
  ])('let a network ask for %d codes in 15 minutes with %o', async (max, eduConfig) => {
    const { key } = await newKey(eduConfig)
    const ip = randomIp()
    for (let count = 0; count < max; count += 1) expect((await request(key, newEmail(), ip))[0]).toBe(200)
    expect(await request(key, newEmail(), ip)).toEqual(limited)
    expect((await request(key, newEmail(), randomIp()))[0]).toBe(200)
    await age(key, 901)
    expect((await request(key, newEmail(), ip))[0]).toBe(200)
  })

  it('change at once with the key, and back', async () => {
    const institution = await newKey()
    const { key, keyId } = institution
    const ip = randomIp()
    const setMax = (max: number) =>
      world.manage(institution, 'PATCH', `/${keyId}`, { eduConfig: { codesPerNetworkPer15Minutes: max } })
    for (let count = 0; count < 10; count += 1) expect((await request(key, newEmail(), ip))[0]).toBe(200)
    expect(await request(key, newEmail(), ip)).toEqual(limited)
    expect((await setMax(11)).status).toBe(200)
    expect((await request(key, newEmail(), ip))[0]).toBe(200)
    expect(await request(key, newEmail(), ip)).toEqual(limited)
    await setMax(10)
    expect(await request(key, newEmail(), ip)).toEqual(limited)
    for (const max of [0, 10_001]) expect((await setMax(max)).status).toBe(400)
  })

  it('let a key send as many codes in an hour as it says', async () => {
    const { key } = await newKey({ codesPerHour: 3 })
    for (const _ of [1, 2, 3]) expect((await request(key, newEmail(), randomIp()))[0]).toBe(200)
    expect(await request(key, newEmail(), randomIp())).toEqual(limited)
    await age(key, 3_601)
    expect((await request(key, newEmail(), randomIp()))[0]).toBe(200)
  })

  it('let nobody flood a mailbox: one code in a minute, six in an hour, whatever the key allows', async () => {
    const { key } = await newKey({ codesPerHour: 100_000, codesPerNetworkPer15Minutes: 10_000 })
    const email = newEmail()
    for (let count = 0; count < 6; count += 1) {
      expect((await request(key, email, randomIp()))[0]).toBe(200)
      expect(await request(key, email, randomIp())).toEqual(cooldown)
      await age(key, 61)
    }
    expect(await request(key, email, randomIp())).toEqual(cooldown)
    await age(key, 3_600)
    expect((await request(key, email, randomIp()))[0]).toBe(200)
  })

  it('let a network guess 50 codes in 15 minutes, and then not even the right one', async () => {
    const { key } = await newKey()
    const ip = randomIp()
    const entry = { key, email: newEmail() }
    const code = await world.codeFor(entry)
    for (let count = 0; count < 50; count += 1) {
      const guess = { key, email: newEmail(), code: '000000' }
      expect((await world.verify(guess, { ip })).status).toBe(400)
    }
    const refused = await world.verify({ ...entry, code }, { ip })
    expect([refused.status, refused.text]).toEqual(limited)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600)
    expect((await world.verify({ ...entry, code }, { ip: randomIp() })).status).toBe(200)
  })

  it('let a key be guessed at 500 times in an hour, from however many networks', async () => {
    const { key } = await newKey({ codesPerHour: 100_000 })
    const entry = { key, email: newEmail() }
    const code = await world.codeFor(entry)
    await world.pool.query(
      `INSERT INTO institution_wrong_codes (at, client, key_hash)
       SELECT now(), decode(md5(n::text), 'hex'), decode($1, 'hex') FROM generate_series(1, 499) AS n`,
      [hash('sha256', key)],
    )
    expect((await world.verify({ ...entry, code: wrongCode(code) })).status).toBe(400)
    const refused = await world.verify({ ...entry, code })
    expect([refused.status, refused.text]).toEqual(limited)
    const other = await newKey()
    const theirs = { key: other.key, email: newEmail() }
    expect((await world.verify({ ...theirs, code: await world.codeFor(theirs) })).status).toBe(200)
  })

  it('let a thousand people behind one address enter, and count no right code', async () => {
    const { key, keyId } = await newKey({ codesPerNetworkPer15Minutes: 1_000, codesPerHour: 1_000 })
    const ip = randomIp()
    const people = Array.from({ length: 1_000 }, () => newEmail())
    const enter = async (email: string): Promise<void> => {
      expect((await request(key, email, ip))[0], email).toBe(200)
      const code = codeIn((await world.mailServer.nextTo(email)).text)
      expect((await world.verify({ key, email, code }, { ip })).status, email).toBe(200)
    }
    const line = people.values()
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const email of line) await enter(email)
      }),
    )
    const { rows } = await world.pool.query<{ sessions: number; wrong: number }>(
      `SELECT (SELECT count(*) FROM institution_sessions WHERE key_id = $1)::integer AS sessions,
         (SELECT count(*) FROM institution_wrong_codes WHERE key_hash = decode($2, 'hex'))::integer AS wrong`,
      [keyId, hash('sha256', key)],
    )
    expect(rows).toEqual([{ sessions: 1_000, wrong: 0 }])
    expect(await request(key, newEmail(), ip)).toEqual(limited)
  })
})

it('says that no mail server is configured, whatever the key and address', async () => {
  const gateway = await startTestGateway()
  for (const entry of [{ key: 'sk-edu-unknown', email: 'ada@uni.edu' }, {}]) {
    const { status, text } = await gateway.as().post('/api/edu/request-code', entry)
    expect([status, text]).toEqual([503, '{"error":"mail_not_configured"}'])
  }
  await gateway.close()
})
