import { randomBytes } from 'node:crypto'
import { publicBatchId } from '#domain/batches/batch-id.ts'
import { publicFileId } from '#domain/files/file-id.ts'
import { publicRequestId } from '#domain/ledger/request-id.ts'
import { publicJobId } from '#domain/video/job-id.ts'
// Not an expectation: it writes jobs as a gateway does.
import { acceptedJob } from '#domain/video/video-job.ts'
import { seal, sealingKeyFrom } from '#lib/seal.ts'
import { newUuid } from '#lib/uuid.ts'
import { testSecret } from '#test/setup/gateway.ts'
import type { Person, Place, Registry } from './people.ts'

/** Ids in paths, by the name of their parameter. */
export type Things = Readonly<Record<string, string>>

/** Creates an organization with two teams. Every name in it contains the mark, so that a leak is visible. */
export async function makePlace(registry: Registry, mark: string): Promise<Place> {
  const { id, walletId } = await registry.createOrganization({ name: `${mark} organization` })
  const { teamId } = await registry.addTeam(id, { name: `${mark} team` })
  const other = await registry.addTeam(id, { name: `${mark} other team` })
  return { organizationId: id, walletId, teamId, otherTeamId: other.teamId }
}

/** Creates one of everything that an organization has. */
export async function makeThings(
  registry: Registry,
  { organizationId, teamId, mark }: { organizationId: string; teamId: string; mark: string },
): Promise<Things> {
  const { memberId } = await registry.addMember(organizationId, { teamId })
  const { keyId } = await registry.addOrganizationKey(organizationId, { memberId, terms: { name: `${mark} key` } })
  const { institutionKeyId, sessionId } = await registry.addInstitutionSession(organizationId)
  const [ruleId, ownKeyId] = [newUuid(Date.now()), newUuid(Date.now())]
  await registry.pool.query(
    `INSERT INTO filter_rules (id, organization_id, name, enabled, action, matcher, position)
     VALUES ($1, $2, $3, false, 'flag', '{"kind":"keyword","keyword":"weir"}', 0)`,
    [ruleId, organizationId, `${mark} rule ${randomBytes(4).toString('hex')}`],
  )
  await registry.pool.query(
    `INSERT INTO own_keys (id, organization_id, name, base_url, credential, key_mask, protocol, fallback_mode, enabled)
     VALUES ($1, $2, $3, 'https://byok.example/v1', $4, '…', 'openai', 'seamless', false)`,
    [ownKeyId, organizationId, `${mark} own key`, seal(sealingKeyFrom(testSecret), 'own-secret', ownKeyId)],
  )
  const invitationId = await makeInvitation(registry, { organizationId, teamId, mark })
  const tokenId = await makeScimToken(registry, { organizationId, name: `${mark} token` })
  const ids = { teamId, memberId, keyId, institutionKeyId, sessionId, ruleId, ownKeyId, invitationId, tokenId }
  return { orgId: organizationId, ...ids, ...(await makeSignOn(registry, { organizationId, mark })) }
}

/** Creates an unverified domain and a disabled identity provider. */
async function makeSignOn(
  registry: Registry,
  { organizationId, mark }: { organizationId: string; mark: string },
): Promise<Things> {
  const [domainId, connectionId] = [newUuid(Date.now()), newUuid(Date.now())]
  await registry.pool.query(
    `INSERT INTO organization_domains (id, organization_id, domain, token) VALUES ($1, $2, $3, 'weir-token')`,
    [domainId, organizationId, `${mark}-${domainId}.example`],
  )
  const settings = { kind: 'oidc', issuer: 'https://idp.example', clientId: `${mark} client`, groupsClaim: 'groups' }
  await registry.pool.query(
    `INSERT INTO sign_on_connections (id, organization_id, kind, name, settings, secret) VALUES ($1, $2, 'oidc', $3, $4, $5)`,
    [
      connectionId,
      organizationId,
      `${mark} provider`,
      settings,
      seal(sealingKeyFrom(testSecret), 'client-secret', connectionId),
    ],
  )
  return { domainId, connectionId }
}

async function makeScimToken(
  registry: Registry,
  { organizationId, name }: { organizationId: string; name: string },
): Promise<string> {
  const tokenId = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO scim_tokens (id, organization_id, name, secret_hash, prefix, suffix) VALUES ($1, $2, $3, $4, '', '')`,
    [tokenId, organizationId, name, randomBytes(32)],
  )
  return tokenId
}

async function makeInvitation(
  registry: Registry,
  { organizationId, teamId, mark }: { organizationId: string; teamId: string; mark: string },
): Promise<string> {
  const invitationId = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO invitations (id, organization_id, token_hash, email, role, team_id, uses_max, invited_by, created_at, sent_at, expires_at)
     SELECT $1, $2, $3, $4, 'member', $5, 1, m.user_id, now(), now(), now() + interval '7 days'
     FROM members m WHERE m.organization_id = $2 LIMIT 1`,
    [invitationId, organizationId, randomBytes(32), `${mark}-${randomBytes(4).toString('hex')}@example.org`, teamId],
  )
  return invitationId
}

/**
 * Creates things that only operators may touch: a person who is no client here and a request of theirs, an account that
 * serves nothing, and a campaign.
 */
export async function makeOperatedThings(registry: Registry): Promise<Things> {
  const { userId, walletId, keyId } = await registry.createClient({ usd: '0' })
  const accountName = `unused-${randomBytes(6).toString('hex')}`
  await registry.addProvider({ vendor: 'vllm', url: 'http://127.0.0.1:9', name: accountName })
  const [campaignId, requestId] = [await makeCampaign(registry), await makeRequest(registry, { walletId, keyId })]
  const organization = await registry.createOrganization({ usd: '0' })
  const customers = { userRef: userId, walletRef: walletId, customerRef: userId, organizationRef: organization.id }
  const noteId = await makeNote(registry, customers)
  const operators = await makeOperators(registry)
  const announcementId = await makeNotice(registry, walletId)
  // A month before the first booking.
  return { ...customers, ...operators, noteId, announcementId, accountName, campaignId, requestId, month: '2020-01' }
}

/** Creates a note of an operator about the customer. */
export async function makeNote(registry: Registry, { customerRef = '' }: Things): Promise<string> {
  const noteId = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO customer_notes (id, owner_id, text, author_kind) VALUES ($1, $2, 'seen before', 'operator')`,
    [noteId, customerRef],
  )
  return noteId
}

/** Creates a person and a key that operate the platform. */
export async function makeOperators(registry: Registry): Promise<Things> {
  const { userId } = await registry.createClient({ usd: '0' })
  await registry.addOperator(userId, 'read_only')
  const { keyId } = await registry.addOperatorKey({ role: 'read_only' })
  return { operatorRef: userId, operatorKeyId: keyId }
}

/** Creates a request whose gateway died. */
async function makeRequest(registry: Registry, payer: { walletId: string; keyId: string }): Promise<string> {
  const id = newUuid(Date.now())
  await registry.pool.query('INSERT INTO lapsed_holds (id, wallet_id, key_id, amount_nano) VALUES ($1, $2, $3, 1)', [
    id,
    payer.walletId,
    payer.keyId,
  ])
  return publicRequestId(id)
}

/** Creates a disabled campaign of codes. */
async function makeCampaign(registry: Registry): Promise<string> {
  const id = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO redemption_campaigns (id, name, amount_nano, codes, uses_per_code, redemptions_max, redemptions_left, enabled)
     VALUES ($1, 'unused', 1, 1, 1, 1, 1, false)`,
    [id],
  )
  return id
}

/** Creates a customer of the wallet's owner, if there is such a wallet, and returns the owner's id of the customer. */
export async function makeEndCustomer(registry: Registry, walletId: string): Promise<string> {
  const id = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO end_customers (id, wallet_id, external_id) SELECT $1::uuid, w.id, $1::text FROM wallets w WHERE w.id = $2`,
    [id, walletId],
  )
  return id
}

/** Creates a run of the wallet, if there is such a wallet, and returns the client's id of the run. */
export async function makeRun(registry: Registry, walletId: string, keyId: string | null): Promise<string> {
  const id = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO runs (id, wallet_id, external_id, path, key_id)
     SELECT $1::uuid, w.id, $1::text, ARRAY[$1::uuid], $3 FROM wallets w WHERE w.id = $2`,
    [id, walletId, keyId],
  )
  return id
}

/** Creates a file, a batch and a batch of messages that have ended, as the key of a client would. */
export async function makeBatches(registry: Registry, walletId: string, keyId: string | null): Promise<Things> {
  const [file, batch, messages] = [newUuid(Date.now()), newUuid(Date.now()), newUuid(Date.now())]
  const owner = `(SELECT coalesce(k.member_id, k.team_id) FROM api_keys k WHERE k.id = $3)`
  await registry.pool.query(
    `INSERT INTO files (id, wallet_id, owner_id, purpose, name, byte_count, sealed_key, is_complete, created_at, expires_at)
     VALUES ($1, $2, ${owner}, 'batch', 'lines.jsonl', 0, $4, true, now(), now() + interval '1 day')`,
    [file, walletId, keyId, seal(sealingKeyFrom(testSecret), 'c2VjcmV0', `file ${file}`)],
  )
  for (const [id, api] of [
    [batch, 'openai'],
    [messages, 'messages'],
  ]) {
    await registry.pool.query(
      `INSERT INTO batches (id, wallet_id, owner_id, key_id, api, endpoint, input_file_id, status, created_at, expires_at,
         ended_at, client_network)
       VALUES ($1, $2, ${owner}, coalesce($3, $1), $4, '/v1/messages', $1, 'completed', now(), now(), now(), '192.0.2.1')`,
      [id, walletId, keyId, api],
    )
  }
  return {
    fileId: publicFileId(file),
    batchId: publicBatchId('openai', batch),
    messageBatchId: publicBatchId('messages', messages),
  }
}

/** Creates a token of the customer that acts as the key, and returns its id. A client without requests has none. */
export async function makeCustomerToken(registry: Registry, customerId: string, keyId: string): Promise<string> {
  const id = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO customer_tokens (id, customer_id, key_id, token_hash, expires_at)
     SELECT $1::uuid, c.id, k.id, sha256($1::text::bytea), now() + interval '1 day'
     FROM end_customers c JOIN api_keys k ON k.wallet_id = c.wallet_id WHERE c.id = $2 AND k.id = $3`,
    [id, customerId, keyId],
  )
  return id
}

/** Creates a key that the client may manage: in the organization of their key, or else their own. */
export async function makeOwnKey(registry: Registry, bound: Place | null, { userId }: Person): Promise<string | null> {
  if (bound !== null) return (await registry.addOrganizationKey(bound.organizationId)).keyId
  return userId === null ? null : (await registry.addKey(userId)).keyId
}

/** Returns the wallet that pays for the client's requests, or a nonexistent one for clients without requests. */
export async function findWallet(registry: Registry, bound: Place | null, { userId }: Person): Promise<string> {
  if (bound !== null) return bound.walletId
  const text = `SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1`
  const { rows } = await registry.pool.query<{ id: string }>(text, [userId])
  return rows[0]?.id ?? newUuid(Date.now())
}

/** Creates a notice of the wallet, in an announcement that no worker continues. A client without requests has none. */
export async function makeNotice(registry: Registry, walletId: string): Promise<string> {
  const id = newUuid(Date.now())
  await registry.pool.query(
    `WITH announced AS (INSERT INTO announcements (id, kind, created_at, finished_at) VALUES ($1, 'change', now(), now())
       RETURNING id)
     INSERT INTO announced_customers (announcement_id, wallet_id, models, mails, told_at)
     SELECT announced.id, w.id, '{acme/one}', 0, now() FROM announced JOIN wallets w ON w.id = $2`,
    [id, walletId],
  )
  return id
}

/** Creates an order that is never paid, at a provider that no worker polls. */
export async function makeTopUp(registry: Registry, walletId: string): Promise<string> {
  const id = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO top_ups (id, wallet_id, provider, is_live, channel, currency, credit_nano, fee_nano, tax_nano, credit_minor,
       fee_minor, tax_minor, total_minor)
     VALUES ($1, $2, 'bank', true, 'usd', 'usd', 5000000000, 0, 0, 500, 0, 0, 500)`,
    [id, walletId],
  )
  return id
}

/** Creates a receipt of the order and returns its number. */
export async function makeDocument(registry: Registry, walletId: string, topUpId: string): Promise<string> {
  const number = `T-${topUpId}`
  const snapshot = JSON.stringify({ number, kind: 'receipt', currency: 'usd', total_usd: '5' })
  // A separate series keeps the audit consistent: it expects numbers without gaps.
  await registry.pool.query('INSERT INTO billing_numbers (series, year, last) VALUES ($1, 2026, 1)', [number])
  await registry.pool.query(
    `INSERT INTO billing_documents (id, series, year, serial, number, kind, wallet_id, top_up_id, position, currency, total_minor,
       total_nano, snapshot, sha256, issued_at)
     VALUES ($1, $2, 2026, 1, $2, 'receipt', $3, $4, 0, 'usd', 500, 5000000000, $5, encode(sha256(convert_to($5, 'UTF8')), 'hex'), now())`,
    [newUuid(Date.now()), number, walletId, topUpId, snapshot],
  )
  return number
}

/** Creates a job that no worker claims: its next poll is a day away. */
export async function makeJob(registry: Registry, walletId: string): Promise<string> {
  const id = newUuid(Date.now())
  await registry.pool.query(
    `INSERT INTO video_jobs (id, wallet_id, model, task, candidates, asker, held_nano, windows, progress, state, own_url,
       deadline_at, due_at)
     VALUES ($1, $2, 'acme/film', '{}', '[]', '{}', 0, '[]', $3, 'accepted', '', now() + interval '2 days',
       now() + interval '1 day')`,
    [id, walletId, acceptedJob],
  )
  return publicJobId(id)
}
