import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lists the hashes of all release files, in the format of `sha256sum --check`. */
export function writeHashes(folder: string): string {
  const lines = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  const path = join(folder, 'SHA256SUMS')
  writeFileSync(path, lines.join(''))
  return path
}

/**
 * Signs that list with the operator's Ed25519 key and adds the public key. Anyone can verify it: `openssl pkeyutl
 * -verify -pubin -inkey weir.pub -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig`.
 */
export function signHashes(hashes: string, keyFile: string): void {
  const key = createPrivateKey(readFileSync(keyFile, 'utf8'))
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error('The key is none of Ed25519: openssl genpkey -algorithm ed25519')
  writeFileSync(`${hashes}.sig`, sign(null, readFileSync(hashes), key))
  writeFileSync(join(hashes, '../weir.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
}
