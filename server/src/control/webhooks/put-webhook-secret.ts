import type { KeyAccount } from '#domain/access/key-account.ts'
import { randomBytes } from 'node:crypto'
import { seal, type SealingKey } from '#lib/seal.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { WebhookSecrets } from '#ports/webhooks.ts'

const secretBytes = 32

/** Creates a secret for an account, in the format of Standard Webhooks. It is returned only once. */
export async function putWebhookSecret(
  { secrets, sealingKey }: { secrets: WebhookSecrets; sealingKey: SealingKey },
  account: KeyAccount,
  author: ChangeAuthor,
): Promise<string> {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`
  await secrets.put(account, (walletId) => seal(sealingKey, secret, walletId), author)
  return secret
}
