import { withDeadline } from './deadline.ts'

/**
 * Loads for a cache, one at a time per key. A load is current until something that it may have read is invalidated;
 * from then on no reader joins it. Its result goes only to the readers that already wait for it, and is not cached.
 */
interface VersionedLoads<Value> {
  run(key: string): Promise<Value>
  isRunning(key: string): boolean
  overtake(key: string): void
  overtakeAll(): void
}

interface VersionedLoadsOptions<Value> {
  load: (key: string) => Promise<Value>
  clock: () => number
  timeoutMs: number
  keep: (key: string, value: Value, beganAtMs: number) => void
}

export function createVersionedLoads<Value>(options: VersionedLoadsOptions<Value>): VersionedLoads<Value> {
  const { load, clock, timeoutMs, keep } = options
  const current = new Map<string, Promise<Value>>()
  const late = () => new Error(`the store timed out after ${timeoutMs} ms`)

  function run(key: string): Promise<Value> {
    const running = current.get(key)
    if (running !== undefined) return running
    const beganAtMs = clock()
    const loading = withDeadline(load(key), timeoutMs, late).then(
      (value) => {
        if (current.get(key) === loading) {
          current.delete(key)
          keep(key, value, beganAtMs)
        }
        return value
      },
      (error: unknown) => {
        if (current.get(key) === loading) current.delete(key)
        throw error
      },
    )
    current.set(key, loading)
    return loading
  }

  return {
    run,
    isRunning: (key) => current.has(key),
    overtake: (key) => current.delete(key),
    overtakeAll: () => current.clear(),
  }
}
