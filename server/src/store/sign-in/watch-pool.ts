import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'
import { isAway, storeAway } from '../postgres/faults.ts'
import { takeClient } from '../postgres/with-client.ts'

/**
 * The library takes an unresponsive database for a missing session. `run` records that the database was unavailable and
 * replaces the library's response with an error that says so.
 */
export function watchPool(pool: Pool): WatchedPool {
  const faults = new AsyncLocalStorage<{ fault: unknown }>()
  const note = (fault: unknown): never => {
    const store = faults.getStore()
    if (store !== undefined && isAway(fault)) store.fault ??= fault
    throw fault
  }
  const watchedPool: Pool = new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return () => takeClient(target).then((client) => watchClient(client, note), note)
      return watchedMember(target, name, note)
    },
  })
  return {
    pool: watchedPool,
    run: async (work) => {
      const store: { fault: unknown } = { fault: undefined }
      try {
        const result = await faults.run(store, work)
        if (store.fault === undefined) return result
      } catch (error) {
        if (store.fault === undefined) throw error
      }
      throw storeAway(store.fault)
    },
  }
}

interface WatchedPool {
  readonly pool: Pool
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

function watchClient(client: PoolClient, note: (fault: unknown) => never): PoolClient {
  return new Proxy(client, {
    get: (target, name) => watchedMember(target, name, note),
  })
}

/** A member of a pool or client that records the errors of its queries. */
function watchedMember(target: object, name: string | symbol, note: (fault: unknown) => never): unknown {
  const value: unknown = Reflect.get(target, name, target)
  if (typeof value !== 'function') return value
  if (name !== 'query') return value.bind(target)
  return (...parameters: unknown[]) => {
    const answer: unknown = Reflect.apply(value, target, parameters)
    return answer instanceof Promise ? answer.catch(note) : answer
  }
}
