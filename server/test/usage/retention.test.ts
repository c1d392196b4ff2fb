import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dropExpired, type RetentionTerms } from '#jobs/drop-expired.ts'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import type { UsageRow } from '#ports/usage.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { dayMs } from '#test/setup/day.ts'
import { runParts } from '#test/setup/run-parts.ts'
import { createRetentionWorld, dayPartition, keepDays, oldestDaysAgo, type RetentionWorld } from './retention-world.ts'

describe('retention', () => {
  let world: RetentionWorld
  beforeEach(async () => {
    world = await createRetentionWorld()
  })
  afterEach(() => world.database.drop())

  async function dropAll(): Promise<string> {
    for (;;) {
      const { kind } = await world.retention.dropDay(keepDays)
      if (kind !== 'dropped') return kind
    }
  }

  const range = { startMs: startOf('month', Date.now()) - 100 * dayMs, endMs: startOf('day', Date.now()) + dayMs }
  async function sums(): Promise<(readonly UsageRow[])[]> {
    const { walletId } = world
    return Promise.all(
      ([['day'], ['month', 'key'], ['model']] as const).map((by) => world.usage.sum({ walletId, range, by })),
    )
  }

  it('drops the days that are over, and neither sums nor books change', async () => {
    const old = await world.charge(keepDays + 1)
    const kept = await world.charge(keepDays)
    await world.rollUpAll()
    const before = await sums()
    expect(await dropAll()).toBe('nothing')

    const { pool } = world.database
    const { generations } = createPostgresAccount(pool)
    const scope = { walletId: world.walletId, only: null }
    expect(await generations.find(scope, old)).toBeNull()
    expect(await generations.find(scope, kept)).not.toBeNull()
    expect((await world.partitions('generations'))[0]).toBe(dayPartition(keepDays))
    expect(await sums()).toEqual(before)
    expect(await auditLedger(pool, { overdueMs: 60_000 })).toEqual([])
    const { rows } = await pool.query<{ day: string }>('SELECT retained_from::text AS day FROM rollup_state')
    expect(rows[0]?.day).toBe(dateOf(startOf('day', Date.now()) - keepDays * dayMs))
  })

  it('is kept by a worker as soon as it starts, and not at all where everything is to stay', async () => {
    const dropped: string[] = []
    const { promise: isDone, resolve } = Promise.withResolvers<void>()
    const log = pino(
      { level: 'info' },
      {
        write: (line: string) => {
          dropped.push(stringAt(parseJsonObject(line) ?? {}, 'partition') ?? line)
          if (dropped.length === 3) resolve()
        },
      },
    )
    const { retention } = world
    const start = (terms: RetentionTerms) =>
      runParts([
        {
          name: 'retention',
          everyMs: 3_600_000,
          run: (signal) => dropExpired({ retention, terms, log }, signal),
        },
      ])
    await start({ generationsDays: null, refusalsDays: null, hoursMonths: null }).stop()
    expect((await world.partitions('generations'))[0]).toBe(dayPartition(oldestDaysAgo))
    const keeper = start({ generationsDays: keepDays, refusalsDays: null, hoursMonths: null })
    await isDone
    await keeper.stop()
    expect(dropped).toEqual([3, 2, 1].map((days) => dayPartition(keepDays + days)))
  })

  it('keeps a day until all of it has been rolled up, and every later one with it', async () => {
    await world.charge(oldestDaysAgo)
    const held = { kind: 'held', partition: dayPartition(oldestDaysAgo) }
    expect(await world.retention.dropDay(keepDays)).toEqual(held)
    await world.rollUpAll()
    expect(await dropAll()).toBe('nothing')
    expect((await world.partitions('generations'))[0]).toBe(dayPartition(keepDays))
  })

  it('keeps a day until every sink has been sent all of it', async () => {
    await world.charge(oldestDaysAgo)
    await world.rollUpAll()
    const { pool } = world.database
    await pool.query(
      `INSERT INTO event_sinks (name, sent_below) SELECT 'fast', rolled_up_below FROM rollup_state
        UNION ALL SELECT 'slow', max(settled_position) FROM generations`,
    )
    expect(await dropAll()).toBe('held')
    await pool.query('UPDATE event_sinks SET sent_below = sent_below + 1')
    expect(await dropAll()).toBe('nothing')
  })

  it('drops months of hours that are over, and keeps days and months', async () => {
    const { pool } = world.database
    await pool.query(`SELECT ensure_partitions((current_date - interval '5 months')::date, 1)`)
    await world.charge(keepDays)
    await world.rollUpAll()
    const before = await sums()
    const names = await world.partitions('usage_hours')
    const first = startOf('month', Date.now())
    const kept = names.filter((name) => name >= nameOfMonth(monthsBefore(first, 2)))
    expect(kept.length).toBeLessThan(names.length)
    while ((await world.retention.dropMonth(2)).kind === 'dropped') expect(names.shift()).toBeDefined()
    expect(await world.partitions('usage_hours')).toEqual(kept)
    expect(await sums()).toEqual(before)
  })

  it('leaves the work to one worker at a time', async () => {
    const other = await world.database.pool.connect()
    try {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('weir.retention'))`)
      expect(await world.retention.dropDay(keepDays)).toEqual({ kind: 'nothing' })
    } finally {
      await other.query('ROLLBACK')
      other.release()
    }
    expect(await world.retention.dropDay(keepDays)).toMatchObject({ kind: 'dropped' })
  })

  it('gives up soon where somebody reads, and no settle waits for longer than that', async () => {
    const reader = await world.database.pool.connect()
    try {
      await reader.query('BEGIN; SELECT 1 FROM generations LIMIT 1')
      const dropping = world.retention.dropDay(keepDays)
      await untilLockIsWanted(world)
      // The charge waits in the lock queue behind the drop, and the reader continues.
      await world.charge(0)
      expect(await dropping).toEqual({ kind: 'busy' })
    } finally {
      await reader.query('ROLLBACK')
      reader.release()
    }
    expect(await world.retention.dropDay(keepDays)).toMatchObject({ kind: 'dropped' })
  })

  it('waits for half a second at most, wherever partitions come and go', async () => {
    const { rows } = await world.database.pool.query<{ name: string; waits: boolean }>(
      `SELECT proname AS name, proconfig @> '{lock_timeout=500ms}' AS waits FROM pg_proc
        WHERE proname IN ('ensure_partitions', 'drop_old_day', 'drop_old_month', 'drop_old_refusals') ORDER BY 1`,
    )
    const names = ['drop_old_day', 'drop_old_month', 'drop_old_refusals', 'ensure_partitions']
    expect(rows).toEqual(names.map((name) => ({ name, waits: true })))
  })

  it('loses no settle that comes late into a day that is just being dropped', async () => {
    const late = await world.database.pool.connect()
    await late.query('BEGIN')
    await late.query(
      `INSERT INTO generations (id, wallet_id, key_id, endpoint, model, streamed, cancelled, is_failover, started_at, duration_ms, cost_nano)
        VALUES (first_id_at(current_date - $1::integer + interval '1 hour'), $2, $2, 'chat', 'acme/m', false, false, false,
          current_date - $1::integer + interval '1 hour', 1, 0)`,
      [oldestDaysAgo, world.walletId],
    )
    const dropping = world.retention.dropDay(keepDays)
    await untilLockIsWanted(world)
    await late.query('COMMIT')
    late.release()
    expect(await dropping).toMatchObject({ kind: 'held' })
    expect(await world.rollUpAll()).toBe(1)
    expect(await dropAll()).toBe('nothing')
  })
})

/** Waits until the drop is in the lock queue of the table. */
async function untilLockIsWanted(world: RetentionWorld): Promise<void> {
  const text = `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
    WHERE l.relation = 'generations'::regclass AND l.mode = 'AccessExclusiveLock' AND NOT l.granted`
  while ((await world.database.pool.query(text)).rowCount === 0);
}

function monthsBefore(firstMs: number, count: number): number {
  return count === 0 ? firstMs : monthsBefore(startOf('month', firstMs - 1), count - 1)
}

function nameOfMonth(firstMs: number): string {
  return `usage_hours_${dateOf(firstMs).slice(0, 7).replace('-', '')}`
}
