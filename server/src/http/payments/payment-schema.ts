import { Type } from 'typebox'
import { paymentSources, topUpStates } from '#domain/payments/top-up.ts'
import { optionalText, usd } from '../schema-types.ts'

const moment = Type.String({ description: 'ISO 8601' })
const currency = Type.String({ description: 'In lower case, such as `usd`' })
const inCurrency = (description: string) =>
  Type.Number({ description: `${description}, in the currency of the payment` })
const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const quoteQuerySchema = Type.Object({
  amount: Type.String({ description: 'The credit in USD, such as `25` or `12.34`' }),
  currency: wanted('What is paid in, such as `usd`, which it is if not given'),
  wallet: wanted("Whose billing profile decides the tax, by the wallet's id or its owner's; the own one if not given"),
})

const quoteFields = {
  currency,
  rate: optionalText('Units of the currency for a US dollar; null in US dollars'),
  lines: Type.Array(
    Type.Object({
      item: Type.Enum(['credit', 'fee', 'tax']),
      amount: usd('The line'),
      charged: inCurrency('The same'),
      percent: Type.Union([Type.Number(), Type.Null()], { description: 'Of the credit; null for the credit itself' }),
    }),
  ),
  total: inCurrency('What is to be paid'),
}

export const quoteSchema = Type.Object({ data: Type.Object(quoteFields) })

export const offerSchema = Type.Object({
  data: Type.Object({
    enabled: Type.Boolean({ description: 'Whether anything can be paid here' }),
    test: Type.Boolean({ description: 'Payments of a test mode move no money' }),
    currencies: Type.Array(Type.String(), { description: 'What can be paid in' }),
    providers: Type.Array(
      Type.Object({
        name: Type.Enum([...paymentSources]),
        test: Type.Boolean({ description: 'Its test mode, which moves no money' }),
        saves_methods: Type.Boolean({ description: 'Whether it keeps cards for later' }),
        currencies: Type.Array(Type.String(), { description: 'What can be paid in there' }),
      }),
      { description: 'Who takes payments, the first choice first' },
    ),
    credit_min: usd('The least credit of a top-up'),
    credit_max: usd('The most credit of a top-up'),
    fee_percent: Type.Number({ description: 'On top of the credit' }),
    tax_percent: Type.Number({ description: 'On top of the credit, where it is not paid in US dollars' }),
  }),
})

export const orderSchema = Type.Object({
  amount: Type.Number({ description: 'The credit in USD, whole cents' }),
  currency: wanted('What to pay in, such as `usd`, which it is if not given'),
  provider: wanted('Who takes the payment; if not given, the first who takes the currency'),
  save_method: Type.Optional(Type.Boolean({ description: 'Whether the payment provider keeps the card for later' })),
})

export const topUp = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Also of the transfers that credit the wallet' }),
    wallet_id: Type.String({ format: 'uuid' }),
    state: Type.Enum([...topUpStates]),
    provider: Type.Enum([...paymentSources]),
    test: Type.Boolean({ description: 'Of a test mode, which moves no money' }),
    credit: usd('What was ordered'),
    fee: usd('The fee on top of it'),
    tax: usd('The tax on top of it'),
    currency,
    rate: optionalText('Units of the currency for a US dollar; null in US dollars'),
    total: inCurrency('What was to be paid'),
    paid: inCurrency('What was paid'),
    refunded: inCurrency('What went back'),
    disputed: inCurrency('What the payer\u2019s bank has taken back and not returned'),
    credited: usd('What reached the wallet when it was paid'),
    mismatch: Type.Union([Type.Enum(['amount', 'currency', 'mode', 'order']), Type.Null()], {
      description:
        'What was not as ordered. Another amount is credited as far as it was paid; the others wait for the operator',
    }),
    invoice_number: optionalText('The invoice that it pays'),
    checkout_url: optionalText('Where to pay; null once that is no longer possible'),
    created_at: moment,
    paid_at: optionalText('ISO 8601'),
  },
  { $id: 'TopUp' },
)

export const topUpSchema = Type.Object({ data: topUp })

export const topUpListSchema = Type.Object({
  data: Type.Array(topUp),
  next_cursor: optionalText('For `before`; null on the last page'),
})

export const topUpQuerySchema = Type.Object({
  limit: wanted('Orders on a page, 1 to 100; 20 if not given'),
  before: wanted('The `next_cursor` of the page before'),
})

export const operatedQuerySchema = Type.Object({
  limit: wanted('Orders on a page, 1 to 100; 20 if not given'),
  before: wanted('The `next_cursor` of the page before'),
  wallet: wanted("Only of this wallet, by its id, its owner's id, a mail address or an organization's slug"),
  state: wanted(`One of ${topUpStates.map((state) => `\`${state}\``).join(', ')}`),
  mismatched: wanted('`true`: only those of which something was not as ordered'),
})

export const refundSchema = Type.Object({
  amount: Type.Optional(Type.Number({ description: 'In the currency of the payment; all that is left, if not given' })),
  force: Type.Optional(
    Type.Boolean({ description: 'Also where the wallet has less than its share, which becomes debt' }),
  ),
})

export const transferSchema = Type.Object({
  amountUsd: Type.Number({ description: 'The credit in USD, whole cents; of an invoice, its total' }),
  reference: Type.String({
    description: 'Of the transfer; the number of an invoice pays it. Booked once, however often it is sent',
  }),
  channel: Type.Optional(Type.Enum(['usd', 'local'], { description: '`local` adds the tax; `usd` if not given' })),
})

export const writeOffSchema = Type.Object({
  amountUsd: Type.Number({ description: 'The debt to give up, in USD; at most what the wallet owes' }),
  note: Type.String({ description: 'Why' }),
})

export const writtenOffSchema = Type.Object({
  walletId: Type.String(),
  transactionId: Type.String(),
  balanceUsd: usd('What the wallet has now'),
})

export const booksSchema = Type.Object({
  data: Type.Object(
    {
      agree: Type.Boolean({ description: 'Whether every order and the books of its provider say the same' }),
      providers: Type.Array(
        Type.Object({
          name: Type.Enum([...paymentSources]),
          read_until: optionalText('How far its books were read, ISO 8601; null: not yet'),
          events_read_until: optionalText('How far its events were read for webhooks that did not arrive, ISO 8601'),
        }),
        { description: 'Those that keep books' },
      ),
      differences: Type.Array(
        Type.Object({
          what: Type.String({ description: 'What does not hold' }),
          wallet_id: optionalText('Whose'),
          top_up_id: optionalText('The order, where one is known'),
          subject: optionalText("The order with what is counted, or the line of the provider's books"),
          expected: Type.String({ description: 'In the smallest unit of the currency' }),
          found: Type.String({ description: 'In the smallest unit of the currency' }),
        }),
        { description: 'At most 100' },
      ),
      has_more: Type.Boolean(),
    },
    { $id: 'PaymentBooks' },
  ),
})
