import {
  type FieldParser,
  parseFlag,
  parseOptionalMoment,
  parseOptionalPeriod,
  parseOptionalText,
  parseOptionalUsd,
  parseText,
  parseTexts,
  readField,
  readTtlField,
} from '#control/read-fields.ts'
import type { KeyPlace } from '#control/keys/place-organization-key.ts'
import type { KeyChange } from '#domain/access/key-settings.ts'
import type { KeyType } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { KeyTerms } from '#ports/keys.ts'

/** Parses the terms of a new key. The endpoint decides the type, never the body alone. */
export function parseNewKey(body: JsonObject): Omit<KeyTerms, 'type'> {
  const name = readField(body, { name: parseText, label: parseText })
  if (name === undefined) throw new GatewayError('missingRequiredField', { message: 'name is required.' })
  const { allowedCidrs } = body
  return {
    name,
    limit: readField(body, { limit: parseOptionalUsd, spendLimitUsd: parseOptionalUsd }) ?? null,
    period: readField(body, { limit_reset: parseOptionalPeriod, spendLimitPeriod: parseOptionalPeriod }) ?? null,
    expiresAtMs: readField(body, { expires_at: parseOptionalMoment, expiresAt: parseOptionalMoment }) ?? null,
    allowedCidrs: allowedCidrs === undefined ? [] : parseTexts(allowedCidrs, 'allowedCidrs'),
    freeFallback: readField(body, { freeFallback: parseFlag }) ?? true,
    cacheTtlSeconds: readTtlField(body, { least: 0 }) ?? null,
  }
}

export function parseKeyType({ keyType }: JsonObject): KeyType {
  if (keyType === undefined || keyType === 'standard') return 'standard'
  if (keyType === 'management') return 'management'
  throw malformed('keyType must be standard or management.')
}

/** The member and team of an organization key, or that it is shared. */
export function parseKeyPlace(body: JsonObject): KeyPlace {
  return {
    shared: readField(body, { shared: parseFlag }) ?? false,
    memberId: readField(body, { memberId: parseOptionalText }) ?? null,
    teamId: readField(body, { teamId: parseOptionalText }) ?? null,
  }
}

const parseOpposite: FieldParser<boolean> = (value, name) => !parseFlag(value, name)

/** Parses the changes of a key. Name and secret cannot be changed. */
export function parseKeyChange(body: JsonObject): KeyChange {
  const enabled = readField(body, { enabled: parseFlag, disabled: parseOpposite })
  const limit = readField(body, { spendLimitUsd: parseOptionalUsd, limit: parseOptionalUsd })
  const period = readField(body, { spendLimitPeriod: parseOptionalPeriod, limit_reset: parseOptionalPeriod })
  const freeFallback = readField(body, { freeFallback: parseFlag })
  const cacheTtlSeconds = readTtlField(body, { least: 0 })
  const { allowedCidrs } = body
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(limit === undefined ? {} : { limit }),
    ...(period === undefined ? {} : { period }),
    ...(freeFallback === undefined ? {} : { freeFallback }),
    ...(cacheTtlSeconds === undefined ? {} : { cacheTtlSeconds }),
    ...(allowedCidrs === undefined ? {} : { allowedCidrs: parseTexts(allowedCidrs, 'allowedCidrs') }),
  }
}
