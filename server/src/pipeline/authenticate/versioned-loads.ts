import type { Principal } from '#domain/access/principal.ts'
import { withDeadline } from '#lib/deadline.ts'
import type { Keys } from '#ports/keys.ts'

/**
 * Loads of principals, one at a time for each key. A load is current until something it may have read is invalidated;
 * from then on nobody joins it and its result is not kept, only given to those who were already waiting for it.
 */
export interface VersionedLoads {
  run(keyHash: string): Promise<Principal | null>
  isRunning(keyHash: string): boolean
  overtake(keyHash: string): void
  overtakeAll(): void
}

export interface VersionedLoadsOptions {
  keys: Keys
  clock: () => number
  timeoutMs: number
  keep: (keyHash: string, principal: Principal | null, beganAtMs: number) => void
}

export function createVersionedLoads({ keys, clock, timeoutMs, keep }: VersionedLoadsOptions): VersionedLoads {
  const current = new Map<string, Promise<Principal | null>>()

  function run(keyHash: string): Promise<Principal | null> {
    const running = current.get(keyHash)
    if (running !== undefined) return running
    const beganAtMs = clock()
    const late = () => new Error(`the key store did not answer within ${timeoutMs} ms`)
    const load = withDeadline(keys.findPrincipal(keyHash), timeoutMs, late).then(
      (principal) => {
        if (current.get(keyHash) === load) {
          current.delete(keyHash)
          keep(keyHash, principal, beganAtMs)
        }
        return principal
      },
      (error: unknown) => {
        if (current.get(keyHash) === load) current.delete(keyHash)
        throw error
      },
    )
    current.set(keyHash, load)
    return load
  }

  return {
    run,
    isRunning: (keyHash) => current.has(keyHash),
    overtake: (keyHash) => current.delete(keyHash),
    overtakeAll: () => current.clear(),
  }
}
