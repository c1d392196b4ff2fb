import { describe, expect, it } from 'vitest'
import type { Finding } from './finding.ts'
import { judgeBackup, lastBackupOf } from './judge-backup.ts'
import { judgeClock } from './judge-clock.ts'
import { databaseDiskBytes, judgeDatabaseSize } from './judge-database-size.ts'
import { judgeDisk } from './judge-disk.ts'
import { judgeLatency } from './judge-latency.ts'
import { judgeModels } from './judge-models.ts'
import { judgePostgres } from './judge-postgres.ts'
import { judgeProviders } from './judge-providers.ts'
import { judgeRedis } from './judge-redis.ts'
import { judgeSeals } from './judge-seals.ts'

const engine = {
  version: '15.4',
  versionNumber: 150_004,
  isReadOnly: false,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  standbyNames: '',
  timeZone: 'Etc/UTC',
  connectionsMax: 97,
  connectionsUsed: 20,
}
const needs = { gateway: 19, worker: 6 }
const hour = 3_600_000
const gibibyte = 1_073_741_824
const backups = { nowMs: 100 * hour, archive: { mode: 'on', lastArchivedMs: 99 * hour, lastFailedMs: null } }

const info = (lines: string): string => `# Server\r\n${lines.replaceAll('\n', '\r\n')}\r\n`
const redis = 'redis_version:7.2.4\nrole:master\nmaxmemory_policy:noeviction'

type Wanted = Finding['state']
const cases: readonly [what: string, wanted: Wanted, words: RegExp, judge: () => Finding | readonly Finding[]][] = [
  [
    'an old Postgres',
    'fault',
    /14\.9 is too old/,
    () => judgePostgres({ ...engine, version: '14.9', versionNumber: 140_009 }, needs),
  ],
  ['a standby', 'fault', /read-only: this is a standby/, () => judgePostgres({ ...engine, isReadOnly: true }, needs)],
  ['no fsync', 'fault', /power failure/, () => judgePostgres({ ...engine, fsync: 'off' }, needs)],
  ['torn pages', 'fault', /corrupt pages/, () => judgePostgres({ ...engine, fullPageWrites: 'off' }, needs)],
  [
    'late commits',
    'fault',
    /loses settled charges/,
    () => judgePostgres({ ...engine, synchronousCommit: 'off' }, needs),
  ],
  [
    'commits without the standby',
    'warning',
    /failover/,
    () => judgePostgres({ ...engine, synchronousCommit: 'local', standbyNames: 'two' }, needs),
  ],
  ['a zone', 'warning', /^Europe\/Berlin/, () => judgePostgres({ ...engine, timeZone: 'Europe/Berlin' }, needs)],
  ['no connections', 'fault', /room for 0 gateways/, () => judgePostgres({ ...engine, connectionsMax: 24 }, needs)],
  ['few connections', 'warning', /78 of 97 in use/, () => judgePostgres({ ...engine, connectionsUsed: 78 }, needs)],
  ['a long way', 'warning', /5\.1 ms, added to every/, () => judgeLatency('way', [1, 9, 5.1])],
  ['a slow clock', 'warning', /^is 2 s behind/, () => judgeClock({ askedMs: 0, answeredMs: 10, postgresMs: 2_010 })],
  ['a fast clock', 'fault', /^is 31 s ahead/, () => judgeClock({ askedMs: 31_000, answeredMs: 31_010, postgresMs: 0 })],
  ['an old Redis', 'fault', /Redis 6\.2\.1 is too old/, () => judgeRedis(info(redis.replace('7.2.4', '6.2.1')))],
  ['a replica', 'fault', /read-only replica/, () => judgeRedis(info(redis.replace('master', 'slave')))],
  ['eviction', 'warning', /^allkeys-lru/, () => judgeRedis(info(redis.replace('noeviction', 'allkeys-lru')))],
  [
    'a full disk',
    'fault',
    /has 255 MB free of 100\.0 GB/,
    () => judgeDisk({ folder: 'd', isWritable: true, freeBytes: 255 * 1_048_576, totalBytes: 100 * gibibyte }),
  ],
  [
    'a disk that fills',
    'warning',
    /has 4\.0 GB free/,
    () => judgeDisk({ folder: 'd', isWritable: true, freeBytes: 4 * gibibyte, totalBytes: 100 * gibibyte }),
  ],
  [
    'a full database disk',
    'fault',
    /^93\.0 GB of a disk of 100\.0 GB/,
    () => judgeDatabaseSize({ bytes: 93 * gibibyte, diskBytes: databaseDiskBytes({ diskGb: 100 }) }),
  ],
  [
    'a database that fills its disk',
    'warning',
    /^81\.0 GB of a disk/,
    () => judgeDatabaseSize({ bytes: 81 * gibibyte, diskBytes: databaseDiskBytes({ diskGb: 100 }) }),
  ],
  [
    'a wrong secret',
    'fault',
    /decrypt 2 of 3 values in own_keys/,
    () => judgeSeals([{ place: 'own_keys', sealed: 3, unopened: 2 }]),
  ],
  ['no provider', 'warning', /no provider account/, () => judgeProviders([])],
  [
    'all providers gone',
    'fault',
    /a cannot be reached at h/,
    () => judgeProviders([{ account: 'a', host: 'h', problem: 'p' }]),
  ],
  [
    'one provider gone',
    'warning',
    /a cannot be reached/,
    () =>
      judgeProviders([
        { account: 'a', host: 'h', problem: 'p' },
        { account: 'b', host: 'h', problem: null },
      ]),
  ],
  ['no model', 'warning', /empty/, () => judgeModels([])],
  [
    'no served model',
    'warning',
    /clients can't call any model/,
    () => judgeModels([{ id: 'm', isPriced: true, isIncomplete: true, isServed: false }]),
  ],
  [
    'unpriced models',
    'warning',
    /no price for a, b, c and 1 more/,
    () => judgeModels(['a', 'b', 'c', 'd'].map((id) => ({ id, isPriced: false, isIncomplete: false, isServed: true }))),
  ],
  [
    'an archive that fails',
    'fault',
    /^WAL archiving failed 1 h ago/,
    () =>
      judgeBackup({
        ...backups,
        archive: { ...backups.archive, lastArchivedMs: 98 * hour, lastFailedMs: 99 * hour },
        lastBackupMs: 99 * hour,
      }),
  ],
  [
    'no archive',
    'warning',
    /archiving is off/,
    () => judgeBackup({ ...backups, archive: { ...backups.archive, mode: 'off' }, lastBackupMs: 99 * hour }),
  ],
  [
    'an empty archive',
    'warning',
    /no WAL segment/,
    () => judgeBackup({ ...backups, archive: { ...backups.archive, lastArchivedMs: null }, lastBackupMs: 99 * hour }),
  ],
  ['an old backup', 'warning', /is 2 days old/, () => judgeBackup({ ...backups, lastBackupMs: 49 * hour })],
  ['no backup', 'warning', /^backup age unknown/, () => judgeBackup({ ...backups, lastBackupMs: null })],
]

describe('what weir doctor finds', () => {
  it.each(cases)('%s is a %s', (_what, state, words, judge) => {
    const wrong = [judge()].flat().filter((finding) => finding.state !== 'ok')
    expect(wrong).toEqual([
      { what: expect.any(String), state, says: expect.stringMatching(words), advice: expect.stringMatching(/./) },
    ])
  })

  it('finds nothing where all is well', () => {
    const all = [
      ...judgePostgres(engine, needs),
      judgeLatency('way', [9, 1, 2]),
      judgeClock({ askedMs: 0, answeredMs: 10, postgresMs: 1_010 }),
      ...judgeRedis(info(redis)),
      ...judgeRedis(info(`${redis}\nvalkey_version:8.0.1`)),
      judgeDisk({ folder: 'd', isWritable: true, freeBytes: 50 * gibibyte, totalBytes: 100 * gibibyte }),
      judgeDatabaseSize({ bytes: 80 * gibibyte, diskBytes: 100 * gibibyte }),
      judgeDatabaseSize({ bytes: 90 * gibibyte, diskBytes: databaseDiskBytes({ diskGb: null }) }),
      ...judgeSeals([{ place: 'own_keys', sealed: 3, unopened: 0 }]),
      ...judgeProviders([{ account: 'a', host: 'h', problem: null }]),
      ...judgeModels([{ id: 'm', isPriced: true, isIncomplete: false, isServed: true }]),
      ...judgeBackup({ ...backups, lastBackupMs: 60 * hour }),
    ]
    expect(all.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(all).toContainEqual(expect.objectContaining({ says: 'Valkey 8.0.1' }))
  })

  it('reads when the newest backup ended', () => {
    const listed = [
      { name: 'weir', backup: [{ timestamp: { start: 1, stop: 2 } }, { timestamp: { start: 3, stop: 4 } }] },
    ]
    expect(lastBackupOf(listed)).toBe(4_000)
    expect([lastBackupOf([]), lastBackupOf([{ backup: [] }]), lastBackupOf('nothing')]).toEqual([null, null, null])
  })
})

it('V12: tells of a served model without a cache price, as no fault of the service', () => {
  const model = { id: 'm', isPriced: true, isIncomplete: true, isServed: true }
  const told = {
    state: 'ok',
    what: 'cache prices',
    says: expect.stringMatching(/^no cache_read price at some provider of m: cached tokens cost the full input price/),
  }
  expect(judgeModels([model])).toContainEqual(expect.objectContaining(told))
  for (const change of [{ isIncomplete: false }, { isServed: false }]) {
    expect(judgeModels([{ ...model, ...change }])).not.toContainEqual(expect.objectContaining({ what: 'cache prices' }))
  }
})
