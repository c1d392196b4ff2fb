import type { Redis } from 'ioredis'
import type { MeasuredCount, SharedMeasurements } from '#ports/shared-counts.ts'

/** One hash per interval, which Redis expires, with a field for each step of each series. */
export function createRedisMeasurements(options: { redis: Redis; prefix: string; keptMs: number }): SharedMeasurements {
  const { redis, prefix, keptMs } = options
  const keyOf = (startMs: number): string => `${prefix}measured:${startMs}`
  return {
    async add(counts) {
      const pipeline = redis.pipeline()
      for (const { startMs, series, step, count } of counts) {
        pipeline.hincrby(keyOf(startMs), `${series} ${step}`, count)
      }
      for (const startMs of new Set(counts.map((counted) => counted.startMs))) pipeline.pexpire(keyOf(startMs), keptMs)
      throwFirst(await pipeline.exec())
    },
    async read(startsMs) {
      const pipeline = redis.pipeline()
      for (const startMs of startsMs) pipeline.hgetall(keyOf(startMs))
      const answers = throwFirst(await pipeline.exec())
      return startsMs.flatMap((startMs, position) => countsOf(startMs, answers[position]))
    },
  }
}

function throwFirst(answers: readonly [Error | null, unknown][] | null): unknown[] {
  const failed = answers?.find(([error]) => error !== null)
  if (failed?.[0] instanceof Error) throw failed[0]
  return answers?.map(([, answer]) => answer) ?? []
}

function countsOf(startMs: number, hash: unknown): MeasuredCount[] {
  if (typeof hash !== 'object' || hash === null) return []
  return Object.entries(hash).flatMap(([field, text]) => {
    const at = field.lastIndexOf(' ')
    const [step, count] = [Number(field.slice(at + 1)), Number(text)]
    return at > 0 && Number.isInteger(step) && count > 0 ? [{ startMs, series: field.slice(0, at), step, count }] : []
  })
}
