import { suspendUser } from '#control/operators/operate-user.ts'
import { createFieldReader, parseOptionalMoment, readField } from '#control/read-fields.ts'
import { creditWallet, type PaidSource } from '#control/wallets/credit-wallet.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import { topUpChannels, type TopUpTerms } from '#domain/payments/quote-top-up.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Announce } from '#ports/announce.ts'
import type { Wallets } from '#ports/ledger.ts'
import type { Users } from '#ports/people.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { idempotencyKeyOf } from '../idempotency-key-of.ts'
import { referenceOf } from '../request-values.ts'
import { creditedSchema, creditSchema, suspensionSchema } from './operator-schema.ts'

export interface OperatedAccountDeps {
  readonly users: Users
  readonly wallets: Wallets
  readonly announce: Announce
  readonly terms: TopUpTerms
}

const common = { tag: 'Operators', access: 'operators.accounts', method: 'POST' } as const
const noteLengthMax = 500

/** What operators do to the accounts of others. People are named by id or mail address. */
export function operatedAccountEndpoints(deps: OperatedAccountDeps): Endpoint[] {
  return [suspensionEndpoint(deps, true), suspensionEndpoint(deps, false), creditEndpoint(deps)]
}

function suspensionEndpoint(deps: OperatedAccountDeps, suspended: boolean): Endpoint {
  return {
    ...common,
    name: suspended ? 'suspendUser' : 'unsuspendUser',
    paths: [`/api/admin/users/:userRef/${suspended ? 'suspend' : 'unsuspend'}`],
    summary: suspended ? 'Refuse all keys of a person with 403' : 'Lift a suspension',
    reply: { status: 200, description: 'The person.', schema: suspensionSchema },
    errors: ['notFound'],
    handle: async (request) => {
      const change = { reference: referenceOf(request, 'userRef'), suspended }
      const user = await suspendUser(deps, change, changeAuthorOf(request))
      return { body: { id: user.id, email: user.email, suspended: user.suspended } }
    },
  }
}

function creditEndpoint(deps: OperatedAccountDeps): Endpoint {
  return {
    ...common,
    name: 'creditWallet',
    paths: ['/api/admin/wallets/:walletRef/credit'],
    summary: "Credit a wallet, by its id, its owner's id, a mail address or an organization's slug",
    takesIdempotencyKey: true,
    body: creditSchema,
    reply: {
      status: 200,
      description:
        'What was booked. Sent again with the same `Idempotency-Key`, it is booked once; without one, twice.',
      schema: creditedSchema,
    },
    errors: ['notFound', 'conflict'],
    handle: async (request) => {
      const reference = referenceOf(request, 'walletRef')
      const asked = JSON.stringify([reference, request.body])
      const once = idempotencyKeyOf(request, { action: 'creditWallet', asked })
      const credit = { reference, request: once, ...readCredit(request.body, deps.terms) }
      const { walletId, transactionId, balance, quote } = await creditWallet(deps, credit, changeAuthorOf(request))
      const paidUsd = quote === null ? null : usdJson(quote.total)
      return { body: { walletId, transactionId, balanceUsd: usdJson(balance), paidUsd } }
    },
  }
}

function readCredit(body: JsonObject, terms: TopUpTerms) {
  const reader = createFieldReader(body)
  const amount = usdOf(body.amountUsd)
  if (amount === undefined) throw malformed('amountUsd must be a number in USD with at most nine decimals.')
  const note = reader.nullableText('note') ?? null
  if (note !== null && note.length > noteLengthMax) throw malformed(`note must be at most ${noteLengthMax} characters.`)
  const expiresAtMs = readField(body, { expiresAt: parseOptionalMoment }) ?? null
  return { amount, source: readSource(reader.text('source') ?? 'usd', terms), note, expiresAtMs }
}

function readSource(text: string, terms: TopUpTerms): PaidSource | 'grant' {
  if (text === 'grant') return text
  const channel = topUpChannels.find((name) => name === text)
  if (channel === undefined) throw malformed(`source must be one of ${[...topUpChannels, 'grant'].join(', ')}.`)
  return { channel, terms }
}
