import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const someone = (): Buffer => randomBytes(16)

interface Asked {
  readonly client?: Buffer
  readonly key?: Buffer
  readonly subject?: Buffer
}

/**
 * Two requests per hour and client, three per two hours and key, and ten minutes between two requests for a subject.
 */
async function ask({ client = someone(), key = someone(), subject = someone() }: Asked): Promise<[string, number]> {
  const { rows } = await database.pool.query<{ verdict: string; wait_s: number }>(
    `SELECT verdict, wait_s FROM admit_code_request($1, $2, $3, 2, interval '1 hour', 3, interval '2 hours', interval '10 minutes')`,
    [client, key, subject],
  )
  const [row] = rows
  return [row?.verdict ?? 'none', row?.wait_s ?? -1]
}

/** Moves all requests of a key this many minutes into the past. */
async function age(key: Buffer, minutes: number): Promise<void> {
  await database.pool.query(
    "UPDATE institution_code_requests SET at = at - $2 * interval '1 minute' WHERE key_hash = $1",
    [key, minutes],
  )
}

async function countOf(key: Buffer): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM institution_code_requests WHERE key_hash = $1',
    [key],
  )
  return rows[0]?.count ?? -1
}

/** Expects the whole seconds left of these minutes; a slow machine may have used some of them. */
function expectWait(waitS: number, minutes: number): void {
  expect(waitS).toBeLessThanOrEqual(minutes * 60)
  expect(waitS).toBeGreaterThan((minutes - 5) * 60)
}

describe('the pace of code requests', () => {
  it('[EDU-06] of a client is so many in its window, and what is refused does not count', async () => {
    const [client, key] = [someone(), someone()]
    expect(await ask({ client, key })).toEqual(['admitted', 0])
    await age(key, 20)
    expect(await ask({ client, key })).toEqual(['admitted', 0])
    for (const _ of [1, 2]) {
      const [verdict, waitS] = await ask({ client })
      expect(verdict).toBe('rate_limited')
      expectWait(waitS, 40)
    }
    expect(await ask({})).toEqual(['admitted', 0])
    await age(key, 41)
    expect(await ask({ client, key })).toEqual(['admitted', 0])
    expect(await countOf(key)).toBe(3)
  })

  it('[EDU-06] of a key is so many in its window, whoever asks', async () => {
    const key = someone()
    for (const _ of [1, 2, 3]) expect(await ask({ key })).toEqual(['admitted', 0])
    await age(key, 30)
    const [verdict, waitS] = await ask({ key })
    expect(verdict).toBe('rate_limited')
    expectWait(waitS, 90)
    await age(key, 91)
    expect(await ask({ key })).toEqual(['admitted', 0])
  })

  it('waits for the longer one where both are used up', async () => {
    const [client, key] = [someone(), someone()]
    for (const who of [client, client, someone()]) await ask({ client: who, key })
    const [verdict, waitS] = await ask({ client, key })
    expect(verdict).toBe('rate_limited')
    expectWait(waitS, 120)
  })

  it('[EDU-05] of an address is one in its time, which a refusal does not begin anew', async () => {
    const [key, subject] = [someone(), someone()]
    expect(await ask({ key, subject })).toEqual(['admitted', 0])
    await age(key, 4)
    const [verdict, waitS] = await ask({ key, subject })
    expect(verdict).toBe('cooldown')
    expectWait(waitS, 6)
    expect(waitS).toBeGreaterThan(60)
    expect(await countOf(key)).toBe(2)
    await age(key, 7)
    expect(await ask({ key, subject })).toEqual(['admitted', 0])
    expect(await ask({ subject: someone() })).toEqual(['admitted', 0])
  })

  it('[EDU-05] of an address counts for its client and its key', async () => {
    const [client, key, subject] = [someone(), someone(), someone()]
    const verdicts: string[] = []
    for (const _ of [1, 2, 3]) verdicts.push((await ask({ client, key, subject }))[0])
    expect(verdicts).toEqual(['admitted', 'cooldown', 'rate_limited'])
  })

  it.each(['client', 'key'] as const)('[EDU-06] holds for requests of one %s that come at once', async (shared) => {
    const same = someone()
    const [verdicts, max] = [
      await Promise.all(Array.from({ length: 8 }, () => ask({ [shared]: same }))),
      { client: 2, key: 3 },
    ]
    expect(verdicts.filter(([verdict]) => verdict === 'admitted')).toHaveLength(max[shared])
  })

  it('of a key with its own limits leaves other keys of the same network their requests, and the reverse', async () => {
    const [client, campus, other] = [someone(), someone(), someone()]
    await database.pool.query('INSERT INTO institution_code_limits VALUES ($1, 4, 9)', [campus])
    const verdicts: string[] = []
    for (const key of [campus, campus, other, campus, other, campus, other, campus]) {
      verdicts.push((await ask({ client, key }))[0])
    }
    const [yes, no] = ['admitted', 'rate_limited']
    expect(verdicts).toEqual([yes, yes, yes, yes, yes, yes, no, no])
  })
})
