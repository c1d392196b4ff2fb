import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createMeasurementBook, type MeasurementBook, sliceMs, windowMs } from '#pipeline/route/measurement-book.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { readDatabaseName } from '#store/postgres/read-database-name.sql.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisMeasurements } from '#store/redis/redis-measurements.ts'

export interface WiredMeasurements {
  book: MeasurementBook
  close(): void
}

const syncEveryMs = 2_000

/** How hosts are doing, over all processes. It has a connection of its own: nothing that a request waits for stands behind it. */
export function wireMeasurements({
  config,
  logger,
  pools,
  nowMs,
}: {
  config: Config
  logger: Logger
  pools: PostgresPools
  nowMs: () => number
}): WiredMeasurements {
  const onError = (error: unknown): void => logger.debug({ err: error }, 'hosts are measured by this process alone')
  const redis = createRedisClient({ url: config.redis.url, commandTimeoutMs: 2_000, onError })
  const readNamespace = (): Promise<string> => readDatabaseName(pools.general)
  const shared = createRedisMeasurements({ redis, keptMs: windowMs + 3 * sliceMs, readNamespace })
  const book = createMeasurementBook({ shared, nowMs, onError })
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    book
      .sync()
      .catch(onError)
      .finally(() => {
        isBusy = false
      })
  }, syncEveryMs)
  timer.unref()
  return {
    book,
    close: () => {
      clearInterval(timer)
      redis.disconnect()
    },
  }
}
