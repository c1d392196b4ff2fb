import { type Finding, fault, ok, warning } from './finding.ts'

interface PostgresFacts {
  readonly version: string
  /** For example 150004 for 15.4. */
  readonly versionNumber: number
  readonly isReadOnly: boolean
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly standbyNames: string
  readonly timeZone: string
  /** Does not include the connections reserved for superusers. */
  readonly connectionsMax: number
  readonly connectionsUsed: number
}

/** The maximum connections of one process. */
interface ConnectionNeeds {
  readonly gateway: number
  readonly worker: number
}

const versionMin = 150_000

export function judgePostgres(facts: PostgresFacts, needs: ConnectionNeeds): Finding[] {
  return [judgeVersion(facts), ...judgeDurability(facts), judgeTimeZone(facts), judgeConnections(facts, needs)]
}

function judgeVersion({ version, versionNumber, isReadOnly }: PostgresFacts): Finding {
  if (versionNumber < versionMin) {
    return fault('postgres', `version ${version} is too old`, 'upgrade to Postgres 15 or later')
  }
  if (!isReadOnly) return ok('postgres', `version ${version}, accepts writes`)
  const advice = 'list all servers in WEIR_POSTGRES_URL so that processes follow the primary: docs/postgres.md'
  return fault('postgres', `version ${version}, read-only: this is a standby`, advice)
}

/** A settle that Postgres has acknowledged must survive a power failure. */
function judgeDurability({
  fsync,
  fullPageWrites,
  synchronousCommit,
  standbyNames,
}: PostgresFacts): readonly Finding[] {
  const found = [
    ...(fsync === 'on' ? [] : [fault('fsync', 'off: a power failure can destroy the database', 'set fsync = on')]),
    ...(fullPageWrites === 'on'
      ? []
      : [fault('full_page_writes', 'off: a power failure can corrupt pages', 'set full_page_writes = on')]),
    ...(synchronousCommit === 'off'
      ? [fault('synchronous_commit', 'off: a crash loses settled charges', 'set synchronous_commit = on')]
      : []),
    ...(synchronousCommit === 'local' && standbyNames !== ''
      ? [
          warning(
            'synchronous_commit',
            'local: settlements do not wait for the standby, so a failover loses the latest ones',
            'set synchronous_commit = on',
          ),
        ]
      : []),
  ]
  if (found.length > 0) return found
  return [ok('durability', `fsync and full_page_writes are on, synchronous_commit is ${synchronousCommit}`)]
}

function judgeTimeZone({ timeZone }: PostgresFacts): Finding {
  if (/^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu|Universal)$/i.test(timeZone)) return ok('time zone', timeZone)
  const says = `${timeZone}: your own queries see different days than Weir, which uses UTC`
  return warning('time zone', says, `ALTER DATABASE … SET TimeZone = 'UTC'`)
}

// Above this share the next deployment, which doubles processes for a while, may run out of connections.
const fullAtPercent = 80

function judgeConnections(
  { connectionsMax, connectionsUsed }: PostgresFacts,
  { gateway, worker }: ConnectionNeeds,
): Finding {
  const gateways = Math.floor((connectionsMax - worker) / gateway)
  const says = `${connectionsUsed} of ${connectionsMax} in use; room for ${Math.max(gateways, 0)} gateways and a worker`
  const advice = 'raise max_connections, or lower postgres.poolMax: docs/operating.md'
  if (gateways < 1) return fault('connections', says, advice)
  return connectionsUsed * 100 > connectionsMax * fullAtPercent
    ? warning('connections', says, advice)
    : ok('connections', says)
}
