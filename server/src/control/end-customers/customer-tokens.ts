import { randomBytes } from 'node:crypto'
import { createFieldReader, readBudgetField } from '#control/read-fields.ts'
import { parseAllowedModels } from '#domain/access/parse-allowed-models.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { isUuid, newUuid, type Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { CustomerTokens, EndCustomerReference, NewCustomerToken } from '#ports/end-customers.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { keySecretFrom } from '../keys/key-secret.ts'
import { missingEndCustomer } from './change-end-customer.ts'

export interface CustomerTokenDeps {
  readonly tokens: CustomerTokens
  readonly announce: Announce
}

type TokenTerms = Pick<NewCustomerToken, 'keyId' | 'limit' | 'allowedModels'> & { readonly lifeS: number }

const lifeS = { fallback: 3_600, min: 60, max: 86_400 }
// A browser renews its token long before this many are open, and a leaked key cannot create tokens without end.
const tokensMax = 1_000

export function parseNewToken(body: JsonObject): TokenTerms {
  const keyId = createFieldReader(body).requiredText('api_key_id').toLowerCase()
  return {
    keyId,
    limit: readBudgetField(body, 'limit') ?? null,
    allowedModels: modelsOf(body),
    lifeS: lifeOf(body),
  }
}

function modelsOf({ allowed_models: models = null }: JsonObject): readonly string[] | null {
  if (models === null) return null
  const parsed = parseAllowedModels(models)
  if (!parsed.accepted) throw malformed(parsed.problem.replace('allowedModels', 'allowed_models'))
  if (parsed.patterns.length === 0)
    throw malformed('allowed_models must name at least one model, or be null for all models of the key.')
  return parsed.patterns
}

function lifeOf({ expires_in: life = lifeS.fallback }: JsonObject): number {
  if (typeof life === 'number' && Number.isInteger(life) && life >= lifeS.min && life <= lifeS.max) return life
  throw malformed(`expires_in must be an integer from ${lifeS.min} to ${lifeS.max} seconds.`)
}

interface CreatedToken extends NewCustomerToken {
  /** Returned only once. */
  readonly secret: string
  readonly createdAtMs: number
}

/** Creates a token that acts as one of the account's keys, for one customer. */
export async function createCustomerToken(
  { tokens }: CustomerTokenDeps,
  { which, terms }: { which: EndCustomerReference; terms: TokenTerms },
  author: ChangeAuthor,
): Promise<CreatedToken> {
  const { nowMs } = author
  const { lifeS: seconds, ...rest } = terms
  const { secret, hash: tokenHash } = keySecretFrom(randomBytes(32), 'cust-weir-')
  const token = { ...rest, id: newUuid(nowMs), tokenHash, expiresAtMs: nowMs + seconds * 1_000, tokensMax }
  const made = isUuid(terms.keyId) ? await tokens.create(which, token, author) : 'no key'
  if (made === 'missing') throw missingEndCustomer()
  if (made === 'no key') throw malformed('api_key_id must be the id of a standard key of this account.')
  if (made === 'full') {
    const message = `The customer has the maximum of ${tokensMax} unexpired tokens. Revoke a token, or wait until one expires.`
    throw new GatewayError('conflict', { message })
  }
  return { ...token, secret, createdAtMs: nowMs }
}

/** Revokes a token, and makes every process drop its cached copy. */
export async function revokeCustomerToken(
  { tokens, announce }: CustomerTokenDeps,
  { which, tokenId }: { which: EndCustomerReference; tokenId: Uuid },
  author: ChangeAuthor,
): Promise<void> {
  const revoked = isUuid(tokenId) ? await tokens.revoke(which, tokenId, author) : 'missing'
  if (revoked === 'missing') throw new GatewayError('notFound', { message: 'Token not found.' })
  await announce({ keyHash: revoked.tokenHash })
}
