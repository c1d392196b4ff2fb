import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import { newUuid } from '#lib/uuid.ts'
import { dayMs } from '#test/setup/day.ts'
import { createUsageWorld, type UsageWorld } from './usage-world.ts'

const todayMs = startOf('day', Date.now())

describe('partitions', () => {
  let world: UsageWorld
  beforeAll(async () => {
    world = await createUsageWorld()
  })
  afterAll(() => world.database.drop())

  const ensure = async (startMs: number, count: number): Promise<number | undefined> => {
    const text = 'SELECT ensure_partitions($1::date, $2) AS made'
    return (await world.database.pool.query<{ made: number }>(text, [dateOf(startMs), count])).rows[0]?.made
  }
  const placeOf = async (startedAtMs: number): Promise<string | undefined> => {
    const [walletId, id] = [await world.newWallet(), newUuid(startedAtMs)]
    await world.settle([{ id, walletId, keyId: walletId, startedAtMs }])
    const text = 'SELECT tableoid::regclass::text AS place FROM generations WHERE id = $1'
    return (await world.database.pool.query<{ place: string }>(text, [id])).rows[0]?.place
  }

  it('take the last moment of a day and the first of the next apart', async () => {
    expect(await placeOf(todayMs + dayMs - 1)).toBe(partitionOf(todayMs))
    expect(await placeOf(todayMs + dayMs)).toBe(partitionOf(todayMs + dayMs))
  })

  it('are made for the days after one that nobody made a partition for in time', async () => {
    const missedMs = todayMs + 40 * dayMs
    expect(await placeOf(missedMs)).toBe('generations_default')
    // Ten days, except the first; their months are new as well.
    expect(await ensure(missedMs, 10)).toBeGreaterThanOrEqual(9)
    expect(await placeOf(missedMs + dayMs)).toBe(partitionOf(missedMs + dayMs))
    expect(await placeOf(missedMs)).toBe('generations_default')
    expect(await ensure(missedMs, 10)).toBe(0)
  })

  it('are not waited for by settles while somebody else reads for long', async () => {
    const reader = await world.database.pool.connect()
    try {
      await reader.query('BEGIN; SELECT 1 FROM generations LIMIT 1')
      await expect(ensure(todayMs + 100 * dayMs, 1)).rejects.toMatchObject({ code: '55P03' })
      expect(await placeOf(todayMs)).toBe(partitionOf(todayMs))
    } finally {
      await reader.query('ROLLBACK')
      reader.release()
    }
    expect(await ensure(todayMs + 100 * dayMs, 1)).toBeGreaterThanOrEqual(1)
  })
})

function partitionOf(startMs: number): string {
  return `generations_${dateOf(startMs).replaceAll('-', '')}`
}
