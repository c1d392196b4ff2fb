import {
  type FieldParser,
  parseFlag,
  parseOptionalPeriod,
  parseOptionalUsd,
  parseTexts,
  readField,
} from '#control/read-fields.ts'
import type { KeyChange } from '#domain/access/key-settings.ts'
import type { JsonObject } from '#lib/json.ts'

const parseOpposite: FieldParser<boolean> = (value, name) => !parseFlag(value, name)

/** What a body changes about a key. Everything else in it is ignored: name and secret are for ever. */
export function parseKeyChange(body: JsonObject): KeyChange {
  const enabled = readField(body, { enabled: parseFlag, disabled: parseOpposite })
  const limit = readField(body, { spendLimitUsd: parseOptionalUsd, limit: parseOptionalUsd })
  const period = readField(body, { spendLimitPeriod: parseOptionalPeriod, limit_reset: parseOptionalPeriod })
  const freeFallback = readField(body, { freeFallback: parseFlag })
  const { allowedCidrs } = body
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(limit === undefined ? {} : { limit }),
    ...(period === undefined ? {} : { period }),
    ...(freeFallback === undefined ? {} : { freeFallback }),
    ...(allowedCidrs === undefined ? {} : { allowedCidrs: parseTexts(allowedCidrs, 'allowedCidrs') }),
  }
}
