import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { RealtimeSession } from './realtime-session.ts'

interface SessionLimits {
  /** Of this process. */
  readonly sessionsMax: number
  /** Of one key in this process. */
  readonly keySessionsMax: number
}

/** The open sessions of this process. */
export class SessionCounts {
  readonly #limits: SessionLimits
  readonly #countOf = new Map<Uuid, number>()
  readonly #running = new Set<RealtimeSession>()
  #count = 0
  #isDraining = false

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#count
  }

  /** Counts a session that begins. Returns the function that ends the count. */
  enter(keyId: Uuid): () => void {
    if (this.#isDraining)
      throw new GatewayError('draining', { message: 'The gateway is shutting down.', retryAfterS: 1 })
    const { sessionsMax, keySessionsMax } = this.#limits
    if (this.#count >= sessionsMax) {
      throw new GatewayError('overloaded', { message: 'Too many open realtime sessions.', retryAfterS: 5 })
    }
    const count = this.#countOf.get(keyId) ?? 0
    if (count >= keySessionsMax) {
      throw new GatewayError('rateLimited', {
        message: `This API key has the maximum of ${keySessionsMax} open realtime sessions.`,
        boundBy: 'key_sessions',
      })
    }
    this.#count += 1
    this.#countOf.set(keyId, count + 1)
    return () => this.#leave(keyId)
  }

  #leave(keyId: Uuid): void {
    this.#count -= 1
    const left = (this.#countOf.get(keyId) ?? 1) - 1
    if (left === 0) this.#countOf.delete(keyId)
    else this.#countOf.set(keyId, left)
  }

  /** A session that runs; ended when the gateway shuts down. */
  async watch(session: RealtimeSession, running: Promise<void>): Promise<void> {
    this.#running.add(session)
    if (this.#isDraining) void session.drain()
    await running.finally(() => this.#running.delete(session))
  }

  /** Admits no more sessions, and ends the others once their response is settled. */
  async drain(): Promise<void> {
    this.#isDraining = true
    await Promise.allSettled([...this.#running].map((session) => session.drain()))
  }
}
