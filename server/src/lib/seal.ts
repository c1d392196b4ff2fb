import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isJsonObject, stringAt } from './json.ts'

/**
 * Encryption at rest: each secret has its own data key, and the data key is encrypted with the master key, so that the
 * master key can be replaced without touching the secrets. The associated data binds an encrypted value to its row.
 */
export interface Sealed {
  keyId: string
  wrappedKey: string
  value: string
}

/** No configured secret decrypts the value. */
export class SealError extends Error {}

/** The key that encrypts, and all keys that may decrypt. */
export interface SealingKey extends MasterKey {
  readonly opening: readonly MasterKey[]
}

interface MasterKey {
  readonly id: string
  readonly bytes: Buffer
}

/** Encrypts with the secret, and also decrypts values of the previous secrets. */
export function sealingKeyFrom(secret: string, previousSecrets: readonly string[] = []): SealingKey {
  const opening = [secret, ...previousSecrets].flatMap((each) => [masterKey(each, idOf(each)), masterKey(each, 'k1')])
  return { ...masterKey(secret, idOf(secret)), opening }
}

// Every secret has its own id, which reveals nothing about it. When only one secret was possible, every key was called
// k1.
function idOf(secret: string): string {
  return `k-${Buffer.from(hkdfSync('sha256', secret, 'weir', 'sealing key id', 6)).toString('hex')}`
}

function masterKey(secret: string, id: string): MasterKey {
  return { id, bytes: Buffer.from(hkdfSync('sha256', secret, 'weir', `sealing ${id}`, 32)) }
}

export function seal(key: SealingKey, plain: string, associated: string): Sealed {
  const dataKey = randomBytes(32)
  return {
    keyId: key.id,
    wrappedKey: encrypt(key.bytes, dataKey, associated),
    value: encrypt(dataKey, Buffer.from(plain, 'utf8'), associated),
  }
}

export function unseal(key: SealingKey, sealed: Sealed, associated: string): string {
  return decrypt(openDataKey(key, sealed, associated), sealed.value, associated).toString('utf8')
}

/** Whether a configured secret decrypts the value. Only the data key is tried. */
export function canOpen(key: SealingKey, sealed: Pick<Sealed, 'keyId' | 'wrappedKey'>, associated: string): boolean {
  try {
    openDataKey(key, sealed, associated)
    return true
  } catch {
    return false
  }
}

/**
 * The same secret under the current key. Only its data key is re-encrypted. Null if it is already encrypted with the
 * current key.
 */
export function rewrap(key: SealingKey, sealed: Sealed, associated: string): Sealed | null {
  if (sealed.keyId === key.id) return null
  const dataKey = openDataKey(key, sealed, associated)
  return { keyId: key.id, wrappedKey: encrypt(key.bytes, dataKey, associated), value: sealed.value }
}

function openDataKey(
  key: SealingKey,
  { keyId, wrappedKey }: Pick<Sealed, 'keyId' | 'wrappedKey'>,
  associated: string,
): Buffer {
  for (const { id, bytes } of key.opening) {
    if (id !== keyId) continue
    try {
      return decrypt(bytes, wrappedKey, associated)
    } catch {
      // Another secret may have a key with this id.
    }
  }
  throw new SealError(
    `encrypted with key ${keyId}, which matches none of the configured secrets, or encrypted for another purpose`,
  )
}

/** Parses a stored encrypted value. Throws if a part is missing. */
export function parseSealed(stored: unknown): Sealed {
  if (!isJsonObject(stored)) throw new Error('an encrypted value must be an object')
  const keyId = stringAt(stored, 'keyId')
  const wrappedKey = stringAt(stored, 'wrappedKey')
  const value = stringAt(stored, 'value')
  if (keyId === undefined || wrappedKey === undefined || value === undefined)
    throw new Error('the encrypted value is incomplete')
  return { keyId, wrappedKey, value }
}

function encrypt(key: Buffer, plain: Buffer, associated: string): string {
  return sealBytes(key, plain, associated).toString('base64')
}

function decrypt(key: Buffer, text: string, associated: string): Buffer {
  return openBytes(key, Buffer.from(text, 'base64'), associated)
}

/** Encrypts bytes with a data key that is sealed elsewhere: iv (12 bytes), tag (16 bytes), ciphertext. */
export function sealBytes(dataKey: Buffer, plain: Buffer, associated: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', dataKey, iv).setAAD(Buffer.from(associated))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Throws if the bytes were encrypted with another key, or for another purpose. */
export function openBytes(dataKey: Buffer, bytes: Buffer, associated: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', dataKey, bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}
