import { Type } from 'typebox'

const amount = (description: string) => Type.String({ description: `${description} Exact decimal USD.` })

const entry = Type.Object({
  kind: Type.String({ description: 'The kind of transfer, such as `charge` or `top_up`, or `provider_cost`.' }),
  provider: Type.Union([Type.String(), Type.Null()], { description: 'The provider of a `provider_cost`.' }),
  debit: Type.String({ description: 'Name of the account.' }),
  credit: Type.String({ description: 'Name of the account.' }),
  amount: amount('Sum of the bookings.'),
  count: Type.Integer({ description: 'Number of bookings; of a `provider_cost`, of requests.' }),
})

const books = Type.Object({
  month: Type.String({ description: 'Such as `2027-01`, in UTC.' }),
  revenue: amount('All income accounts.'),
  expenses: amount('All expense accounts.'),
  result: amount('`revenue` less `expenses`.'),
  deferred_credit: Type.Object(
    { before: amount('At the start of the month.'), after: amount('At the end of the month.') },
    { description: 'The credit of all customers less what they owe.' },
  ),
  entries: Type.Array(entry),
  accounts: Type.Array(
    Type.Object({
      account: Type.String(),
      type: Type.Union(['asset', 'liability', 'income', 'expense'].map((type) => Type.Literal(type))),
      debits: amount('Sum of the debits.'),
      credits: amount('Sum of the credits.'),
    }),
  ),
  taxes: Type.Array(
    Type.Object({
      country: Type.Union([Type.String(), Type.Null()], { description: 'Country of the buyer; null if unknown.' }),
      percent: Type.Union([Type.String(), Type.Null()]),
      currency: Type.String(),
      documents: Type.Integer(),
      net: amount('Taxed amounts of the documents.'),
      tax: amount('Tax of the documents.'),
    }),
  ),
})

const closedAt = Type.String({ format: 'date-time' })
const sha256 = Type.String({ description: 'Hash of the closed books as JSON text.' })

export const monthSchema = Type.Object(
  {
    books,
    closed: Type.Union([Type.Object({ closed_at: closedAt, sha256, books }), Type.Null()], {
      description: 'The books as they were closed. Null while the month is open.',
    }),
    agrees: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the books are unchanged since the month was closed. Null while the month is open.',
    }),
  },
  { $id: 'AccountingMonth' },
)

export const closedMonthsSchema = Type.Object({
  data: Type.Array(Type.Object({ month: Type.String(), closed_at: closedAt, sha256 })),
})
