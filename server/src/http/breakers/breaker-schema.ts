import { type TSchema, Type } from 'typebox'
import type { BreakerSettings, ResolvedBreaker } from '#domain/access/breaker.ts'
import { breakerJson } from '#domain/access/breaker-json.ts'
import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

const limit = Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()])

/** Any of the three; null restores the inherited value. */
export const breakerChangeSchema = changeSchema(Type.Union([Type.Number({ minimum: 0.01 }), Type.Null()]))
export const organizationBreakerChangeSchema = changeSchema(limit)

function changeSchema(threshold: TSchema) {
  return Type.Object({
    cbEnabled: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    cbMinuteUsd: Type.Optional(threshold),
    cbHourlyUsd: Type.Optional(threshold),
  })
}

/** The settings of one layer; null fields are inherited. */
export const breakerSettingsSchema = Type.Object(
  {
    cbEnabled: Type.Union([Type.Boolean(), Type.Null()]),
    cbMinuteUsd: limit,
    cbHourlyUsd: limit,
  },
  { $id: 'BreakerSettings' },
)

export const breakerSchema = Type.Object(
  {
    settings: breakerSettingsSchema,
    resolvedSettings: Type.Object(
      {
        cbEnabled: Type.Boolean(),
        cbMinuteUsd: Type.Number(),
        cbHourlyUsd: Type.Number(),
      },
      { $id: 'ResolvedBreakerSettings' },
    ),
    liveSpend: Type.Object(
      {
        minuteSpend: Type.Number({ description: 'Amount spent and on hold in the current UTC clock minute, in USD.' }),
        hourSpend: Type.Number({ description: 'Amount spent and on hold in the current UTC clock hour, in USD.' }),
      },
      { $id: 'BreakerSpend' },
    ),
  },
  { $id: 'Breaker' },
)

interface BreakerView {
  readonly settings: BreakerSettings
  readonly resolved: ResolvedBreaker
  /** Spend in the current minute and hour. */
  readonly spent: { readonly minute: NanoUsd; readonly hour: NanoUsd }
}

export function renderBreaker({ settings, resolved, spent }: BreakerView): JsonObject {
  return {
    settings: breakerJson(settings),
    resolvedSettings: breakerJson(resolved),
    liveSpend: { minuteSpend: usdJson(spent.minute), hourSpend: usdJson(spent.hour) },
  }
}
