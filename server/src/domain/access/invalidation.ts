import { parseJsonObject, stringAt } from '#lib/json.ts'

/**
 * A change in the store that drops the cached principals, end customers and runs derived from it. One matching member
 * is enough.
 */
export interface Invalidation {
  keyHash?: string
  /** The key, for tokens of customers that act as it. */
  keyId?: string
  walletId?: string
  userId?: string
  organizationId?: string
  /** The wallet's id, followed by the customer's external id. */
  endCustomer?: string
  /** The id of a run. Running requests of it and of its child runs end, too. */
  stoppedRun?: string
  stopReason?: string
  all?: true
}

/** Parses a message from another process. An unknown message drops everything, because it may mean anything. */
export function parseInvalidation(text: string): Invalidation {
  const message = parseJsonObject(text) ?? {}
  const invalidation: Invalidation = {}
  const keyHash = stringAt(message, 'keyHash')
  const keyId = stringAt(message, 'keyId')
  const walletId = stringAt(message, 'walletId')
  const userId = stringAt(message, 'userId')
  const organizationId = stringAt(message, 'organizationId')
  const endCustomer = stringAt(message, 'endCustomer')
  const stoppedRun = stringAt(message, 'stoppedRun')
  const stopReason = stringAt(message, 'stopReason')
  if (endCustomer !== undefined) invalidation.endCustomer = endCustomer
  if (stoppedRun !== undefined) invalidation.stoppedRun = stoppedRun
  if (organizationId !== undefined) invalidation.organizationId = organizationId
  if (keyHash !== undefined) invalidation.keyHash = keyHash
  if (keyId !== undefined) invalidation.keyId = keyId
  if (walletId !== undefined) invalidation.walletId = walletId
  if (userId !== undefined) invalidation.userId = userId
  const understood = Object.keys(invalidation).length > 0
  if (message['all'] === true || !understood) return { all: true }
  return stopReason === undefined ? invalidation : { ...invalidation, stopReason }
}
