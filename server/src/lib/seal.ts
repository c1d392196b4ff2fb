import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Secrets at rest: each is encrypted with a data key of its own, and the data key with the master key, so that the master
 * key can be replaced without touching the secrets. The associated data binds a sealed value to the row it belongs to.
 */
export interface Sealed {
  keyId: string
  wrappedKey: string
  value: string
}

export interface SealingKey {
  id: string
  bytes: Buffer
}

export function sealingKeyFrom(secret: string, id = 'k1'): SealingKey {
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
  if (sealed.keyId !== key.id) throw new Error(`sealed with key ${sealed.keyId}, but the key at hand is ${key.id}`)
  const dataKey = decrypt(key.bytes, sealed.wrappedKey, associated)
  return decrypt(dataKey, sealed.value, associated).toString('utf8')
}

// iv (12 bytes), tag (16 bytes), ciphertext; base64.
function encrypt(key: Buffer, plain: Buffer, associated: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(associated))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
}

function decrypt(key: Buffer, text: string, associated: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}
