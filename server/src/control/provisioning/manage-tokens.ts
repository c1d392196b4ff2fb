import { randomBytes } from 'node:crypto'
import { keySecretFrom } from '#control/keys/key-secret.ts'
import { readNameField } from '#control/read-fields.ts'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { ScimToken, ScimTokens } from '#ports/provisioning.ts'

interface CreatedToken {
  readonly token: ScimToken
  /** Returned only once. */
  readonly secret: string
}

const dayMs = 86_400_000
const expiryDaysMax = 730

export async function createScimToken(
  tokens: ScimTokens,
  { organizationId, body, stamp, nowMs }: { organizationId: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<CreatedToken> {
  const name = readNameField(body, 'name', 100)
  if (name === undefined) throw malformed('name is required.')
  const days = readDays(body)
  const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32), 'scim-weir-')
  const expiresAtMs = days === null ? null : nowMs + days * dayMs
  const created = { id: newUuid(nowMs), organizationId, name, secretHash: hash, prefix, suffix, expiresAtMs }
  const token = await tokens.create(created, stamp)
  if (token !== null) return { token, secret }
  throw new GatewayError('conflict', { message: 'This organization has too many tokens. Revoke one first.' })
}

const overlapHoursDefault = 24
const overlapHoursMax = 168

/** Replaces a token. The old one keeps working during the overlap, so that the directory is never without one. */
export async function rotateScimToken(
  tokens: ScimTokens,
  {
    organizationId,
    tokenId,
    body,
    stamp,
    nowMs,
  }: { organizationId: Uuid; tokenId: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<CreatedToken> {
  const hours = readOverlap(body)
  const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32), 'scim-weir-')
  const successor = { id: newUuid(nowMs), secretHash: hash, prefix, suffix }
  const oldExpiresAtMs = nowMs + hours * 3_600_000
  const token = await tokens.rotate({ organizationId, tokenId, successor, nowMs, oldExpiresAtMs }, stamp)
  if (token === null) throw missingToken()
  return { token, secret }
}

function readDays({ expiresInDays: days = null }: JsonObject): number | null {
  if (days === null) return null
  if (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= expiryDaysMax) return days
  throw malformed(`expiresInDays must be an integer from 1 to ${expiryDaysMax}, or null.`)
}

function readOverlap({ overlapHours: hours = overlapHoursDefault }: JsonObject): number {
  if (typeof hours === 'number' && Number.isInteger(hours) && hours >= 0 && hours <= overlapHoursMax) return hours
  throw malformed(`overlapHours must be an integer from 0 to ${overlapHoursMax}.`)
}

export function missingToken(): GatewayError {
  return new GatewayError('notFound', { message: 'Token not found.' })
}
