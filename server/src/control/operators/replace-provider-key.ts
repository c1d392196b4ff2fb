import { malformed } from '#errors/malformed.ts'
import { seal, type SealingKey } from '#lib/seal.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Operators } from '#ports/operators.ts'
import { missingAccount } from './change-provider-account.ts'
import { platformEntry } from './platform-entry.ts'

/** Replaces a provider credential. New requests use it within a second; running requests keep the previous one. */
export async function replaceProviderKey(
  deps: { operators: Operators; sealingKey: SealingKey },
  input: { name: string; credential: string },
  author: ChangeAuthor,
): Promise<void> {
  const credential = parseCredential(input.credential)
  if (credential === '') throw malformed('The new key is required.')
  const { name } = input
  const sealCredential = (accountId: string) => seal(deps.sealingKey, credential, accountId)
  const changed = await deps.operators.changeAccount(name, { sealCredential }, ({ id, hasCredential }) =>
    platformEntry(author, {
      action: 'provider.key.replace',
      target: { kind: 'provider', id },
      details: { name, hadKey: hasCredential },
    }),
  )
  if (changed === null) throw missingAccount(name)
}

const credentialLengthMax = 16_384

/** Trims whitespace that files and terminals add. */
export function parseCredential(text: string): string {
  const credential = text.trim()
  if (credential.length > credentialLengthMax) {
    throw malformed(`The key must be at most ${credentialLengthMax} characters.`)
  }
  return credential
}
