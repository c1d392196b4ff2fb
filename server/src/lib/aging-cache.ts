import { setBounded } from './set-bounded.ts'
import { createVersionedLoads } from './versioned-loads.ts'

/**
 * Values by key, each as old as its load. A value is fresh up to the soft age. After that it is still returned while a
 * refresh runs in the background; from the hard age on it is loaded first.
 */
interface AgingCache<Value> {
  /** Synchronous if the value is cached. Rejects with the store's error if there is no value to fall back on. */
  find(key: string): Value | Promise<Value>
  /** Starts to load a value that is no longer fresh, in the background. */
  refresh(key: string): void
  /** Drops a value. A load that began before this call is never cached, so an outdated value cannot come back. */
  drop(key: string): void
  /**
   * Drops matching values. A running load may turn out to match, so the results of all running loads are not cached.
   */
  dropWhere(isMeant: (value: Value) => boolean): void
  readonly size: number
}

interface AgingCacheOptions<Value> {
  readonly load: (key: string) => Promise<Value>
  readonly clock: () => number
  readonly softTtlMs: number
  readonly hardTtlMs: number
  /** Up to this age a value is returned while the store fails. 0 if an old value must not be returned. */
  readonly staleIfErrorMs: number
  readonly maxEntries: number
  readonly loadTimeoutMs: number
  /** Called after every load whose result is current. Returns false if the value must not be cached. */
  readonly isKept?: (key: string, value: Value, beganAtMs: number) => boolean
}

interface Entry<Value> {
  readonly value: Value
  readonly loadedAtMs: number
  /** After a failed refresh: when to ask the store again. */
  retryAtMs: number
}

const retryAfterFailureMs = 1_000

export function createAgingCache<Value>(options: AgingCacheOptions<Value>): AgingCache<Value> {
  const { load, clock, softTtlMs, hardTtlMs, staleIfErrorMs, maxEntries, isKept = () => true } = options
  const entries = new Map<string, Entry<Value>>()
  const loads = createVersionedLoads<Value>({ load, clock, timeoutMs: options.loadTimeoutMs, keep })

  function find(key: string): Value | Promise<Value> {
    const entry = entries.get(key)
    if (entry === undefined) return loadOrStale(key)
    const nowMs = clock()
    const ageMs = nowMs - entry.loadedAtMs
    // A clock that went back makes ages negative. Such an entry counts as expired.
    if (ageMs >= 0 && ageMs < softTtlMs) return entry.value
    if (nowMs < entry.retryAtMs && isUsable(entry, nowMs)) return entry.value
    if (ageMs < 0 || ageMs >= hardTtlMs) return loadOrStale(key)
    loadBehind(key)
    return entry.value
  }

  function refresh(key: string): void {
    const entry = entries.get(key)
    const nowMs = clock()
    if (entry !== undefined && nowMs - entry.loadedAtMs >= softTtlMs && nowMs >= entry.retryAtMs) loadBehind(key)
  }

  function loadBehind(key: string): void {
    if (!loads.isRunning(key)) void loadOrStale(key).catch(() => {})
  }

  async function loadOrStale(key: string): Promise<Value> {
    try {
      return await loads.run(key)
    } catch (error) {
      const nowMs = clock()
      const entry = entries.get(key)
      if (entry === undefined || !isUsable(entry, nowMs)) throw error
      entry.retryAtMs = nowMs + retryAfterFailureMs
      return entry.value
    }
  }

  const isUsable = ({ loadedAtMs }: Entry<Value>, nowMs: number) =>
    staleIfErrorMs > 0 && nowMs - loadedAtMs < staleIfErrorMs

  function keep(key: string, value: Value, beganAtMs: number): void {
    entries.delete(key)
    if (isKept(key, value, beganAtMs)) {
      setBounded(entries, key, { value, loadedAtMs: beganAtMs, retryAtMs: 0 }, maxEntries)
    }
  }

  return {
    find,
    refresh,
    drop(key) {
      entries.delete(key)
      loads.overtake(key)
    },
    dropWhere(isMeant) {
      loads.overtakeAll()
      for (const [key, { value }] of entries) if (isMeant(value)) entries.delete(key)
    },
    get size() {
      return entries.size
    },
  }
}
