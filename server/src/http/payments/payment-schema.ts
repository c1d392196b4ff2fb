import { Type } from 'typebox'
import { paymentSources, topUpStates } from '#domain/payments/top-up.ts'
import { optionalText, usd } from '../schema-types.ts'
import { dispute, refundReason } from './dispute-schema.ts'
import { namedCustomer } from './name-customers.ts'

const moment = Type.String({ description: 'Time as an ISO 8601 string.' })
const currency = Type.String({ description: 'Currency code in lower case, such as `usd`.' })
const inCurrency = (description: string) => Type.Number({ description: `${description}, in the payment currency.` })
const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const quoteQuerySchema = Type.Object({
  amount: Type.String({ description: 'Credit to buy in USD, such as `25` or `12.34`.' }),
  currency: wanted('Payment currency. Defaults to `usd`.'),
  wallet: wanted(
    'ID of the wallet, or of its owner, whose billing details determine the tax. Defaults to your own wallet.',
  ),
})

const quoteFields = {
  currency,
  rate: optionalText('Exchange rate in units of `currency` per US dollar. Null if the currency is US dollars.'),
  lines: Type.Array(
    Type.Object({
      item: Type.Enum(['credit', 'fee', 'tax']),
      amount: usd('Amount of the line'),
      charged: inCurrency('Amount of the line'),
      percent: Type.Union([Type.Number(), Type.Null()], {
        description: 'Rate of the line as a percentage of the credit. Null for the credit line.',
      }),
    }),
  ),
  total: inCurrency('Total to pay'),
}

export const quoteSchema = Type.Object({ data: Type.Object(quoteFields) })

export const offerSchema = Type.Object({
  data: Type.Object({
    enabled: Type.Boolean({ description: 'Whether payments are enabled.' }),
    test: Type.Boolean({ description: 'Whether payments are in test mode. Test payments move no money.' }),
    currencies: Type.Array(Type.String(), { description: 'Accepted payment currencies.' }),
    providers: Type.Array(
      Type.Object({
        name: Type.Enum([...paymentSources]),
        test: Type.Boolean({ description: 'Whether this provider is in test mode. Test payments move no money.' }),
        saves_methods: Type.Boolean({ description: 'Whether this provider can save cards for later payments.' }),
        currencies: Type.Array(Type.String(), { description: 'Payment currencies this provider accepts.' }),
      }),
      { description: 'Payment providers in order of preference.' },
    ),
    credit_min: usd('Minimum credit of a top-up'),
    credit_max: usd('Maximum credit of a top-up'),
    fee_percent: Type.Number({ description: 'Fee added to the credit, in percent.' }),
    tax_percent: Type.Number({
      description: 'Tax added to the credit for payments in currencies other than US dollars, in percent.',
    }),
  }),
})

export const orderSchema = Type.Object({
  amount: Type.Number({ description: 'Credit to buy in USD, in whole cents.' }),
  currency: wanted('Payment currency. Defaults to `usd`.'),
  provider: wanted('Payment provider to use. Defaults to the first provider that accepts the currency.'),
  save_method: Type.Optional(
    Type.Boolean({ description: 'Whether the payment provider saves the card for later payments.' }),
  ),
})

const topUp = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'ID of the order, also used by the transactions that credit the wallet.',
    }),
    wallet_id: Type.String({ format: 'uuid' }),
    state: Type.Enum([...topUpStates]),
    provider: Type.Enum([...paymentSources]),
    test: Type.Boolean({ description: 'Whether the order was placed in test mode. Test payments move no money.' }),
    credit: usd('Credit ordered'),
    fee: usd('Fee added to the credit'),
    tax: usd('Tax added to the credit'),
    currency,
    rate: optionalText('Exchange rate in units of `currency` per US dollar. Null if the currency is US dollars.'),
    total: inCurrency('Total to pay'),
    paid: inCurrency('Amount paid'),
    refunded: inCurrency('Amount refunded'),
    disputed: inCurrency('Disputed amount withdrawn by the payer\u2019s bank and not returned'),
    credited: usd('Credit added to the wallet on payment'),
    mismatch: Type.Union([Type.Enum(['amount', 'currency', 'mode', 'order']), Type.Null()], {
      description:
        'Field in which the payment differs from the order. For `amount`, the amount paid is credited; other mismatches are left for the operator to resolve.',
    }),
    invoice_number: optionalText('Number of the invoice that the order pays.'),
    reference: optionalText('Reference of the bank transfer. Null if a payment provider took the payment.'),
    checkout_url: optionalText('URL of the checkout page. Null when the order can no longer be paid.'),
    created_at: moment,
    paid_at: optionalText('Time of payment as an ISO 8601 string. Null if not paid.'),
  },
  { $id: 'TopUp' },
)

const operatedTopUp = { ...topUp.properties, customer: namedCustomer }

export const operatedTopUpListSchema = Type.Object({
  data: Type.Array(Type.Object(operatedTopUp, { $id: 'OperatedTopUp' })),
  next_cursor: optionalText('Cursor to pass as `before` for the next page. Null on the last page.'),
})

export const operatedTopUpSchema = Type.Object({
  data: Type.Object({
    ...operatedTopUp,
    disputes: Type.Array(dispute, { description: 'Disputes of the payment, by the records of its provider.' }),
    refund_reasons: Type.Array(refundReason, { description: "Operators' refunds that name a reason, oldest first." }),
  }),
})

export const topUpSchema = Type.Object({ data: topUp })

export const topUpListSchema = Type.Object({
  data: Type.Array(topUp),
  next_cursor: optionalText('Cursor to pass as `before` for the next page. Null on the last page.'),
})

export const topUpQuerySchema = Type.Object({
  limit: wanted('Orders per page, from 1 to 100. Defaults to 20.'),
  before: wanted('`next_cursor` of the previous page.'),
})

export const operatedQuerySchema = Type.Object({
  limit: wanted('Orders per page, from 1 to 100. Defaults to 20.'),
  before: wanted('`next_cursor` of the previous page.'),
  wallet: wanted(
    "Returns only orders of this wallet. Accepts a wallet ID, its owner's ID, an email address or an organization slug.",
  ),
  state: wanted(`Status of the orders to return: one of ${topUpStates.map((state) => `\`${state}\``).join(', ')}.`),
  mismatched: wanted('If `true`, returns only orders whose payment differs from the order.'),
  transfers: wanted('If `true`, returns only bank transfers that an operator recorded.'),
})

export const refundSchema = Type.Object({
  amount: Type.Optional(
    Type.Number({ description: 'Amount to refund in the payment currency. Defaults to the full remaining amount.' }),
  ),
  force: Type.Optional(
    Type.Boolean({
      description:
        'Whether to refund even if the wallet has too little credit left. The shortfall becomes a negative balance.',
    }),
  ),
  reason: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Why the payment is refunded, at most 500 characters. Operators see it with the order.',
    }),
  ),
})

export const transferSchema = Type.Object({
  amountUsd: Type.Number({ description: 'Credit in USD, in whole cents. To pay an invoice, its total.' }),
  reference: Type.String({
    description:
      'Reference of the transfer. An invoice number pays that invoice. Each reference is recorded only once.',
  }),
  channel: Type.Optional(
    Type.Enum(['usd', 'local'], { description: 'Payment channel. `local` adds tax. Defaults to `usd`.' }),
  ),
})

export const writeOffSchema = Type.Object({
  amountUsd: Type.Number({ description: "Amount to write off in USD, at most the wallet's negative balance." }),
  note: Type.String({ description: 'Reason for the write-off.' }),
})

export const writtenOffSchema = Type.Object({
  walletId: Type.String(),
  transactionId: Type.String(),
  balanceUsd: usd('Balance of the wallet after the write-off'),
})

export const booksSchema = Type.Object({
  data: Type.Object(
    {
      agree: Type.Boolean({ description: 'Whether all orders match the records of their payment provider.' }),
      providers: Type.Array(
        Type.Object({
          name: Type.Enum([...paymentSources]),
          read_until: optionalText(
            "Time up to which the provider's records were read, as an ISO 8601 string. Null if not read yet.",
          ),
          events_read_until: optionalText(
            "Time up to which the provider's events were read to recover missed webhooks, as an ISO 8601 string.",
          ),
        }),
        { description: 'Payment providers whose records can be reconciled.' },
      ),
      differences: Type.Array(
        Type.Object({
          what: Type.String({ description: 'Type of discrepancy.' }),
          wallet_id: optionalText('ID of the affected wallet.'),
          customer: namedCustomer,
          top_up_id: optionalText('ID of the affected order, if known.'),
          subject: optionalText("The order and the amount compared, or the entry in the provider's records."),
          expected: Type.String({ description: 'Expected amount in the smallest unit of the currency.' }),
          found: Type.String({ description: 'Actual amount in the smallest unit of the currency.' }),
        }),
        { description: 'Discrepancies found, at most 100.' },
      ),
      has_more: Type.Boolean(),
    },
    { $id: 'PaymentBooks' },
  ),
})
