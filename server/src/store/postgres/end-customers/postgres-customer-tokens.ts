import type { Pool, PoolClient } from 'pg'
import { nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerTokens, EndCustomerReference, NewCustomerToken } from '#ports/end-customers.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { refuseWhenAway } from '../faults.ts'
import { walletOf } from '../wallets/wallet-of-account.sql.ts'
import { inTransaction } from '../with-client.ts'
import { insertToken, listTokens, revokeToken } from './customer-tokens.sql.ts'
import { findCustomerId, lockEndCustomer } from './end-customers.sql.ts'
import { noteEndCustomer } from './postgres-end-customers.ts'

export function createCustomerTokens(pool: Pool): CustomerTokens {
  const within = <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> =>
    refuseWhenAway(inTransaction(pool, 'READ COMMITTED', work))
  return {
    create: (which, token, author) => within((client) => createWithin(client, { which, token }, author)),
    list: (which, page) =>
      refuseWhenAway(
        findCustomerId(pool, which).then((customerId) =>
          customerId === null ? null : listTokens(pool, customerId, page),
        ),
      ),
    revoke: (which, tokenId, author) => within((client) => revokeWithin(client, { which, tokenId }, author)),
  }
}

async function createWithin(
  client: PoolClient,
  { which, token }: { which: EndCustomerReference; token: NewCustomerToken },
  author: ChangeAuthor,
): Promise<'created' | 'missing' | 'no key' | 'full'> {
  const walletId = await walletOf(client, which.account)
  const customer = await lockEndCustomer(client, walletId, which.externalId)
  if (customer === null) return 'missing'
  const made = await insertToken(client, { customerId: customer.id, walletId, token })
  if (made !== 'created') return made
  const after = tokenJson(token)
  const entry = { action: 'end_customer.token.create', id: customer.id, before: null, after } as const
  await noteEndCustomer(client, which.account, entry, author)
  return made
}

function tokenJson({ id, keyId, limit, allowedModels, expiresAtMs }: NewCustomerToken): JsonObject {
  return {
    token_id: id,
    api_key_id: keyId,
    limit: nullableUsdJson(limit),
    allowed_models: allowedModels === null ? null : [...allowedModels],
    expires_at: new Date(expiresAtMs).toISOString(),
  }
}

async function revokeWithin(
  client: PoolClient,
  { which, tokenId }: { which: EndCustomerReference; tokenId: Uuid },
  author: ChangeAuthor,
): Promise<{ tokenHash: string } | 'missing'> {
  const walletId = await walletOf(client, which.account)
  const customer = await lockEndCustomer(client, walletId, which.externalId)
  const tokenHash = customer === null ? null : await revokeToken(client, customer.id, tokenId)
  if (customer === null || tokenHash === null) return 'missing'
  const entry = {
    action: 'end_customer.token.revoke',
    id: customer.id,
    before: null,
    after: { token_id: tokenId },
  } as const
  await noteEndCustomer(client, which.account, entry, author)
  return { tokenHash }
}
