import { type Finding, fault, ok, warning } from './finding.ts'

interface BackupFacts {
  readonly nowMs: number
  /** From Postgres' archiver. */
  readonly archive: {
    readonly mode: string
    readonly lastArchivedMs: number | null
    readonly lastFailedMs: number | null
  }
  /** From pgBackRest on this machine, or null if it is missing or cannot be queried. */
  readonly lastBackupMs: number | null
}

const hourMs = 3_600_000
// A full backup runs weekly and a differential one nightly; one failed night is tolerated.
const backupMaxMs = 50 * hourMs

const advice = 'see docs/postgres.md#back-up-and-restore-with-pgbackrest'

export function judgeBackup(facts: BackupFacts): Finding[] {
  return [judgeArchive(facts), judgeLastBackup(facts)]
}

function judgeArchive({ nowMs, archive: { mode, lastArchivedMs, lastFailedMs } }: BackupFacts): Finding {
  if (mode === 'off') return warning('archive', 'WAL archiving is off', advice)
  if (lastFailedMs !== null && lastFailedMs > (lastArchivedMs ?? 0)) {
    return fault('archive', `WAL archiving failed ${ageOf(nowMs - lastFailedMs)} ago`, advice)
  }
  if (lastArchivedMs === null) return warning('archive', 'no WAL segment has been archived yet', advice)
  return ok('archive', `the last WAL segment was archived ${ageOf(nowMs - lastArchivedMs)} ago`)
}

function judgeLastBackup({ nowMs, lastBackupMs }: BackupFacts): Finding {
  if (lastBackupMs === null) return warning('backup', 'backup age unknown: no pgBackRest backup was found here', advice)
  const says = `the last backup is ${ageOf(nowMs - lastBackupMs)} old`
  return nowMs - lastBackupMs > backupMaxMs ? warning('backup', says, advice) : ok('backup', says)
}

function ageOf(ms: number): string {
  if (ms < hourMs) return `${Math.max(0, Math.round(ms / 60_000))} min`
  return ms < 48 * hourMs ? `${Math.round(ms / hourMs)} h` : `${Math.round(ms / (24 * hourMs))} days`
}

/** The end time of the newest backup in `pgbackrest info --output=json`, or null if it lists none. */
export function lastBackupOf(info: unknown): number | null {
  const stanzas: unknown[] = Array.isArray(info) ? info : []
  const stops = stanzas
    .flatMap((stanza) => listAt(stanza, 'backup'))
    .map((backup) => memberAt(memberAt(backup, 'timestamp'), 'stop'))
    .filter((stop) => typeof stop === 'number')
  return stops.length === 0 ? null : Math.max(...stops) * 1_000
}

function memberAt(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined
}

function listAt(value: unknown, name: string): unknown[] {
  const list = memberAt(value, name)
  return Array.isArray(list) ? list : []
}
