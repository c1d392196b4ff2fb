import { once } from 'node:events'
import { pino } from 'pino'
import { startSweeper } from '#jobs/sweep.ts'
import { armFailpoints } from '#lib/failpoint.ts'
import { ensurePartitions } from '#store/postgres/ensure-partitions.sql.ts'
import { sweepHolds } from '#store/postgres/money/sweep-holds.sql.ts'
import { createPools } from '#store/postgres/pools.ts'
import { readConfig } from './read-config.ts'
import { startEventsWorker } from './wiring/events-worker.ts'
import { realOutside } from './wiring/outside.ts'
import { startPurges } from './wiring/purges.ts'
import { startReconciliation } from './wiring/reconciliation.ts'
import { keepRetention } from './wiring/retention.ts'
import { keepRouting } from './wiring/routing.ts'
import { wireStorage } from './wiring/storage.ts'
import { startUsageWorker } from './wiring/usage-worker.ts'
import { startVideoWorker } from './wiring/video-worker.ts'

const partitionsAheadDays = 7
const partitionsEveryMs = 3_600_000

/** The worker process: what must go on whether or not anybody calls. */
export async function runWorker(): Promise<void> {
  const config = readConfig()
  armFailpoints(process.env['WEIR_FAILPOINTS'] ?? '')
  const logger = pino({ level: config.log.level, base: { process: 'worker', pid: process.pid } })
  const pools = createPools({
    url: config.postgres.url,
    poolMax: 4,
    onError: (error) => logger.warn({ err: error }, 'a Postgres connection broke'),
  })
  const makePartitions = (): Promise<void> =>
    ensurePartitions(pools.general, partitionsAheadDays).then(
      (made) => {
        if (made > 0) logger.info({ made }, 'partitions made')
      },
      (error: unknown) => logger.error({ err: error }, 'partitions could not be made'),
    )
  // Before anything is settled here, because what a day begins with without a partition stays outside of one.
  await makePartitions()
  const timer = setInterval(() => void makePartitions(), partitionsEveryMs)
  const sweeper = startSweeper({
    sweep: (atMost) => sweepHolds(pools.general, atMost),
    everyMs: config.money.sweepIntervalMs,
    onSwept: (count) => logger.info({ count }, 'lapsed holds were returned'),
    onError: (error) => logger.warn({ err: error }, 'the sweep failed'),
  })
  const usage = startUsageWorker({ config, logger })
  const reconciliation = startReconciliation({ config, logger })
  const storage = wireStorage({ config, logger, outside: realOutside })
  const purges = startPurges({ pool: pools.general, blobs: storage.blobs, config, logger })
  const retention = keepRetention({ pool: pools.general, config, logger })
  const routing = keepRouting(config, pools, logger)
  await routing.refresh()
  const videos = startVideoWorker({ config, logger, pools, routing: routing.current, storage })
  const events = startEventsWorker({ config, logger })
  logger.info('the worker is ready')
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  clearInterval(timer)
  await sweeper.stop()
  await videos.stop()
  await usage.stop()
  await reconciliation.stop()
  await events.stop()
  routing.stop()
  for (const purge of purges) await purge.stop()
  await retention.stop()
  await storage.close()
  await pools.close()
  logger.info('stopped')
}
