import { Type } from 'typebox'
import { ownerKinds } from '#domain/ledger/transfer.ts'
import { optionalText, usd } from '../schema-types.ts'

const wanted = (description: string) => Type.Optional(Type.String({ description }))
const moment = Type.String({ description: 'Timestamp in ISO 8601 format.' })
const kind = Type.Enum([...ownerKinds])
const cursor = optionalText('Cursor to pass as `before` for the next page. Null on the last page.')

export const walletSchema = Type.Object({
  data: Type.Object({
    id: Type.String(),
    owner: Type.Object({ kind: Type.Enum(['user', 'organization']), id: Type.String() }),
    balance: usd(
      'Balance (paid + granted + redeemed + expired + corrected + refunded + disputed + written_off − charged)',
    ),
    held: usd('Amount on hold for requests in progress, including the balances of your customers'),
    in_customer_balances: usd('Part of `held` that is in the balances of your customers'),
    available: usd('Available credit for new requests (balance + credit_line − held)'),
    credit_line: usd('Amount by which the balance can go below zero'),
    paid: usd('Total top-ups, excluding fees and taxes'),
    granted: usd('Total credit granted without payment'),
    redeemed: usd('Total credit from code redemptions'),
    expired: usd('Granted or redeemed credit that expired unused (zero or negative)'),
    corrected: usd('Total corrections by the operator (negative if they reduced the balance)'),
    refunded: usd('Credit removed because payments were refunded (zero or negative)'),
    disputed: usd('Credit removed because payments are disputed, until the dispute is won (zero or negative)'),
    written_off: usd('Negative balance written off by the operator'),
    charged: usd('Total charged for requests'),
    expiring: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'ID of the grant or code redemption in the ledger.' }),
          granted: usd('Amount originally credited'),
          left: usd('Unused amount, which expires at `expires_at`'),
          expires_at: moment,
        },
        { $id: 'ExpiringCredit' },
      ),
      {
        description:
          'Credit in the balance that expires, soonest first. Requests also use the soonest to expire first.',
      },
    ),
    has_notices: Type.Boolean({
      description: 'Whether the wallet has notices of price changes and retirements, dismissed ones included.',
    }),
  }),
})

export const transactionQuerySchema = Type.Object({
  limit: wanted('Number of transactions per page, from 1 to 100. Defaults to 20.'),
  before: wanted('`next_cursor` of the previous page.'),
  kind: wanted(`Return only transactions of this kind: one of ${ownerKinds.map((name) => `\`${name}\``).join(', ')}.`),
  from: wanted('Start of the range (inclusive), in ISO 8601 format. A charge is dated by the start of its request.'),
  to: wanted('End of the range (exclusive), in ISO 8601 format.'),
})

export const transactionListSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: 'Transaction ID. All lines of a top-up have the same ID.' }),
        kind,
        amount: usd('Change in the balance (negative for charges; 0 for fees and taxes, which are paid separately)'),
        moved: usd('Amount moved, always positive'),
        debit: Type.String({ description: 'Ledger account that was debited, such as `wallet`, `cash`, or `grants`.' }),
        credit: Type.String({
          description: 'Ledger account that was credited, such as `wallet`, `usage`, `fees`, or `tax`.',
        }),
        balance_after: Type.Union([Type.Number(), Type.Null()], {
          description:
            'Balance after the transaction was posted, in USD. Null for the oldest transactions of an upgraded database.',
        }),
        generation_id: optionalText('ID of the charged request, or null for other transactions.'),
        at: Type.String({
          description:
            'When the request started or the credit was given, in ISO 8601 format. Pages are sorted by this time.',
        }),
        booked_at: Type.String({ description: 'When the transaction was posted, in ISO 8601 format.' }),
      },
      { $id: 'WalletTransaction' },
    ),
  ),
  next_cursor: cursor,
})

export const holdQuerySchema = Type.Object({
  limit: wanted('Number of holds per page, from 1 to 100. Defaults to 20.'),
  before: wanted('`next_cursor` of the previous page.'),
})

export const holdListSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        generation_id: Type.String({ description: 'ID of the request the hold is for.' }),
        api_key_id: Type.String({ description: 'ID of the API key that made the request.' }),
        amount: usd('Amount on hold'),
        placed_at: moment,
        age_ms: Type.Integer(),
        lease_until: Type.String({
          description:
            'When the hold expires, in ISO 8601 format. The gateway extends it while the request is in progress.',
        }),
      },
      { $id: 'WalletHold' },
    ),
  ),
  next_cursor: cursor,
})

export const statementQuerySchema = Type.Object({
  month: wanted('Month in UTC, such as `2026-11`. Defaults to the current month.'),
})

export const statementSchema = Type.Object({
  data: Type.Object({
    wallet_id: Type.String(),
    month: Type.String({ description: 'Month of the statement, such as `2026-11`.' }),
    from: moment,
    to: Type.String({ description: 'End of the month (exclusive), in ISO 8601 format.' }),
    opening_balance: usd('Balance at the start of the month'),
    lines: Type.Array(Type.Object({ kind, amount: usd('Change in the balance'), moved: usd('Amount moved') }), {
      description: 'One line per transaction kind. `opening_balance` plus all amounts equals `closing_balance`.',
    }),
    closing_balance: usd('Balance at the end of the month, or now for the current month'),
  }),
})
