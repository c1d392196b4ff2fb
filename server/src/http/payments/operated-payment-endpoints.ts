import { bookTransfer, type TransferDeps } from '#control/payments/book-transfer.ts'
import { type RefundDeps, refundTopUp } from '#control/payments/refund-top-up.ts'
import { writeOffDebt } from '#control/payments/write-off-debt.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { readWallet } from '#control/wallets/credit-wallet.ts'
import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import { topUpChannels } from '#domain/payments/quote-top-up.ts'
import { topUpStates } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'
import { ExactNumber } from '#lib/exact-number.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Customers } from '#ports/customers.ts'
import type { Wallets } from '#ports/ledger.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { flagOf, type Query, referenceOf, refuseValue, textOf } from '../request-values.ts'
import { idempotencyKeyOf } from '../idempotency-key-of.ts'
import { listPage } from './payment-endpoints.ts'
import {
  operatedQuerySchema,
  operatedTopUpListSchema,
  operatedTopUpSchema,
  refundSchema,
  topUpSchema,
  transferSchema,
  writeOffSchema,
  writtenOffSchema,
} from './payment-schema.ts'
import { nameCustomers } from './name-customers.ts'
import { renderDispute, renderRefund } from './render-dispute.ts'
import { renderTopUp } from './render-top-up.ts'

interface OperatedPaymentDeps extends RefundDeps, Omit<TransferDeps, 'wallets'> {
  readonly wallets: Wallets
  readonly customers: Pick<Customers, 'nameWallets'>
}

const common = { tag: 'Operators', access: 'operators.payments' } as const

/** Payments for operators. */
export function operatedPaymentEndpoints(deps: OperatedPaymentDeps): Endpoint[] {
  return [listEndpoint(deps), readEndpoint(deps), refundEndpoint(deps), transferEndpoint(deps), writeOffEndpoint(deps)]
}

function listEndpoint(deps: OperatedPaymentDeps): Endpoint {
  return {
    ...common,
    access: 'operators.payments.read',
    name: 'listAllTopUps',
    method: 'GET',
    paths: ['/api/admin/top-ups'],
    summary: 'List orders of all wallets',
    query: operatedQuerySchema,
    reply: {
      status: 200,
      description:
        'A page of orders, newest first. Use `mismatched` to list only payments that differ from their order.',
      schema: operatedTopUpListSchema,
    },
    errors: ['notFound', 'malformedRequest'],
    handle: async ({ query }) => {
      const reference = textOf(query, 'wallet')
      const walletId = reference === null ? null : (await readWallet(deps.wallets, reference)).id
      const mismatched = flagOf(query, 'mismatched') ?? false
      const transfers = flagOf(query, 'transfers') ?? false
      const which = { walletId, state: stateIn(query), mismatched, transfers }
      const { data, ...page } = await listPage(deps.topUps, query, which)
      return { body: { data: await nameCustomers(deps.customers, data), ...page } }
    },
  }
}

function readEndpoint({ topUps, customers }: OperatedPaymentDeps): Endpoint {
  return {
    ...common,
    access: 'operators.payments.read',
    name: 'getAnyTopUp',
    method: 'GET',
    paths: ['/api/admin/top-ups/:topUpId'],
    summary: 'Get an order of any wallet',
    reply: {
      status: 200,
      description: "The order, its disputes, and the reasons of operators' refunds.",
      schema: operatedTopUpSchema,
    },
    errors: ['notFound'],
    handle: async (request) => {
      const id = referenceOf(request, 'topUpId')
      const order = isUuid(id) ? await topUps.find(id) : null
      if (order === null) throw new GatewayError('notFound', { message: 'Order not found.' })
      const [named, disputes, refunds] = await Promise.all([
        nameCustomers(customers, [renderTopUp(order)]),
        topUps.listDisputes({ topUpId: order.id, isOpen: null, limit: 100 }),
        topUps.listRefunds(order.id),
      ])
      const reasons = refunds.map((refund) => renderRefund(refund, order.currency))
      return { body: { data: { ...named[0], disputes: disputes.map(renderDispute), refund_reasons: reasons } } }
    },
  }
}

function refundEndpoint(deps: OperatedPaymentDeps): Endpoint {
  return {
    ...common,
    name: 'refundTopUp',
    method: 'POST',
    paths: ['/api/admin/top-ups/:topUpId/refund'],
    summary: 'Refund a top-up',
    description: 'Refunds the payment in whole or in part, with credit, fee and tax in proportion.',
    takesIdempotencyKey: true,
    body: refundSchema,
    reply: {
      status: 200,
      description:
        'The updated order. A partial refund returns credit, fee and tax in proportion. Retries with the same `Idempotency-Key` refund once.',
      schema: topUpSchema,
    },
    errors: ['notFound', 'conflict', 'paymentsOff', 'paymentsUnavailable'],
    handle: async (request) => {
      const { body } = request
      const force = createFieldReader(body).flag('force') ?? false
      const amount = body['amount'] === undefined ? null : digitsOf(body['amount'])
      const key = idempotencyKeyOf(request, { action: 'refundTopUp', asked: '' })?.key ?? null
      const refund = { topUpId: referenceOf(request, 'topUpId'), amount, force, reason: reasonIn(body), key }
      const order = await refundTopUp(deps, refund, changeAuthorOf(request))
      return { body: { data: renderTopUp(order) } }
    },
  }
}

function transferEndpoint(deps: OperatedPaymentDeps): Endpoint {
  return {
    ...common,
    access: 'operators.credit',
    name: 'bookBankTransfer',
    method: 'POST',
    paths: ['/api/admin/wallets/:walletRef/transfers'],
    summary: 'Record a bank transfer to a wallet',
    body: transferSchema,
    reply: {
      status: 200,
      description: 'The order for this transfer. If the reference was already recorded, the existing order.',
      schema: topUpSchema,
    },
    errors: ['notFound', 'conflict'],
    handle: async (request) => {
      const { body } = request
      const channel = topUpChannels.find((name) => name === (body['channel'] ?? 'usd'))
      if (channel === undefined) throw malformed(`channel must be one of ${topUpChannels.join(', ')}.`)
      const transfer = { reference: referenceIn(body), credit: amountIn(body), channel }
      const wallet = await readWallet(deps.wallets, referenceOf(request, 'walletRef'))
      return { body: { data: renderTopUp(await bookTransfer(deps, wallet, transfer, changeAuthorOf(request))) } }
    },
  }
}

function writeOffEndpoint(deps: OperatedPaymentDeps): Endpoint {
  return {
    ...common,
    access: 'operators.credit',
    name: 'writeOffDebt',
    method: 'POST',
    paths: ['/api/admin/wallets/:walletRef/write-off'],
    summary: 'Write off a negative balance',
    takesIdempotencyKey: true,
    body: writeOffSchema,
    reply: { status: 200, description: 'The write-off transaction and the new balance.', schema: writtenOffSchema },
    errors: ['notFound', 'conflict'],
    handle: async (request) => {
      const note = stringAt(request.body, 'note') ?? ''
      if (note === '' || note.length > noteLengthMax || note.includes('\0')) {
        throw malformed(`note must be a string of at most ${noteLengthMax} characters.`)
      }
      const amount = amountIn(request.body)
      const wallet = await readWallet(deps.wallets, referenceOf(request, 'walletRef'))
      const asked = JSON.stringify([wallet.id, String(amount), note])
      const debt = { amount, note, request: idempotencyKeyOf(request, { action: 'writeOffDebt', asked }) }
      const { id, balance } = await writeOffDebt(deps, wallet, debt, changeAuthorOf(request))
      return { body: { walletId: wallet.id, transactionId: id, balanceUsd: usdJson(balance) } }
    },
  }
}

const noteLengthMax = 500

function stateIn(query: Query) {
  const text = textOf(query, 'state')
  const state = topUpStates.find((name) => name === text)
  if (text !== null && state === undefined) throw refuseValue('state', `one of ${topUpStates.join(', ')}`)
  return state ?? null
}

function amountIn(body: JsonObject): NanoUsd {
  const amount = usdOf(body['amountUsd'])
  if (amount === undefined || amount <= 0n) throw malformed('amountUsd must be a number in USD greater than zero.')
  return amount
}

function reasonIn(body: JsonObject): string | null {
  const reason = body['reason']
  if (reason === undefined || reason === null) return null
  if (typeof reason !== 'string' || reason.length > noteLengthMax || reason.trim() === '' || reason.includes('\0')) {
    throw malformed(`reason must be a string of at most ${noteLengthMax} characters.`)
  }
  return reason
}

function referenceIn(body: JsonObject): string {
  const reference = stringAt(body, 'reference') ?? ''
  if (!/^[\x20-\x7e]{1,100}$/.test(reference)) throw malformed('reference must be a string of at most 100 characters.')
  return reference
}

/** The digits as sent; the currency of the order decides how many decimals are valid. */
function digitsOf(value: unknown): string {
  const text = value instanceof ExactNumber ? value.text : typeof value === 'number' ? plainDecimal(value) : undefined
  if (text === undefined) throw malformed('amount must be a number.')
  return text
}
