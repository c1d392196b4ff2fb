import type { Config } from '#config/config-schema.ts'
import { ConfigError } from '#config/config-error.ts'
import { eventSinksOf } from '#config/event-sinks.ts'
import { type Finding, fault, ok, warning } from '#control/standing/finding.ts'
import { judgeBackup } from '#control/standing/judge-backup.ts'
import { judgeClock } from '#control/standing/judge-clock.ts'
import { databaseDiskBytes, judgeDatabaseSize } from '#control/standing/judge-database-size.ts'
import { judgeDisk } from '#control/standing/judge-disk.ts'
import { judgeLatency } from '#control/standing/judge-latency.ts'
import { judgeModels } from '#control/standing/judge-models.ts'
import { judgePostgres } from '#control/standing/judge-postgres.ts'
import { judgeProviders } from '#control/standing/judge-providers.ts'
import { judgeRedis } from '#control/standing/judge-redis.ts'
import { judgeSeals } from '#control/standing/judge-seals.ts'
import { errorText } from '#lib/error-text.ts'
import { SealError } from '#lib/seal.ts'
import { countUnopened } from '#store/postgres/secrets/count-unopened.ts'
import { readDatabaseSize } from '#store/postgres/standing/database-size.sql.ts'
import { pingPostgres, readEngineFacts } from '#store/postgres/standing/engine-facts.sql.ts'
import { gatewayConnections, workerConnections } from '#store/postgres/pools.ts'
import { countUnopenedFactors } from '#store/sign-in/count-unopened-factors.ts'
import { explainFailure } from '../command-line/explain-failure.ts'
import { withSession } from '../command-line/session.ts'
import { readConfig } from '../read-config.ts'
import { createSchema } from '../schema.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { signInSecret } from '../sign-in-secret.ts'
import { askPgBackRest } from './ask-pgbackrest.ts'
import { askRedis, measureTrips } from './ask-redis.ts'
import { listModels } from './list-models.ts'
import { measureDisk } from './measure-disk.ts'
import { reachProvider } from './reach-provider.ts'
import type { StandingDeps } from './read-status.ts'
import { StartError } from '../start-error.ts'
import { vendorTerms } from '../vendor-terms.ts'

/** Runs all checks, in the order of their dependencies. Without valid settings, none of the others can run. */
export async function examine(): Promise<Finding[]> {
  const settings = await examineConfig()
  if (settings.some(({ state }) => state === 'fault')) return settings
  return withSession(async (session) => [...settings, ...(await examineEngines(session))])
}

/** The same for a gateway, which runs on the settings that it has read. */
export async function examineRunning(deps: StandingDeps): Promise<Finding[]> {
  return [...(await examineConfig()), ...(await examineEngines(deps))]
}

async function examineEngines(deps: StandingDeps): Promise<Finding[]> {
  return [
    ...(await examineStore(deps)),
    ...(await examineRedis(deps.config)),
    judgeDisk(await measureDisk(deps.config.dataDir)),
  ]
}

async function examineConfig(): Promise<Finding[]> {
  try {
    await readConfig()
    return [ok('configuration', 'every setting is valid')]
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [explainFailure(error)]
    return problems.map((problem) => fault('configuration', problem, 'weir config show'))
  }
}

/** All checks that need Postgres, as far as it responds. */
async function examineStore(session: StandingDeps): Promise<Finding[]> {
  const found: Finding[] = []
  const steps = [
    examineEngine,
    examineSize,
    examineBackups,
    examineSchema,
    examineSeals,
    examineProviders,
    examineModels,
  ]
  try {
    for (const examine of steps) found.push(...(await examine(session)))
  } catch (error) {
    found.push(...faultsOf(error))
  }
  return found
}

function faultsOf(error: unknown): Finding[] {
  if (error instanceof StartError) return [fault('schema', 'the database schema is out of date', 'weir migrate')]
  // Account keys that cannot be decrypted are reported as a separate finding.
  if (error instanceof SealError) return []
  return [fault('postgres', explainFailure(error), 'see docs/runbooks/postgres-unavailable.md')]
}

async function examineEngine({ pool, config }: StandingDeps): Promise<Finding[]> {
  await pingPostgres(pool)
  const askedMs = Date.now()
  const facts = await readEngineFacts(pool)
  const clock = { askedMs, answeredMs: Date.now(), postgresMs: facts.nowMs }
  const needs = {
    gateway: gatewayConnections(config.postgres),
    worker: workerConnections({ sinks: Object.values(eventSinksOf(config.events)).flat().length }),
  }
  const ms = await measureTrips(() => pingPostgres(pool))
  return [...judgePostgres(facts, needs), judgeLatency('postgres latency', ms), judgeClock(clock)]
}

async function examineSize({ pool, config }: StandingDeps): Promise<Finding[]> {
  return [judgeDatabaseSize({ bytes: await readDatabaseSize(pool), diskBytes: databaseDiskBytes(config.postgres) })]
}

async function examineBackups({ pool }: StandingDeps): Promise<Finding[]> {
  const { nowMs, archive } = await readEngineFacts(pool)
  return judgeBackup({ nowMs, archive, lastBackupMs: await askPgBackRest() })
}

async function examineSchema({ pool }: StandingDeps): Promise<Finding[]> {
  await createSchema(pool).prove()
  return [ok('schema', 'up to date')]
}

async function examineSeals({ pool, config }: StandingDeps): Promise<Finding[]> {
  const factorKeys = [config.secret, ...config.previousSecrets].map(signInSecret)
  return judgeSeals([
    ...(await countUnopened(pool, sealingKeyOf(config))),
    await countUnopenedFactors(pool, factorKeys),
  ])
}

async function examineProviders({ operators }: StandingDeps): Promise<Finding[]> {
  const addresses = new Map(vendorTerms.map(({ slug, baseUrl }) => [slug, baseUrl]))
  const enabled = (await operators.listAccounts()).filter((account) => account.enabled)
  const places = enabled.flatMap(({ name, vendor, baseUrl }) => {
    const url = baseUrl ?? addresses.get(vendor) ?? null
    return url === null ? [] : [{ account: name, url }]
  })
  return judgeProviders(await Promise.all(places.map(reachProvider)))
}

async function examineModels(session: StandingDeps): Promise<Finding[]> {
  return judgeModels(await listModels(session))
}

async function examineRedis({ redis }: Config): Promise<Finding[]> {
  try {
    const { info, ms } = await askRedis(redis)
    return [...judgeRedis(info), judgeLatency('redis latency', ms)]
  } catch (error) {
    const says = `unreachable (${errorText(error)}): every process counts on its own`
    return [warning('redis', says, 'check redis.url (WEIR_REDIS_URL); see docs/runbooks/redis-unavailable.md')]
  }
}
