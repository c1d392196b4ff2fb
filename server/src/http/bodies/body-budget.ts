import { GatewayError } from '#errors/gateway-error.ts'

/** How many bytes of bodies may be in memory before they are parsed: of all clients together, and of one address. */
export interface BodyBudget {
  /** The account of one body that has begun to arrive. */
  open(address: string): BodyAccount
  /** Bytes that are in memory at the moment. */
  readonly byteCount: number
}

export interface BodyAccount {
  /** Counts bytes that have come; refuses those that are too many. */
  add(byteCount: number): void
  /** The bytes are parsed or given up. May be called again. */
  close(): void
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
