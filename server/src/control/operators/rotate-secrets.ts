import { rewrap, type SealingKey } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { SealedSecrets, StaleSecret } from '#ports/operators.ts'
import { platformEntry } from './platform-entry.ts'

interface RotatedPlace {
  place: string
  rotated: number
  /** Secrets that no available master secret decrypts; they stay unchanged. */
  unreadable: Uuid[]
}

const pageSize = 500

/**
 * Re-encrypts all stored secrets with the current key. Each page is a separate transaction and takes only secrets under
 * another key, so a run can be interrupted and repeated, even concurrently.
 */
export async function rotateSecrets(
  deps: { secrets: SealedSecrets; sealingKey: SealingKey },
  author: ChangeAuthor,
): Promise<RotatedPlace[]> {
  const places: RotatedPlace[] = []
  for (const place of deps.secrets.places) places.push(await rotatePlace(deps, place, author))
  return places
}

async function rotatePlace(
  { secrets, sealingKey }: { secrets: SealedSecrets; sealingKey: SealingKey },
  place: string,
  author: ChangeAuthor,
): Promise<RotatedPlace> {
  const outcome: RotatedPlace = { place, rotated: 0, unreadable: [] }
  const replace = (stale: readonly StaleSecret[]) => {
    const replaced = stale.flatMap((secret) => {
      const sealed = wrapAnew(sealingKey, secret)
      if (sealed === null) outcome.unreadable.push(secret.id)
      return sealed === null ? [] : [{ ...secret, sealed }]
    })
    outcome.rotated += replaced.length
    const details = { place, keyId: sealingKey.id, count: replaced.length }
    const entry = platformEntry(author, { action: 'secrets.rotate', target: null, details })
    return { replaced, entry: replaced.length === 0 ? null : entry }
  }
  let after: Uuid | null = null
  for (;;) {
    const page: { last: Uuid } | null = await secrets.replacePage(
      { place, keyId: sealingKey.id, after, limit: pageSize },
      replace,
    )
    if (page === null) return outcome
    after = page.last
  }
}

function wrapAnew(sealingKey: SealingKey, { sealed, associated }: StaleSecret) {
  try {
    return rewrap(sealingKey, sealed, associated)
  } catch {
    return null
  }
}
