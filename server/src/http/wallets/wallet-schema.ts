import { Type } from 'typebox'
import { ownerKinds } from '#domain/ledger/transfer.ts'
import { optionalText, usd } from '../schema-types.ts'

const wanted = (description: string) => Type.Optional(Type.String({ description }))
const moment = Type.String({ description: 'ISO 8601' })
const kind = Type.Enum([...ownerKinds])
const cursor = optionalText('For `before`; null on the last page')

export const walletSchema = Type.Object({
  data: Type.Object({
    id: Type.String(),
    owner: Type.Object({ kind: Type.Enum(['user', 'organization']), id: Type.String() }),
    balance: usd('paid + granted + redeemed + expired + corrected + refunded + disputed + written_off − charged'),
    held: usd('Reserved for requests that are under way'),
    available: usd('What a new request may reserve: balance + credit_line − held'),
    credit_line: usd('How far the balance may go below zero'),
    paid: usd('Top-ups, without fees and taxes'),
    granted: usd('Credit that was not paid for'),
    redeemed: usd('Credit by codes'),
    expired: usd('What went back of such credit, because it was not used in time; zero or negative'),
    corrected: usd('Corrections by the operator; negative where they took something'),
    refunded: usd('Credit of payments that went back to the payer; zero or negative'),
    disputed: usd('Credit of payments whose bank took them back, until a dispute is won; zero or negative'),
    written_off: usd('Debt that the operator gave up'),
    charged: usd('All requests'),
    expiring: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'Of the grant or redemption in the ledger' }),
          granted: usd('What was given'),
          left: usd('What of it is unused, and goes back at its end'),
          expires_at: moment,
        },
        { $id: 'ExpiringCredit' },
      ),
      { description: 'What of the balance expires, the soonest first. Requests use the soonest first as well' },
    ),
  }),
})

export const transactionQuerySchema = Type.Object({
  limit: wanted('Transfers on a page, 1 to 100; 20 if not given'),
  before: wanted('The `next_cursor` of the page before'),
  kind: wanted(`One of ${ownerKinds.map((name) => `\`${name}\``).join(', ')}`),
  from: wanted('The first moment, ISO 8601. A charge has the moment at which its request began'),
  to: wanted('The end, which is no longer part of it, ISO 8601'),
})

export const transactionListSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: 'Lines of one top-up share it' }),
        kind,
        amount: usd(
          'By how much the balance changed: negative for charges, 0 for fees and taxes, which are paid beside it',
        ),
        moved: usd('What was moved, always positive'),
        debit: Type.String({ description: 'The account that it left: `wallet`, `cash`, `grants`, …' }),
        credit: Type.String({ description: 'The account that it reached: `wallet`, `usage`, `fees`, `tax`, …' }),
        balance_after: Type.Union([Type.Number(), Type.Null()], {
          description: 'The balance once it was booked, USD; null for the oldest transfers of an upgraded database',
        }),
        generation_id: optionalText('The request that was charged; null for everything else'),
        at: Type.String({
          description: 'When the request began, or the credit was given; ISO 8601. Pages are in this order',
        }),
        booked_at: Type.String({ description: 'When it was booked; ISO 8601' }),
      },
      { $id: 'WalletTransaction' },
    ),
  ),
  next_cursor: cursor,
})

export const holdQuerySchema = Type.Object({
  limit: wanted('Holds on a page, 1 to 100; 20 if not given'),
  before: wanted('The `next_cursor` of the page before'),
})

export const holdListSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        generation_id: Type.String({ description: 'The request that it is for' }),
        api_key_id: Type.String({ description: 'The key that called' }),
        amount: usd('What is reserved'),
        placed_at: moment,
        age_ms: Type.Integer(),
        lease_until: Type.String({
          description:
            'When it is returned unless its gateway prolongs it, as it does while the request runs; ISO 8601',
        }),
      },
      { $id: 'WalletHold' },
    ),
  ),
  next_cursor: cursor,
})

export const statementQuerySchema = Type.Object({ month: wanted('Such as `2026-11`, by UTC; this month if not given') })

export const statementSchema = Type.Object({
  data: Type.Object({
    wallet_id: Type.String(),
    month: Type.String({ description: 'Such as `2026-11`' }),
    from: moment,
    to: Type.String({ description: 'The end, which is no longer part of it; ISO 8601' }),
    opening_balance: usd('At the beginning of the month'),
    lines: Type.Array(
      Type.Object({ kind, amount: usd('By how much the balance changed'), moved: usd('What was moved') }),
      { description: 'One for each kind; opening_balance and all amounts make closing_balance' },
    ),
    closing_balance: usd('At its end; for this month, now'),
  }),
})
