import { Type } from 'typebox'
import { paymentSources } from '#domain/payments/top-up.ts'

const amount = (description: string) =>
  Type.String({ description: `${description} A decimal in \`currency\`, negative if the provider's balance falls.` })
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const sum = {
  provider: Type.Enum([...paymentSources]),
  kind: Type.String({ description: 'Such as `payment`, `refund`, `dispute` or `processor_fee`.' }),
  currency: Type.String(),
  theirs: amount("By the provider's balance transactions."),
  ours: amount('By the bookings.'),
  difference: amount('`theirs` less `ours`.'),
}

export const reconciliationSchema = Type.Object(
  {
    month: Type.String({ description: 'Such as `2027-01`, in UTC.' }),
    agree: Type.Boolean({
      description: 'Whether no record differs, except those that are dated in a neighboring month.',
    }),
    providers: Type.Array(
      Type.Object({
        name: Type.Enum([...paymentSources]),
        read_until: nullableText("Time up to which the provider's records were read. Null if not read yet."),
        complete: Type.Boolean({ description: 'Whether the whole month was read.' }),
      }),
      { description: 'Payment providers that share their records.' },
    ),
    sums: Type.Array(Type.Object(sum), { description: 'Sums by provider, kind and currency.' }),
    differences: Type.Array(
      Type.Object({
        ...sum,
        top_up_id: nullableText('The order.'),
        line_id: nullableText("ID of the provider's balance transaction, if it belongs to no order."),
        customer: Type.Union(
          [
            Type.Object({
              kind: Type.Union([Type.Literal('user'), Type.Literal('organization')]),
              id: Type.String(),
              name: nullableText('Null if the customer was deleted.'),
            }),
            Type.Null(),
          ],
          { description: 'Whose order it is.' },
        ),
        other_month: Type.Boolean({
          description: 'Whether both sides agree over all months: one of them is dated in a neighboring month.',
        }),
      }),
      { description: 'Records that differ in this month, at most 200.' },
    ),
    payouts: Type.Array(
      Type.Object({
        provider: Type.Enum([...paymentSources]),
        id: Type.String(),
        kind: Type.String({ description: '`payout`, `payout_returned`, or `other` for lines without a payment.' }),
        currency: Type.String(),
        amount: amount('Amount.'),
        fee: Type.String({ description: 'Fee in USD, negative.' }),
        created_at: Type.String({ format: 'date-time' }),
      }),
      { description: "Payouts to the operator's bank and other lines without a payment, at most 200." },
    ),
    has_more: Type.Boolean({ description: 'Whether more records differ or more payouts exist than are listed.' }),
  },
  { $id: 'MonthReconciliation' },
)
