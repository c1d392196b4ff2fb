import { Type } from 'typebox'
import { earningsGroups } from '#ports/earnings.ts'

export const earningsSums = {
  requests: Type.Integer(),
  charged: Type.Number({ description: 'Charges in USD.' }),
  absorbed: Type.Number({ description: 'Cost in USD that could not be charged. It is part of `provider_cost`.' }),
  provider_cost: Type.Number({
    description: 'Cost in USD at the providers: the reported usage at the purchase price, less the discount.',
  }),
  margin: Type.Number({ description: '`charged` less `provider_cost`, in USD. Negative if the operator lost money.' }),
}

const customer = Type.Object({
  kind: Type.Union([Type.Literal('user'), Type.Literal('organization')]),
  id: Type.String({ format: 'uuid' }),
  name: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the organization or email address of the user. Null if it was deleted.',
  }),
})

export const earningsRow = Type.Object({
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The day, model, provider or wallet ID. Null for requests that no provider answered.',
  }),
  customer: Type.Union([customer, Type.Null()]),
  ...earningsSums,
})

export const earningsSchema = Type.Object(
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date', description: 'The last day of the range.' }),
    by: Type.Union(earningsGroups.map((group) => Type.Literal(group))),
    total: Type.Object(earningsSums, { description: 'The sums of all groups, including those beyond `limit`.' }),
    data: Type.Array(earningsRow),
  },
  { $id: 'Earnings' },
)

export const earningsQuerySchema = Type.Object({
  from: Type.Optional(
    Type.String({ format: 'date', description: 'First day. Default: the first day of the current month.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date', description: 'Last day. Default: today.' })),
  by: Type.Optional(
    Type.Union(
      earningsGroups.map((group) => Type.Literal(group)),
      { default: 'day' },
    ),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
})
