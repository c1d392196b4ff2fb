import { Type } from 'typebox'
import { earningsGroups } from '#ports/earnings.ts'
import { earningsRow, earningsSums } from '../operators/earnings-schema.ts'

const usd = (description: string) => Type.Number({ description: `${description} USD.` })

export const revenueSchema = Type.Object(
  {
    month: Type.String({ description: 'Such as `2027-01`, in UTC.' }),
    usage: usd('Charges of requests, less corrections, by the ledger.'),
    fees: usd('Fees of top-ups, less refunded ones.'),
    provider_cost: usd('Cost of the requests at the providers.'),
    margin: usd('`usage` less `provider_cost`.'),
    promotions: usd('Credit given away, less what expired of it.'),
    bad_debts: usd('Debt written off, and disputes lost.'),
    processing: usd("The payment processor's fees."),
    result: usd('`usage` and `fees` less all costs.'),
    received: usd('Payments received, less refunds and processing fees.'),
    tax: usd('Sales tax collected, less refunded tax.'),
    deferred_credit: Type.Object(
      { before: usd('At the start of the month.'), after: usd('At the end of the month, or now.') },
      { description: 'What all wallets held, less what they owed.' },
    ),
    taxes: Type.Array(
      Type.Object({
        country: Type.Union([Type.String(), Type.Null()], { description: 'Country of the buyer; null if unknown.' }),
        percent: Type.Union([Type.String(), Type.Null()]),
        currency: Type.String(),
        documents: Type.Integer(),
        net: usd('Taxed amounts of the documents.'),
        tax: usd('Tax of the documents.'),
      }),
    ),
    by: Type.Union(earningsGroups.map((group) => Type.Literal(group))),
    data: Type.Array(earningsRow, { description: 'The groups with the highest charges first.' }),
    others: Type.Object(earningsSums, { description: 'The groups beyond `limit`.' }),
    unattributed: usd(
      'Usage of the ledger that no group has yet: requests of the last seconds, and corrections. `data`, `others` and this sum to `usage`.',
    ),
  },
  { $id: 'Revenue' },
)

export const revenueQuerySchema = Type.Object({
  by: Type.Optional(
    Type.Union(
      earningsGroups.map((group) => Type.Literal(group)),
      { default: 'day' },
    ),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
})
