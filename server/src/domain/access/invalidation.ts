import { parseJsonObject, stringAt } from '#lib/json.ts'

/** What has changed in the store, so that cached principals made from it are dropped: one member is enough. */
export interface Invalidation {
  keyHash?: string
  walletId?: string
  userId?: string
  organizationId?: string
  all?: true
}

/** Reads a message of another process. What cannot be understood may mean anything, so it drops everything. */
export function parseInvalidation(text: string): Invalidation {
  const message = parseJsonObject(text) ?? {}
  const invalidation: Invalidation = {}
  const keyHash = stringAt(message, 'keyHash')
  const walletId = stringAt(message, 'walletId')
  const userId = stringAt(message, 'userId')
  const organizationId = stringAt(message, 'organizationId')
  if (organizationId !== undefined) invalidation.organizationId = organizationId
  if (keyHash !== undefined) invalidation.keyHash = keyHash
  if (walletId !== undefined) invalidation.walletId = walletId
  if (userId !== undefined) invalidation.userId = userId
  const understood = Object.keys(invalidation).length > 0
  return message['all'] === true || !understood ? { all: true } : invalidation
}
