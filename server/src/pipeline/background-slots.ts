import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { RunningResponse } from '#ports/stored-responses.ts'
import { DetachedConnection } from './detached-connection.ts'

/** A request in the background, from its hold to its end. */
export interface BackgroundSlot {
  readonly walletId: Uuid
  readonly bytes: number
  readonly connection: DetachedConnection
  /** Set once the response is stored as running. */
  begun: RunningResponse | null
}

export interface BackgroundSlots {
  /** Rejects a request if too many run. */
  take(id: Uuid, request: { readonly walletId: Uuid; readonly bytes: number }): BackgroundSlot
  free(id: Uuid): void
  find(id: Uuid): BackgroundSlot | undefined
  /** The requests whose responses are stored as running. */
  begunIds(): Uuid[]
}

/** Bodies of requests in the background of one process. */
const bytesMax = 268_435_456

/** A wallet can have a quarter of the slots, so that others have room. */
export function createBackgroundSlots(countMax: number): BackgroundSlots {
  const slots = new Map<Uuid, BackgroundSlot>()
  return {
    take: (id, { walletId, bytes }) => {
      const taken = [...slots.values()]
      const own = taken.filter((slot) => slot.walletId === walletId).length
      const total = taken.reduce((sum, slot) => sum + slot.bytes, bytes)
      if (taken.length >= countMax || own >= Math.ceil(countMax / 4) || total > bytesMax) throw full()
      const slot: BackgroundSlot = { walletId, bytes, connection: new DetachedConnection(), begun: null }
      slots.set(id, slot)
      return slot
    },
    free: (id) => void slots.delete(id),
    find: (id) => slots.get(id),
    begunIds: () => [...slots].flatMap(([id, { begun }]) => (begun === null ? [] : [id])),
  }
}

function full(): GatewayError {
  return new GatewayError('overloaded', {
    message: 'Too many requests run in the background. Nothing was charged. Retry shortly, or without `background`.',
    retryAfterS: 5,
  })
}
