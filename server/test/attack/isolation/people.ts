import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { keySecretFrom } from '#control/keys/key-secret.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Role } from '#domain/access/roles.ts'
import { type OperatorRole, operatorRoles, roles } from '#test/oracle/read-access.ts'
import type { Credential } from '#domain/access/client.ts'
import type { TestAccounts } from '#test/setup/accounts.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { TestSignIn } from '#test/setup/sign-in.ts'

/** Creates accounts, keys and sessions. */
export interface Registry extends TestAccounts, TestSignIn {
  readonly pool: Pool
}

/** A client of the matrix and its known properties. */
export interface Person {
  name: string
  headers: Record<string, string>
  /** The standing of the credential before the access table applies. */
  standing: 'nobody' | 'unauthenticated' | 'forbidden' | 'known'
  credential: Credential | null
  /** The key, if it sends requests: it sees only the runs that it created. */
  keyId?: string
  /** The owner of their personal things. */
  userId: string | null
  roleIn: { home: Role | null; away: Role | null }
  /** The organization that a key is bound to. */
  boundTo: 'home' | 'away' | null
  /** The role of an operator. */
  operates: OperatorRole | null
}

export interface Place {
  organizationId: string
  walletId: string
  teamId: string
  otherTeamId: string
}

const nowhere = { home: null, away: null } as const
const unbound = { boundTo: null, operates: null } as const
type Added = Omit<Person, 'standing' | 'boundTo' | 'operates'> & Partial<Person>

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

function keyOf({ key, keyId }: { key: string; keyId: string }): Pick<Person, 'headers' | 'keyId'> {
  return { headers: bearer(key), keyId }
}

export async function gatherPeople(gateway: Registry, home: Place, away: Place): Promise<Person[]> {
  const people: Person[] = [
    { ...unbound, name: 'nobody', headers: {}, standing: 'nobody', credential: null, userId: null, roleIn: nowhere },
  ]
  const add = (person: Added): void => {
    people.push({ standing: 'known', ...unbound, ...person })
  }
  const cookie = async (userId: string) => ({ cookie: await gateway.signIn(userId), origin: ownOrigin })

  const stranger = await gateway.createClient()
  const { userId: strangerId } = stranger
  const strangerManages = await gateway.addKey(strangerId, { type: 'management' })
  const stranded = { userId: strangerId, roleIn: nowhere }
  add({ name: 'stranger, standard key', ...keyOf(stranger), credential: 'standard_key', ...stranded })
  add({
    name: 'stranger, management key',
    headers: bearer(strangerManages.key),
    credential: 'management_key',
    ...stranded,
  })
  add({ name: 'stranger, session', headers: await cookie(strangerId), credential: 'session', ...stranded })

  for (const where of ['home', 'away'] as const) {
    const place = where === 'home' ? home : away
    for (const role of roles) {
      const needsTeam = role === 'team_admin' || role === 'member'
      const member = await gateway.addMember(place.organizationId, {
        role,
        ...(needsTeam ? { teamId: place.teamId } : {}),
      })
      const common = { userId: member.userId, roleIn: { ...nowhere, [where]: role } }
      const { memberId } = member
      const standard = await gateway.addKey(member.userId)
      const management = await gateway.addKey(member.userId, { type: 'management' })
      const inOrganization = await gateway.addOrganizationKey(place.organizationId, { memberId })
      const bound = await gateway.addOrganizationKey(place.organizationId, { memberId, terms: { type: 'management' } })
      const title = `${role} ${where === 'home' ? 'here' : 'elsewhere'}`
      add({ name: `${title}, session`, headers: await cookie(member.userId), credential: 'session', ...common })
      add({ name: `${title}, standard key`, ...keyOf(standard), credential: 'standard_key', ...common })
      add({
        name: `${title}, management key`,
        headers: bearer(management.key),
        credential: 'management_key',
        ...common,
      })
      add({
        name: `${title}, organization's standard key`,
        ...keyOf(inOrganization),
        credential: 'standard_key',
        boundTo: where,
        ...common,
      })
      add({
        name: `${title}, organization's management key`,
        headers: bearer(bound.key),
        credential: 'management_key',
        boundTo: where,
        ...common,
      })
    }
  }
  const tokenHeaders = bearer(await addCustomerToken(gateway, stranger))
  add({ name: "token of a stranger's customer", headers: tokenHeaders, credential: 'customer_token', ...stranded })

  for (const role of operatorRoles) {
    const headers = bearer((await gateway.addOperatorKey({ role })).key)
    const name = role === 'owner' ? 'operator' : `operator for ${role}`
    add({ name, headers, credential: 'operator_key', userId: null, roleIn: nowhere, operates: role })
  }
  await addOperators(gateway, add)
  await addTheRefused(gateway, home, add)
  return people
}

/** Creates a customer of a person, and a token of it that acts as the person's key. */
async function addCustomerToken(
  { pool }: Registry,
  { walletId, keyId }: { walletId: string; keyId: string },
): Promise<string> {
  const { secret, hash } = keySecretFrom(randomBytes(32), 'cust-weir-')
  await pool.query(
    `WITH made AS (INSERT INTO end_customers (id, wallet_id, external_id) VALUES ($1, $2, 'of-a-token') RETURNING id)
     INSERT INTO customer_tokens (id, customer_id, key_id, token_hash, expires_at)
     SELECT $1, made.id, $3, decode($4, 'hex'), now() + interval '1 day' FROM made`,
    [newUuid(Date.now()), walletId, keyId, hash],
  )
  return secret
}

/** People who operate the platform, and an owner whose session has no second factor. */
async function addOperators(gateway: Registry, add: Add): Promise<void> {
  for (const operates of [...operatorRoles, null]) {
    const { userId } = await gateway.createClient()
    await gateway.addOperator(userId, operates ?? 'owner')
    const cookie = await gateway.signIn(userId, { secondFactor: operates !== null })
    const name = operates === null ? 'owner without a second factor' : `${operates} of the platform, session`
    add({ name, headers: { cookie, origin: ownOrigin }, credential: 'session', userId, roleIn: nowhere, operates })
  }
}

type Add = (person: Added) => void

/** All are administrators with an invalid credential. */
async function addTheRefused(gateway: Registry, home: Place, add: Add): Promise<void> {
  const { organizationId } = home
  const admin = await gateway.addMember(organizationId, { role: 'org_admin' })
  const common = { userId: admin.userId, roleIn: { ...nowhere, home: 'org_admin' as const } }
  const expired = await gateway.addKey(admin.userId, { type: 'management', expiresAtMs: Date.now() + 60_000 })
  const disabled = await gateway.addKey(admin.userId, { type: 'management' })
  const deleted = await gateway.addKey(admin.userId, { type: 'management' })
  await gateway.pool.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    expired.keyId,
  ])
  await gateway.pool.query('UPDATE api_keys SET enabled = false WHERE id = $1', [disabled.keyId])
  await gateway.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [deleted.keyId])
  const refused = { credential: 'management_key', standing: 'unauthenticated', ...common } as const
  add({ name: 'expired key', headers: bearer(expired.key), ...refused })
  add({ name: 'disabled key', headers: bearer(disabled.key), ...refused })
  add({ name: 'deleted key', headers: bearer(deleted.key), ...refused })

  const suspended = await gateway.addMember(organizationId, { role: 'org_admin' })
  const suspendedKey = await gateway.addKey(suspended.userId, { type: 'management' })
  const cookie = await gateway.signIn(suspended.userId)
  await gateway.pool.query('UPDATE users SET suspended_at = now() WHERE id = $1', [suspended.userId])
  const held = { ...common, userId: suspended.userId, standing: 'forbidden' } as const
  add({ name: 'suspended, key', headers: bearer(suspendedKey.key), credential: 'management_key', ...held })
  add({ name: 'suspended, session', headers: { cookie, origin: ownOrigin }, credential: 'session', ...held })

  const institution = await gateway.addInstitutionSession(organizationId)
  const pupil = { userId: null, roleIn: nowhere, boundTo: 'home' } as const
  add({
    name: 'institution key',
    headers: bearer(institution.key),
    credential: null,
    standing: 'forbidden',
    ...pupil,
  })
  add({
    name: 'institution session',
    headers: bearer(institution.token),
    credential: 'institution_session',
    ...pupil,
  })
}
