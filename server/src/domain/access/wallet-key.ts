import type { Uuid } from '#lib/uuid.ts'

const walletIdLength = 36

/** Identifies a customer or run by its wallet and the owner's id, in caches and in messages between processes. */
export function walletKey(walletId: Uuid, name: string): string {
  return `${walletId}${name}`
}

export function walletIdIn(key: string): Uuid {
  return key.slice(0, walletIdLength)
}

export function nameIn(key: string): string {
  return key.slice(walletIdLength)
}
