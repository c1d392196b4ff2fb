import { GatewayError } from '#errors/gateway-error.ts'

export interface UploadRoom {
  /** Reserves room for one upload; returns an idempotent release function. */
  enter(upload: { keyId: string; byteCount: number }): () => void
}

/** Limits concurrent uploads, so that neither one key nor all together fill a disk. */
export function createUploadRoom(limits: { perKeyMax: number; bytesMax: number }): UploadRoom {
  const countOf = new Map<string, number>()
  let bytesTaken = 0
  return {
    enter: ({ keyId, byteCount }) => {
      const count = countOf.get(keyId) ?? 0
      if (count >= limits.perKeyMax) {
        const message = `This key already has ${count} uploads in progress. Wait for one to finish.`
        throw new GatewayError('rateLimited', { message, retryAfterS: 1 })
      }
      if (bytesTaken + byteCount > limits.bytesMax) {
        const message = 'Too many uploads in progress. Retry shortly.'
        throw new GatewayError('overloaded', { message, retryAfterS: 2 })
      }
      countOf.set(keyId, count + 1)
      bytesTaken += byteCount
      let isInside = true
      return () => {
        if (!isInside) return
        isInside = false
        bytesTaken -= byteCount
        const left = (countOf.get(keyId) ?? 1) - 1
        if (left === 0) countOf.delete(keyId)
        else countOf.set(keyId, left)
      }
    },
  }
}
