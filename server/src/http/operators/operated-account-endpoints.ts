import { operateOrganization } from '#control/organizations/operate-organization.ts'
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
import type { Organizations } from '#ports/organizations.ts'
import type { Users } from '#ports/people.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { idempotencyKeyOf } from '../idempotency-key-of.ts'
import { referenceOf } from '../request-values.ts'
import { creditedSchema, creditSchema, organizationSuspensionSchema, suspensionSchema } from './operator-schema.ts'

interface OperatedAccountDeps {
  readonly users: Users
  readonly organizations: Organizations
  readonly wallets: Wallets
  readonly announce: Announce
  readonly terms: TopUpTerms
}

const common = { tag: 'Operators', access: 'operators.accounts', method: 'POST' } as const
const noteLengthMax = 500

/** Operator actions on accounts. Users are identified by id or email address, organizations by id or slug. */
export function operatedAccountEndpoints(deps: OperatedAccountDeps): Endpoint[] {
  return [
    suspensionEndpoint(deps, true),
    suspensionEndpoint(deps, false),
    organizationSuspensionEndpoint(deps, true),
    organizationSuspensionEndpoint(deps, false),
    creditEndpoint(deps),
  ]
}

function suspensionEndpoint(deps: OperatedAccountDeps, suspended: boolean): Endpoint {
  return {
    ...common,
    name: suspended ? 'suspendUser' : 'unsuspendUser',
    paths: [`/api/admin/users/:userRef/${suspended ? 'suspend' : 'unsuspend'}`],
    summary: suspended ? 'Suspend a user' : 'Unsuspend a user',
    ...(suspended ? { description: 'All API keys of the user get 403.' } : {}),
    reply: {
      status: 200,
      description: "The user. While suspended, requests with the user's keys are rejected with 403.",
      schema: suspensionSchema,
    },
    errors: suspended ? ['notFound', 'conflict'] : ['notFound'],
    handle: async (request) => {
      const change = { reference: referenceOf(request, 'userRef'), suspended }
      const user = await suspendUser(deps, change, changeAuthorOf(request))
      return { body: { id: user.id, email: user.email, suspended: user.suspended } }
    },
  }
}

function organizationSuspensionEndpoint(deps: OperatedAccountDeps, suspended: boolean): Endpoint {
  return {
    ...common,
    name: suspended ? 'suspendOrganization' : 'unsuspendOrganization',
    paths: [`/api/admin/organizations/:organizationRef/${suspended ? 'suspend' : 'unsuspend'}`],
    summary: suspended ? 'Suspend an organization' : 'Unsuspend an organization',
    ...(suspended ? { description: 'All API keys of the organization get 403.' } : {}),
    reply: {
      status: 200,
      description: 'The organization. While suspended, requests with its keys are rejected with 403.',
      schema: organizationSuspensionSchema,
    },
    errors: ['notFound'],
    handle: async (request) => {
      const change = { reference: referenceOf(request, 'organizationRef'), change: { suspended } }
      const { id, slug, ...changed } = await operateOrganization(deps, change, changeAuthorOf(request))
      return { body: { id, slug, suspended: changed.suspended } }
    },
  }
}

function creditEndpoint(deps: OperatedAccountDeps): Endpoint {
  return {
    ...common,
    access: 'operators.credit',
    name: 'creditWallet',
    paths: ['/api/admin/wallets/:walletRef/credit'],
    summary: 'Add credit to a wallet',
    description: "Names the wallet by its ID, its owner's ID, an email address or an organization slug.",
    takesIdempotencyKey: true,
    body: creditSchema,
    reply: {
      status: 200,
      description:
        'The posted transaction. The wallet can be given by wallet ID, owner ID, email address or organization slug. Retries with the same `Idempotency-Key` are posted once; without a key, every request is posted.',
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
