import { createPrivateKey } from 'node:crypto'
import { malformed } from '#errors/malformed.ts'
import { parseJsonObject, stringAt } from '#lib/json.ts'

const lengthMax = 16_384
/** Each token is signed with the key in this process, and a longer key would stop it for many milliseconds. */
const keyBitsMax = 4_096

/** The JSON file of a Google service account, reduced to what requests need. */
export function parseServiceAccount(text: string): string {
  const file = text.length > lengthMax ? undefined : parseJsonObject(text)
  if (file === undefined) throw malformed('apiKey starts like the JSON file of a service account, but is not JSON.')
  const email = stringAt(file, 'client_email') ?? ''
  const privateKey = stringAt(file, 'private_key') ?? ''
  if (email === '' || privateKey === '') throw malformed('apiKey lacks client_email or private_key.')
  assertKey(privateKey)
  const keyId = stringAt(file, 'private_key_id')
  const kept = { type: 'service_account', client_email: email, private_key: privateKey }
  return JSON.stringify({ ...kept, ...(keyId === undefined ? {} : { private_key_id: keyId }) })
}

function assertKey(text: string): void {
  let bits: number | undefined
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'rsa') bits = key.asymmetricKeyDetails?.modulusLength
  } catch {
    throw malformed("apiKey has a private_key that can't be read.")
  }
  if (bits === undefined || bits > keyBitsMax) {
    throw malformed(`apiKey must have an RSA private_key of at most ${keyBitsMax} bits.`)
  }
}
