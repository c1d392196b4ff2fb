import {
  parseFlag,
  parseOptionalMoment,
  parseOptionalPeriod,
  parseOptionalText,
  parseOptionalUsd,
  parseText,
  parseTexts,
  readField,
} from '#control/read-fields.ts'
import type { KeyType } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { KeyTerms } from '#ports/keys.ts'

/** The terms of a key to be made. Its type is the endpoint's decision, never the body's alone. */
export function parseNewKey(body: JsonObject): Omit<KeyTerms, 'type'> {
  const name = readField(body, { name: parseText, label: parseText })
  if (name === undefined)
    throw new GatewayError('missingRequiredField', { message: 'name is required: what to call the key.' })
  const { allowedCidrs } = body
  return {
    name,
    limit: readField(body, { limit: parseOptionalUsd, spendLimitUsd: parseOptionalUsd }) ?? null,
    period: readField(body, { limit_reset: parseOptionalPeriod, spendLimitPeriod: parseOptionalPeriod }) ?? null,
    expiresAtMs: readField(body, { expires_at: parseOptionalMoment, expiresAt: parseOptionalMoment }) ?? null,
    allowedCidrs: allowedCidrs === undefined ? [] : parseTexts(allowedCidrs, 'allowedCidrs'),
    freeFallback: readField(body, { freeFallback: parseFlag }) ?? true,
  }
}

export function parseKeyType({ keyType }: JsonObject): KeyType {
  if (keyType === undefined || keyType === 'standard') return 'standard'
  if (keyType === 'management') return 'management'
  throw malformed('keyType must be standard or management.')
}

/** Whom a key of an organization is for. */
export function parseKeyPlace(body: JsonObject): { memberId: string | null; teamId: string | null } {
  return {
    memberId: readField(body, { memberId: parseOptionalText }) ?? null,
    teamId: readField(body, { teamId: parseOptionalText }) ?? null,
  }
}
