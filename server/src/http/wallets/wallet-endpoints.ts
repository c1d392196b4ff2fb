import { openWalletToRead } from '#control/wallets/open-wallet-to-read.ts'
import { parseGenerationId, publicGenerationId } from '#domain/ledger/generation-id.ts'
import { type OwnerKind, ownerKinds } from '#domain/ledger/transfer.ts'
import { type CalendarMonth, monthOf, rangeOfMonth } from '#lib/utc-calendar.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { LedgerReads, TransferReference } from '#ports/ledger.ts'
import type { Memberships } from '#ports/organizations.ts'
import { clientOf, type Endpoint, type EndpointReply, type EndpointRequest } from '../endpoint.ts'
import { limitOf, momentOf, type Query, referenceOf, refuseValue, textOf } from '../request-values.ts'
import { renderHold, renderStatement, renderTransfer, renderWallet } from './render-wallet.ts'
import {
  holdListSchema,
  holdQuerySchema,
  statementQuerySchema,
  statementSchema,
  transactionListSchema,
  transactionQuerySchema,
  walletSchema,
} from './wallet-schema.ts'

interface WalletEndpointDeps {
  readonly ledger: LedgerReads
  readonly memberships: Memberships
}

const common = { method: 'GET', tag: 'Account', access: 'wallet.read' } as const
const pageSizes = { fallback: 20, max: 100 }

/** The ledger of a wallet, for clients that may see all of its payments. */
export function walletEndpoints({ ledger, memberships }: WalletEndpointDeps): Endpoint[] {
  const open = (request: EndpointRequest): Promise<Uuid> =>
    openWalletToRead(memberships, clientOf(request), referenceOf(request, 'walletId'))
  const wallet: Endpoint = {
    ...common,
    name: 'getWallet',
    paths: ['/api/wallets/:walletId'],
    summary: 'Get a wallet',
    description: 'Returns the balance, the amount on hold, and totals by source.',
    reply: {
      status: 200,
      description: 'The wallet, with its balance, holds, and totals by source.',
      schema: walletSchema,
    },
    errors: ['notFound'],
    handle: async (request) => ({ body: { data: renderWallet(await ledger.readWallet(await open(request))) } }),
  }
  const transactions: Endpoint = {
    ...common,
    name: 'listWalletTransactions',
    paths: ['/api/wallets/:walletId/transactions'],
    summary: 'List wallet transactions',
    query: transactionQuerySchema,
    reply: { status: 200, description: 'A page of transactions, newest first.', schema: transactionListSchema },
    errors: ['notFound', 'malformedRequest'],
    handle: async (request) => listTransactions(ledger, await open(request), request.query),
  }
  const holds: Endpoint = {
    ...common,
    name: 'listWalletHolds',
    paths: ['/api/wallets/:walletId/holds'],
    summary: 'List open holds',
    query: holdQuerySchema,
    reply: {
      status: 200,
      description: 'A page of holds for requests in progress, newest first.',
      schema: holdListSchema,
    },
    errors: ['notFound', 'malformedRequest'],
    handle: async (request) => listHolds(ledger, await open(request), request.query),
  }
  const statement: Endpoint = {
    ...common,
    name: 'getWalletStatement',
    paths: ['/api/wallets/:walletId/statement'],
    summary: 'Get a monthly statement',
    query: statementQuerySchema,
    reply: {
      status: 200,
      description: 'The opening and closing balance of the month, and totals by transaction kind.',
      schema: statementSchema,
    },
    errors: ['notFound', 'malformedRequest'],
    handle: async (request) => {
      const walletId = await open(request)
      const month = monthIn(request.query) ?? monthOf(request.nowMs)
      const read = await ledger.readStatement(walletId, rangeOfMonth(month))
      return { body: { data: renderStatement({ walletId, month }, read) } }
    },
  }
  return [wallet, transactions, holds, statement]
}

export async function listTransactions(ledger: LedgerReads, walletId: Uuid, query: Query): Promise<EndpointReply> {
  const limit = limitOf(query, pageSizes)
  const asked = { kind: kindOf(query), fromMs: momentOf(query, 'from'), toMs: momentOf(query, 'to') }
  // One row more than requested tells whether there is a next page.
  const found = await ledger.listTransfers({ walletId, ...asked, after: afterOf(query), limit: limit + 1 })
  const last = found.length > limit ? found[limit - 1] : undefined
  const next = last === undefined ? null : `${last.id}.${last.leg}`
  return { body: { data: found.slice(0, limit).map(renderTransfer), next_cursor: next } }
}

export async function listHolds(ledger: LedgerReads, walletId: Uuid, query: Query): Promise<EndpointReply> {
  const limit = limitOf(query, pageSizes)
  const found = await ledger.listHolds({ walletId, before: holdBeforeOf(query), limit: limit + 1 })
  const last = found.length > limit ? found[limit - 1] : undefined
  const next = last === undefined ? null : publicGenerationId(last.id)
  return { body: { data: found.slice(0, limit).map(renderHold), next_cursor: next } }
}

function kindOf(query: Query): OwnerKind | null {
  const text = textOf(query, 'kind')
  const kind = ownerKinds.find((name) => name === text)
  if (text === null || kind !== undefined) return kind ?? null
  throw refuseValue('kind', `one of ${ownerKinds.join(', ')}`)
}

function afterOf(query: Query): TransferReference | null {
  const text = textOf(query, 'before')
  if (text === null) return null
  const [, id = '', leg = ''] = /^([^.]+)\.(\d)$/.exec(text) ?? []
  if (!isUuid(id)) throw refuseValue('before', 'a next_cursor from a previous page')
  return { id, leg: Number(leg) }
}

function holdBeforeOf(query: Query): Uuid | null {
  const text = textOf(query, 'before')
  if (text === null) return null
  const id = parseGenerationId(text)
  if (id === undefined) throw refuseValue('before', 'a next_cursor from a previous page')
  return id
}

export function monthIn(query: Query): CalendarMonth | null {
  const text = textOf(query, 'month')
  if (text === null) return null
  const [, year, month] = /^(2\d{3})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined || month === undefined) throw refuseValue('month', 'a month such as 2026-11')
  return { year: Number(year), month: Number(month) }
}
