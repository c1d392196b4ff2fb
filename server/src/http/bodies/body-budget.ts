import { GatewayError } from '#errors/gateway-error.ts'

/** The limit on body bytes in memory: for all clients together, and per address. */
export interface BodyBudget {
  /** The account of one body that has started to arrive. */
  open(address: string): BodyAccount
  /** Bytes currently in memory. */
  readonly byteCount: number
}

export interface BodyAccount {
  /** Counts received bytes; rejects if they exceed the budget. */
  add(byteCount: number): void
  /** Releases the bytes. It is idempotent. */
  close(): void
}

/** The limits on large parsed bodies. */
export function runningLimits(bodies: { runningBytesMax: number; runningAddressBytesMax: number }) {
  return { bytesMax: bodies.runningBytesMax, addressBytesMax: bodies.runningAddressBytesMax }
}

export function createBodyBudget(limits: { bytesMax: number; addressBytesMax: number }): BodyBudget {
  const bytesOf = new Map<string, number>()
  let total = 0
  return {
    open: (address) => {
      let own = 0
      return {
        add: (byteCount) => {
          const ofAddress = (bytesOf.get(address) ?? 0) + byteCount
          if (ofAddress > limits.addressBytesMax)
            throw overloaded('Too much request data in flight from your IP address.')
          if (total + byteCount > limits.bytesMax) throw overloaded('Too much request data in flight.')
          own += byteCount
          total += byteCount
          bytesOf.set(address, ofAddress)
        },
        close: () => {
          const left = (bytesOf.get(address) ?? 0) - own
          if (left > 0) bytesOf.set(address, left)
          else bytesOf.delete(address)
          total -= own
          own = 0
        },
      }
    },
    get byteCount() {
      return total
    },
  }
}

function overloaded(reason: string): GatewayError {
  return new GatewayError('overloaded', { message: `${reason} Retry shortly.`, retryAfterS: 2 })
}
