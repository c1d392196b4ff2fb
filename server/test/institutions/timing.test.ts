import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCodeDigests } from '#control/institutions/read-entry.ts'
import { verifyCode } from '#control/institutions/verify-code.ts'
import { createCodeStore } from '#store/postgres/institutions/code-store.ts'
import { recordStatements } from '#test/bench/usage/recording-pool.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { type InstitutionWorld, newEmail, startInstitutionWorld, unknownKey } from './institution-world.ts'

let world: InstitutionWorld
beforeAll(async () => {
  world = await startInstitutionWorld()
})
afterAll(() => world.close())

/** Runs something while some tables are locked: work that needs one of them does not finish. */
async function whileLocked<Result>(tables: string, work: () => Promise<Result>): Promise<Result> {
  const client = await world.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`)
    return await work()
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

const keyTables = 'api_keys, institution_keys, organizations'

describe('the time of an answer', () => {
  it('[EDU-02] of request-code tells nothing about the key or the domain: neither is looked up before', async () => {
    const { key, keyId } = await world.createInstitution()
    const kinds = [
      { entry: { key, email: newEmail() }, owner: keyId },
      { entry: { key: unknownKey(), email: newEmail() }, owner: null },
      { entry: { key, email: newEmail('elsewhere.edu') }, owner: null },
    ]
    const answers = await whileLocked(`${keyTables}, institution_codes, audit_entries`, async () => {
      const seen: string[] = []
      for (const { entry } of kinds) {
        const { status, text } = await world.requestCode(entry)
        seen.push(`${status} ${text}`)
      }
      expect(world.mailServer.mails).toEqual([])
      return seen
    })
    expect(new Set(answers)).toEqual(new Set(['200 {"ok":true,"sent":true}']))
    for (const { entry, owner } of kinds) expect((await world.storedCode(entry)).key_id).toBe(owner)
    await world.mailServer.nextTo(kinds[0]?.entry.email ?? '')
  })

  it('[EDU-10] of verify tells nothing about whether there is a code: the key is not looked up', async () => {
    const { key } = await world.createInstitution()
    const entries = [
      { key, email: newEmail() },
      { key: unknownKey(), email: newEmail() },
      { key, email: newEmail('elsewhere.edu') },
    ]
    for (const entry of entries) {
      await world.requestCode(entry)
      await world.storedCode(entry)
    }
    const answers = await whileLocked(keyTables, async () => {
      const seen: string[] = []
      for (const entry of entries) {
        const { status, text } = await world.verify({ ...entry, code: '000000' })
        seen.push(`${status} ${text}`)
      }
      return seen
    })
    expect(answers).toEqual(Array(3).fill(expect.stringMatching(/^4\d\d .*invalid/)))
    expect(new Set(answers).size).toBe(1)
  })

  it('[EDU-10] of verify tells nothing about whether there is a code: the same statements run', async () => {
    const { key } = await world.createInstitution()
    const { pool, statements } = recordStatements(world.pool)
    const deps = {
      codes: createCodeStore(pool),
      digests: createCodeDigests(testSecret),
      audit: { append: async () => {} },
      announce: async () => {},
      afterwards: () => {},
    }
    const lists: string[][] = []
    for (const entry of [
      { key, email: newEmail() },
      { key: unknownKey(), email: newEmail() },
      { key, email: newEmail('elsewhere.edu') },
    ]) {
      await world.requestCode(entry)
      await world.storedCode(entry)
      statements.length = 0
      for (const code of ['000000', '000001', '000002', '000003', '000004', '000005']) {
        const guess = verifyCode(deps, {
          body: { ...entry, code },
          clientIp: '192.0.2.1',
          requestId: 'request',
          nowMs: Date.now(),
        })
        await expect(guess).rejects.toThrow()
      }
      lists.push(statements.map(({ text }) => text))
    }
    expect(lists[0]?.length).toBeGreaterThanOrEqual(6)
    expect(lists[1]).toEqual(lists[0])
    expect(lists[2]).toEqual(lists[0])
  })
})
