import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
// Not an expectation: entries are appended under them.
import { platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import { newUuid } from '#lib/uuid.ts'
import { appendAudit } from '#store/postgres/audit/audit.sql.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { append, tamper } from './audit-world.ts'
import { runWeir } from './run-weir.ts'

describe('weir audit log', () => {
  let database: TestDatabase
  let chainId: string
  beforeAll(async () => {
    database = await createTestDatabase()
    Object.assign(process.env, {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(database.url),
    })
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    chainId = newUuid(Date.now())
    for (let at = 1; at <= 6; at += 1) await append(database.pool, chainId, { details: { at } })
  })

  const verify = (...more: string[]) => runWeir('audit', 'log', '--organization', chainId, ...more)
  const query = async (text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows
  const hashAt = async (sequence: number): Promise<string> => {
    const text = `SELECT encode(hash, 'hex') AS hash FROM audit_entries WHERE chain_id = $1 AND sequence = $2`
    const [row] = await query(text, chainId, sequence)
    return String(row?.hash)
  }

  it('[AUDIT-05] shows where every whole chain ends', async () => {
    await append(database.pool, platformChain)
    const run = await runWeir('audit', 'log')
    expect(run).toMatchObject({ code: 0, error: '' })
    expect(run.out).toContain(`${chainId}: 6 entries, ends with ${await hashAt(6)}\n`)
    expect(run.out).toMatch(/^platform: \d+ entries, ends with [0-9a-f]{64}$/m)
    const json = await verify('--json')
    expect(JSON.parse(json.out)).toEqual({
      chains: [{ chain: chainId, entries: '6', hash: await hashAt(6), fault: null }],
      missing: [],
    })
  })

  it('walks a chain that is longer than one batch', async () => {
    await appendAudit(
      database.pool,
      Array.from({ length: 2_500 }, () => ({
        chainId,
        actor: systemActor,
        requestId: null,
        action: 'org.update' as const,
        target: null,
      })),
      Date.now(),
    )
    expect((await verify()).out).toContain('2506 entries')
    await tamper(database.pool, [
      `UPDATE audit_entries SET action = 'org.create' WHERE chain_id = $1 AND sequence = 2001`,
      [chainId],
    ])
    expect((await verify()).out).toContain('entry 2001 ')
  })

  it.each([
    ['an action', `action = 'org.create'`],
    ['the actor', `actor_name = 'eve@weir.test'`],
    ['the actor to nobody', 'actor_id = NULL'],
    ['a value', `after = '{"name": "Newer"}'`],
    ['a value to null', `before = 'null'`],
    ['the time by a microsecond', `at = at + interval '1 microsecond'`],
    ['the request', `request_id = 'req_2'`],
    ['the id', 'id = gen_random_uuid()'],
    ['the target', `target_id = 'another'`],
    ['the hash itself', `hash = sha256('x')`],
  ])('finds an edited entry: %s', async (_what, change) => {
    const [before] = await query('SELECT id FROM audit_entries WHERE chain_id = $1 AND sequence = 3', chainId)
    await tamper(database.pool, [`UPDATE audit_entries SET ${change} WHERE chain_id = $1 AND sequence = 3`, [chainId]])
    const run = await verify()
    expect(run.code).toBe(3)
    expect(run.out).toMatch(/, entry 3 [0-9a-f-]{36}: an entry does not match its hash; expected /)
    if (!change.startsWith('id')) expect(run.out).toContain(String(before?.id))
    expect(run.out).toContain(`valid up to entry 2 ${await hashAt(2)}`)
  })

  it('finds an edited entry whose own hash was made to fit', async () => {
    await tamper(
      database.pool,
      [`UPDATE audit_entries SET actor_name = 'eve' WHERE chain_id = $1 AND sequence = 3`, [chainId]],
      ['UPDATE audit_entries e SET hash = audit_hash(e) WHERE chain_id = $1 AND sequence = 3', [chainId]],
    )
    const run = await verify()
    expect(run.code).toBe(3)
    expect(run.out).toMatch(/, entry 4 \S+: an entry does not link to the previous one/)
  })

  it('finds entries that were taken out', async () => {
    await tamper(database.pool, ['DELETE FROM audit_entries WHERE chain_id = $1 AND sequence IN (3, 4)', [chainId]])
    const run = await verify()
    expect(run.code).toBe(3)
    expect(run.out).toContain(', entry 3: entries are missing; expected 3 to 4, found none')
  })

  it('finds an entry that was taken out and the gap closed', async () => {
    await tamper(
      database.pool,
      ['DELETE FROM audit_entries WHERE chain_id = $1 AND sequence = 3', [chainId]],
      ['UPDATE audit_entries SET sequence = sequence - 1 WHERE chain_id = $1 AND sequence > 3', [chainId]],
    )
    expect((await verify()).code).toBe(3)
  })

  it('finds entries whose order was changed', async () => {
    await tamper(
      database.pool,
      ['UPDATE audit_entries SET sequence = 100 WHERE chain_id = $1 AND sequence = 3', [chainId]],
      ['UPDATE audit_entries SET sequence = 3 WHERE chain_id = $1 AND sequence = 4', [chainId]],
      ['UPDATE audit_entries SET sequence = 4 WHERE chain_id = $1 AND sequence = 100', [chainId]],
    )
    const run = await verify()
    expect(run.code).toBe(3)
    expect(run.out).toContain('entry 3 ')
  })

  it('finds an entry before the first, and the whole chain moved to another', async () => {
    await tamper(database.pool, [
      `INSERT INTO audit_entries SELECT chain_id, 0, gen_random_uuid(), at, actor_kind, actor_id, actor_name, action,
         target_kind, target_id, before, after, details, request_id, previous_hash, hash
       FROM audit_entries WHERE chain_id = $1 AND sequence = 1`,
      [chainId],
    ])
    expect((await verify()).out).toContain('entry 0 ')
    const other = newUuid(Date.now())
    await tamper(
      database.pool,
      ['DELETE FROM audit_entries WHERE chain_id = $1 AND sequence = 0', [chainId]],
      ['UPDATE audit_entries SET chain_id = $2 WHERE chain_id = $1', [chainId, other]],
      ['UPDATE audit_heads SET chain_id = $2 WHERE chain_id = $1', [chainId, other]],
    )
    chainId = other
    expect((await verify()).out).toContain('an entry does not match its hash')
  })

  it('finds a tail that was cut off, even together with its head if the end was noted before', async () => {
    const noted = await hashAt(6)
    const earlier = await hashAt(4)
    expect((await verify('--expect', noted, '--expect', earlier)).code).toBe(0)
    await tamper(database.pool, ['DELETE FROM audit_entries WHERE chain_id = $1 AND sequence > 4', [chainId]])
    const cut = await verify()
    expect(cut.code).toBe(3)
    expect(cut.out).toContain(`the chain does not end at its recorded head; expected 4 ${earlier}, found 6 ${noted}`)
    await tamper(database.pool, [
      `UPDATE audit_heads SET sequence = 4, hash = decode($2, 'hex') WHERE chain_id = $1`,
      [chainId, earlier],
    ])
    expect((await verify()).code).toBe(0)
    expect((await verify('--expect', earlier)).code).toBe(0)
    const pinned = await verify('--expect', noted.toUpperCase())
    expect(pinned).toMatchObject({ code: 3, out: expect.stringContaining(`no entry has the expected hash ${noted}`) })
  })

  it('finds a whole chain that was rewritten, if its end was noted before', async () => {
    const noted = await hashAt(6)
    await tamper(
      database.pool,
      ['DELETE FROM audit_entries WHERE chain_id = $1', [chainId]],
      ['DELETE FROM audit_heads WHERE chain_id = $1', [chainId]],
    )
    expect(await verify()).toMatchObject({ code: 0 })
    for (let at = 1; at <= 6; at += 1) await append(database.pool, chainId, { details: { at } })
    expect(await verify()).toMatchObject({ code: 0 })
    expect(await verify('--expect', noted)).toMatchObject({ code: 3 })
  })

  it('finds heads that were swapped, moved or taken away', async () => {
    const other = newUuid(Date.now())
    await append(database.pool, other)
    const swap: [string, unknown[]] = [
      `UPDATE audit_heads a SET sequence = b.sequence, hash = b.hash FROM audit_heads b
       WHERE a.chain_id = ANY($1) AND b.chain_id = ANY($1) AND a.chain_id <> b.chain_id`,
      [[chainId, other]],
    ]
    const faultsBefore = new Set(await brokenChains())
    await tamper(database.pool, swap)
    expect((await brokenChains()).filter((chain) => !faultsBefore.has(chain)).sort()).toEqual([chainId, other].sort())
    await tamper(database.pool, swap)
    await tamper(database.pool, ['DELETE FROM audit_heads WHERE chain_id = $1', [other]])
    expect((await brokenChains()).filter((chain) => !faultsBefore.has(chain))).toEqual([other])
  })

  it('knows an organization by its slug, and refuses what it does not know', async () => {
    await query('INSERT INTO organizations (id, name, slug) VALUES ($1, $2, $2)', chainId, `slug-${chainId.slice(-12)}`)
    const run = await runWeir('audit', 'log', '--organization', `slug-${chainId.slice(-12)}`)
    expect(run).toMatchObject({ code: 0, out: expect.stringContaining(`${chainId}: 6 entries`) })
    expect(await runWeir('audit', 'log', '--organization', 'nobody')).toMatchObject({ code: 1 })
    expect(await runWeir('audit', 'log', '--expect', 'abc')).toMatchObject({ code: 2 })
  })
})

async function brokenChains(): Promise<string[]> {
  const run = await runWeir('audit', 'log', '--json')
  expect(run.code).toBe(3)
  const found: { chains: { chain: string; fault: object | null }[] } = JSON.parse(run.out)
  return found.chains.filter(({ fault }) => fault !== null).map(({ chain }) => chain)
}
