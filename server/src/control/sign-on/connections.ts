import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { type Connection, type ConnectionSettings, connectionValues } from '#domain/sign-on/connection.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { seal, type SealingKey } from '#lib/seal.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Egress } from '#ports/outbound.ts'
import type { FetchMetadata, OpenSignOn, SignOnStore } from '#ports/sign-on.ts'
import { type ConnectionWish, parseConnectionWish } from './parse-connection.ts'
import { readOwn } from './read-own.ts'
import { assertUrls, readSettings } from './read-settings.ts'

export interface ConnectionDeps {
  readonly store: SignOnStore
  readonly egress: Egress
  readonly sealingKey: SealingKey
  readonly fetchMetadata: FetchMetadata
}

const connectionsMax = 5

/** Adds an identity provider. People can sign in with it once it is enabled. */
export async function createConnection(
  deps: ConnectionDeps,
  request: { organizationId: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<Connection> {
  const { organizationId, body, stamp, nowMs } = request
  const wish = parseConnectionWish(body)
  const settings = await readSettings(deps, { body, before: null, organizationId, nowMs })
  await assertUrls(deps, settings, organizationId)
  const { name } = wish
  if (name === undefined) throw malformed('name is required.')
  if (settings.kind === 'oidc' && wish.clientSecret === undefined) throw malformed('clientSecret is required.')
  const id = newUuid(nowMs)
  return deps.store.change(organizationId, async (open) => {
    if ((await open.listConnections()).length >= connectionsMax) {
      throw malformed(`An organization can have at most ${connectionsMax} identity providers. Delete one first.`)
    }
    await open.insertConnection({ id, name, settings, secret: sealed(deps, wish, id) })
    const after = connectionValues({ name, settings, enabled: false, enforced: false })
    await open.append({ ...stamp, action: 'sign_on.connection.create', target: targetOf(id), after })
    return readOwn(await open.listConnections(), id, 'Identity provider')
  })
}

/**
 * Changes the given fields. New settings are untested, so people are no longer forced to use them. With another subject
 * attribute, accounts are linked anew, as at the first sign-in.
 */
export async function changeConnection(
  deps: ConnectionDeps,
  request: { organizationId: Uuid; id: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<Connection> {
  const { organizationId, id, body, stamp, nowMs } = request
  const wish = parseConnectionWish(body)
  const known = readOwn(await deps.store.listConnections(organizationId), id, 'Identity provider')
  const settings = await readSettings(deps, { body, before: known.settings, organizationId, nowMs })
  if (changedValues(valuesOf(settings), valuesOf(known.settings)) !== null) {
    await assertUrls(deps, settings, organizationId)
  }
  return deps.store.change(organizationId, async (open) => {
    const before = readOwn(await open.listConnections(), id, 'Identity provider')
    const isNew =
      wish.clientSecret !== undefined || changedValues(valuesOf(before.settings), valuesOf(settings)) !== null
    const after: Connection = {
      ...before,
      name: wish.name ?? before.name,
      settings,
      enabled: wish.enabled ?? before.enabled,
      enforced: (wish.enforced ?? before.enforced) && !(isNew && wish.enforced !== true),
      testedAtMs: isNew ? null : before.testedAtMs,
    }
    await assertUsable(open, after)
    const forgetsPeople = subjectAttributeOf(before) !== subjectAttributeOf(after)
    await open.updateConnection({ ...after, secret: sealed(deps, wish, id), forgetsTests: isNew, forgetsPeople })
    const changed = changedValues(connectionValues(before), connectionValues(after))
    const details = wish.clientSecret === undefined ? {} : { details: { clientSecret: 'replaced' } }
    if (changed !== null || wish.clientSecret !== undefined) {
      await open.append({ ...stamp, action: 'sign_on.connection.update', target: targetOf(id), ...changed, ...details })
    }
    return readOwn(await open.listConnections(), id, 'Identity provider')
  })
}

/** People who signed in through it keep their accounts and memberships. */
export async function deleteConnection(
  { store }: Pick<ConnectionDeps, 'store'>,
  request: { organizationId: Uuid; id: Uuid; stamp: AuditStamp },
): Promise<void> {
  const { organizationId, id, stamp } = request
  await store.change(organizationId, async (open) => {
    const before = readOwn(await open.listConnections(), id, 'Identity provider')
    await open.deleteConnection(id)
    const values = { before: connectionValues(before) }
    await open.append({ ...stamp, action: 'sign_on.connection.delete', target: targetOf(id), ...values })
  })
}

/** A connection that people are forced to use must have worked. Only one can be enabled, and only with a domain. */
async function assertUsable(open: OpenSignOn, connection: Connection): Promise<void> {
  const { id, enabled, enforced, testedAtMs } = connection
  if (enforced && !enabled) throw conflict('Enable the identity provider before you require it.')
  if (enforced && testedAtMs === null) throw conflict('Test the identity provider successfully before you require it.')
  if (!enabled) return
  const other = (await open.listConnections()).find((each) => each.enabled && each.id !== id)
  if (other !== undefined) throw conflict(`${other.name} is enabled. Disable it first.`)
  const hasDomain = (await open.listDomains()).some(({ verifiedAtMs }) => verifiedAtMs !== null)
  if (!hasDomain) throw conflict('Verify a domain before you enable an identity provider.')
}

function subjectAttributeOf({ settings }: Connection): string | null {
  return settings.kind === 'saml' ? settings.subjectAttribute : null
}

function sealed({ sealingKey }: ConnectionDeps, { clientSecret }: ConnectionWish, id: Uuid) {
  return clientSecret === undefined ? null : seal(sealingKey, clientSecret, id)
}

function valuesOf(settings: ConnectionSettings): JsonObject {
  return connectionValues({ name: '', settings, enabled: false, enforced: false })
}

function conflict(message: string): GatewayError {
  return new GatewayError('conflict', { message })
}

function targetOf(id: Uuid): { kind: string; id: string } {
  return { kind: 'connection', id }
}
