import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashEntry } from '#domain/audit/verify-chain.ts'
import { newUuid } from '#lib/uuid.ts'
import { createAuditTrail, readChainsAtOnce } from '#store/postgres/audit/audit-log.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { append } from './audit-world.ts'

describe('a chain of the audit log', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const entriesOf = (chainId: string) =>
    readChainsAtOnce(database.pool, (chains) => chains.readEntries({ chainId, after: null, limit: 1_000 }))

  it('[AUDIT-05] only ever grows: updates, deletes and truncation are refused', async () => {
    const chainId = newChain()
    await append(database.pool, chainId)
    for (const statement of [
      `UPDATE audit_entries SET action = 'org.create'`,
      'UPDATE audit_entries SET action = action WHERE false',
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries',
      `INSERT INTO audit_entries SELECT * FROM audit_entries
         ON CONFLICT (chain_id, sequence) DO UPDATE SET action = 'org.create'`,
    ]) {
      await expect(database.pool.query(statement), statement).rejects.toThrow('append-only')
    }
    expect(await entriesOf(chainId)).toMatchObject([{ sequence: 1n, action: 'org.update', previousHash: '' }])
  })

  it('takes parallel appends one after the other, without a gap', async () => {
    const chainId = newChain()
    await Promise.all(Array.from({ length: 50 }, () => append(database.pool, chainId)))
    const entries = await entriesOf(chainId)
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, at) => BigInt(at + 1)))
    for (const [at, entry] of entries.entries()) {
      expect(entry.previousHash).toBe(entries[at - 1]?.hash ?? '')
      expect(entry.hash).toBe(hashEntry(entry))
    }
  })

  it('keeps the order of entries that one process reports together', async () => {
    const trail = createAuditTrail(database.pool)
    const [chainId, other] = [newChain(), newChain()]
    const actor = { kind: 'system', id: null, name: null } as const
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        trail.append({
          chainId: at % 10 === 9 ? other : chainId,
          actor,
          requestId: null,
          action: 'filter.flagged',
          target: null,
          details: { at },
        }),
      ),
    )
    const entries = await entriesOf(chainId)
    const expected = Array.from({ length: 100 }, (_, at) => at).filter((at) => at % 10 !== 9)
    expect(entries.map(({ details }) => details)).toEqual(expected.map((at) => `{"at": ${at}}`))
    expect(await entriesOf(other)).toHaveLength(10)
  })

  it('has the same hashes in code and in Postgres, whatever is written', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', ''))
    const json = fc
      .dictionary(text, fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()))
      .map((value): Record<string, string | number | boolean> => JSON.parse(JSON.stringify(value)))
    const chainId = newChain()
    await fc.assert(
      fc.asyncProperty(text, text, json, fc.option(json), async (actorName, targetId, before, after) => {
        await append(database.pool, chainId, {
          actor: { kind: 'key', id: null, name: actorName },
          target: { kind: 'key', id: targetId },
          before,
          after,
        })
      }),
      { numRuns: 200 },
    )
    const entries = await entriesOf(chainId)
    expect(entries).toHaveLength(200)
    for (const entry of entries) expect(entry.hash).toBe(hashEntry(entry))
  })

  it('has hashes that do not depend on the settings of a session', async () => {
    const chainId = newChain()
    const client = await database.pool.connect()
    try {
      for (const settings of [
        `SET timezone = 'Asia/Kathmandu'; SET datestyle = 'German'; SET intervalstyle = 'sql_standard'`,
        `SET timezone = 'UTC'; SET datestyle = 'ISO, MDY'; SET extra_float_digits = -15; SET bytea_output = 'escape'`,
        `SET timezone = 'America/St_Johns'; SET extra_float_digits = 3; SET lc_numeric = 'C'; SET standard_conforming_strings = off`,
      ]) {
        await client.query(settings)
        await client.query('SELECT append_audit($1::jsonb)', [
          JSON.stringify([
            {
              chain_id: chainId,
              id: newUuid(Date.now()),
              actor_kind: 'system',
              action: 'org.update',
              after: { amount: 0.1, small: 1e-7, large: 12345678901234567890n.toString(), text: 'it\'s \\ "quoted"' },
            },
          ]),
        ])
        const { rows } = await client.query<{ same: boolean }>(
          'SELECT bool_and(audit_hash(e) = e.hash) AS same FROM audit_entries e WHERE chain_id = $1',
          [chainId],
        )
        expect(rows).toEqual([{ same: true }])
      }
    } finally {
      client.release(true)
    }
    const entries = await entriesOf(chainId)
    expect(entries).toHaveLength(3)
    for (const entry of entries) expect(entry.hash).toBe(hashEntry(entry))
  })
})

function newChain(): string {
  return newUuid(Date.now())
}
