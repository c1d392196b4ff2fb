import { Type } from 'typebox'
import { modelKinds } from '#domain/catalogue/model.ts'
import { optionalText } from '../schema-types.ts'

export const modelsQuerySchema = Type.Object({
  q: Type.Optional(Type.String({ description: 'Returns only models whose ID or name contains this text.' })),
  after: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.String({ description: 'Models per page, from 1 to 200. Defaults to 50.' })),
})

export const modelQuerySchema = Type.Object({ model: Type.String({ description: 'Model ID.' }) })

export const quotedPrices = Type.Array(
  Type.Object(
    {
      unit: Type.String({ description: 'Unit, as in a catalogue file.', examples: ['prompt', 'per_image_output'] }),
      usd: Type.String({ description: 'Price in USD, as an exact decimal string.' }),
      per: Type.Enum(['million', 'one'], { description: 'Whether the price is per million tokens or per unit.' }),
      when: Type.String({ description: 'Condition of the price. Empty for the plain price.' }),
    },
    { $id: 'QuotedPrice' },
  ),
)

const listed = {
  id: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...modelKinds]),
  state: Type.Enum(['listed', 'unlisted', 'retired']),
  retires_at: optionalText('Retirement date, in ISO 8601 format.'),
  default_provider: optionalText('The provider whose price the listing shows.'),
  providers: Type.Array(Type.String()),
  priced: Type.Boolean({ description: 'Whether a request to the model can be charged.' }),
  prices: quotedPrices,
}

export const modelListSchema = Type.Object({
  data: Type.Array(Type.Object(listed, { $id: 'CatalogueModel' })),
  next_cursor: optionalText('Pass it as `after` to get the next page. Null on the last page.'),
})

const offer = Type.Object({
  provider: Type.String(),
  variant: Type.String({ description: 'Region or service tier. Empty for the plain offer.' }),
  upstream_model: Type.String(),
  prices: quotedPrices,
  purchase: Type.Union([quotedPrices, Type.Null()], {
    description: 'What the operator pays. Null if the provider charges the list price.',
  }),
  accounts: Type.Array(
    Type.Object({
      name: Type.String(),
      enabled: Type.Boolean(),
      discount_percent: Type.Number({ description: 'Discount that the provider gives the operator at this account.' }),
    }),
  ),
})

const past = Type.Object({
  provider: Type.String(),
  variant: Type.String(),
  from: Type.String({ format: 'date-time' }),
  prices: quotedPrices,
})

export const soldModelSchema = Type.Object({
  data: Type.Object({ ...listed, offers: Type.Array(offer), history: Type.Array(past) }, { $id: 'SoldModel' }),
})
