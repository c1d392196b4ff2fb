import type { Logger } from 'pino'
import { repeatAlone } from '#lib/repeat-alone.ts'
import { createMeasurementStore, type MeasurementStore, sliceMs, windowMs } from '#pipeline/route/measurement-store.ts'
import { createRedisMeasurements } from '#store/redis/redis-measurements.ts'
import type { WiredRedis } from './redis.ts'

interface WiredMeasurements {
  store: MeasurementStore
  close(): void
}

const syncEveryMs = 2_000

/** Provider measurements over all processes. They use a separate connection, so that no request waits behind them. */
export function wireMeasurements({
  logger,
  nowMs,
  redis: wired,
}: {
  logger: Logger
  nowMs: () => number
  redis: WiredRedis
}): WiredMeasurements {
  const onError = (error: unknown): void =>
    logger.debug({ err: error }, 'provider latency is measured by this process alone')
  const redis = wired.open(2_000)
  const shared = createRedisMeasurements({ redis, prefix: wired.prefix, keptMs: windowMs + 3 * sliceMs })
  const store = createMeasurementStore({ shared, nowMs, onError })
  const syncing = repeatAlone({ everyMs: syncEveryMs, run: store.sync, onError })
  return {
    store,
    close: () => {
      syncing.stop()
      redis.disconnect()
    },
  }
}
