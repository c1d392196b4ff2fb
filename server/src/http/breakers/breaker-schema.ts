import { type TSchema, Type } from 'typebox'

const limit = Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()])

/** Any of the three; null goes back to what is inherited. */
export const breakerChangeSchema = changeSchema(Type.Union([Type.Number({ minimum: 0.01 }), Type.Null()]))
export const organizationBreakerChangeSchema = changeSchema(limit)

function changeSchema(threshold: TSchema) {
  return Type.Object({
    cbEnabled: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    cbMinuteUsd: Type.Optional(threshold),
    cbHourlyUsd: Type.Optional(threshold),
  })
}

export const breakerSchema = Type.Object({
  settings: Type.Object({
    cbEnabled: Type.Union([Type.Boolean(), Type.Null()]),
    cbMinuteUsd: limit,
    cbHourlyUsd: limit,
  }),
  resolvedSettings: Type.Object({
    cbEnabled: Type.Boolean(),
    cbMinuteUsd: Type.Number(),
    cbHourlyUsd: Type.Number(),
  }),
  liveSpend: Type.Object({
    minuteSpend: Type.Number({ description: 'USD spent and reserved in this minute of the UTC clock.' }),
    hourSpend: Type.Number({ description: 'USD spent and reserved in this hour of the UTC clock.' }),
  }),
})
