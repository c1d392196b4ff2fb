import type { Logger } from 'pino'
import { createMeasurementBook, type MeasurementBook, sliceMs, windowMs } from '#pipeline/route/measurement-book.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { readDatabaseName } from '#store/postgres/read-database-name.sql.ts'
import { createRedisMeasurements } from '#store/redis/redis-measurements.ts'
import type { WiredRedis } from './redis.ts'

export interface WiredMeasurements {
  book: MeasurementBook
  close(): void
}

const syncEveryMs = 2_000

/** How hosts are doing, over all processes. It has a connection of its own: nothing that a request waits for stands behind it. */
export function wireMeasurements({
  logger,
  pools,
  nowMs,
  redis: wired,
}: {
  logger: Logger
  pools: PostgresPools
  nowMs: () => number
  redis: WiredRedis
}): WiredMeasurements {
  const onError = (error: unknown): void => logger.debug({ err: error }, 'hosts are measured by this process alone')
  const redis = wired.open(2_000)
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
