import { parseJsonObject, stringAt } from '#lib/json.ts'

/**
 * A change in the store that drops the cached principals and end customers derived from it; one matching member is
 * enough.
 */
export interface Invalidation {
  keyHash?: string
  walletId?: string
  userId?: string
  organizationId?: string
  /** The wallet's id, followed by the customer's external id. */
  endCustomer?: string
  all?: true
}

/** Parses a message from another process. An unknown message drops everything, because it may mean anything. */
export function parseInvalidation(text: string): Invalidation {
  const message = parseJsonObject(text) ?? {}
  const invalidation: Invalidation = {}
  const keyHash = stringAt(message, 'keyHash')
  const walletId = stringAt(message, 'walletId')
  const userId = stringAt(message, 'userId')
  const organizationId = stringAt(message, 'organizationId')
  const endCustomer = stringAt(message, 'endCustomer')
  if (endCustomer !== undefined) invalidation.endCustomer = endCustomer
  if (organizationId !== undefined) invalidation.organizationId = organizationId
  if (keyHash !== undefined) invalidation.keyHash = keyHash
  if (walletId !== undefined) invalidation.walletId = walletId
  if (userId !== undefined) invalidation.userId = userId
  const understood = Object.keys(invalidation).length > 0
  return message['all'] === true || !understood ? { all: true } : invalidation
}
