import type { KeyAccount } from '#domain/access/key-account.ts'
import type { Pool, PoolClient } from 'pg'
import { type AuditAction, platformChain } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import type { EndCustomerLimits, EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { endCustomerKinds } from '#domain/limits/scopes.ts'
import { nanoUsd, nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { tooManyCustomers } from '#errors/too-many-customers.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type {
  CustomerSettings,
  CustomerSettingsChange,
  CustomerStatement,
  CustomerTransfer,
  DayRange,
  EndCustomerChange,
  EndCustomerReference,
  EndCustomers,
  NewEndCustomer,
  TransferOutcome,
} from '#ports/end-customers.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { returnIdempotencyKey, takeIdempotencyKey } from '../idempotency/idempotency-keys.sql.ts'
import { recountWindows } from '../money/spend-windows.sql.ts'
import { walletOf } from '../wallets/wallet-of-account.sql.ts'
import { inTransaction } from '../with-client.ts'
import { hasBalance, listCustomerTransfers, moveBalance } from './customer-balances.sql.ts'
import { insertMarkup, lockSettings, readSettings, updateSettings } from './customer-settings.sql.ts'
import { readStatement } from './customer-statement.sql.ts'
import {
  findCustomerId,
  findEndCustomer,
  findTerms,
  insertEndCustomer,
  listEndCustomers,
  lockEndCustomer,
  readCustomerDays,
  setPrepaid,
  type Settings,
  updateEndCustomer,
} from './end-customers.sql.ts'

export function createEndCustomers(
  pool: Pool,
  { customersMax, nowMs }: { customersMax: number; nowMs: () => number },
): EndCustomers {
  const make: Make = (connection, walletId, customer) =>
    insertWithin(connection, walletId, { ...customer, customersMax })
  return {
    findOrCreate: (walletId, externalId) => findOrCreate(pool, make, { walletId, externalId, id: newUuid(nowMs()) }),
    findTerms: (walletId, externalId) => refuseWhenAway(findTerms(pool, walletId, externalId)),
    create: (account, customer, author) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', (client) => create(client, make, account, customer, author)),
      ),
    change: (which, change, author) =>
      refuseWhenAway(inTransaction(pool, 'READ COMMITTED', (client) => changeWithin(client, which, change, author))),
    transfer: (which, transfer, author) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', (client) => transferWithin(client, which, transfer, author)),
      ),
    listTransfers: (which, page) =>
      refuseWhenAway(
        findCustomerId(pool, which).then((id) => (id === null ? null : listCustomerTransfers(pool, id, page))),
      ),
    find: (which, atMs) => refuseWhenAway(findEndCustomer(pool, which, atMs)),
    list: (account, page, atMs) => refuseWhenAway(listEndCustomers(pool, { account, page, nowMs: atMs })),
    readDays: (which, days) => refuseWhenAway(readCustomerDays(pool, which, days)),
    readStatement: (which, days) => refuseWhenAway(statementOf(pool, which, days)),
    readSettings: (account) => refuseWhenAway(walletOf(pool, account).then((walletId) => readSettings(pool, walletId))),
    changeSettings: (account, change, author) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', (client) => changeSettings(client, { account, change }, author)),
      ),
  }
}

async function statementOf(pool: Pool, which: EndCustomerReference, days: DayRange): Promise<CustomerStatement | null> {
  const customerId = await findCustomerId(pool, which)
  return customerId === null ? null : readStatement(pool, customerId, days)
}

async function changeSettings(
  client: PoolClient,
  { account, change }: { account: KeyAccount; change: CustomerSettingsChange },
  author: ChangeAuthor,
): Promise<CustomerSettings> {
  const walletId = await walletOf(client, account)
  const before = await lockSettings(client, walletId)
  const limits = { ...before.limits, ...withoutMissing(change.limits) }
  const after = { limits, markup: change.markup ?? before.markup }
  await updateSettings(client, walletId, after)
  if (after.markup !== before.markup) {
    await insertMarkup(client, { ownerId: walletId, markup: after.markup, nowMs: author.nowMs })
  }
  const [was, is] = [defaultsJson(before), defaultsJson(after)]
  if (changedValues(was, is) !== null) {
    const entry = {
      action: 'end_customer.settings.update',
      kind: 'wallet',
      id: walletId,
      before: was,
      after: is,
    } as const
    await noteEndCustomer(client, account, entry, author)
  }
  return after
}

type Make = (connection: Pool | PoolClient, walletId: Uuid, customer: NewEndCustomer) => Promise<'created' | 'exists'>

async function insertWithin(
  connection: Pool | PoolClient,
  walletId: Uuid,
  customer: NewEndCustomer & { readonly customersMax: number },
): Promise<'created' | 'exists'> {
  const creation = await insertEndCustomer(connection, walletId, customer)
  if (creation === 'full') throw tooManyCustomers(customer.customersMax)
  if (creation === 'erased') throw new GatewayError('accountSuspended', { message: 'The account was deleted.' })
  return creation
}

/** Two processes may meet a new customer at the same time: both then read the row that one of them created. */
async function findOrCreate(
  pool: Pool,
  make: Make,
  { walletId, externalId, id }: { walletId: Uuid; externalId: string; id: Uuid },
): Promise<EndCustomerTerms> {
  const known = await findTerms(pool, walletId, externalId)
  if (known !== null) return known
  const { limits } = await readSettings(pool, walletId)
  await make(pool, walletId, { id, externalId, name: null, limits })
  const made = await findTerms(pool, walletId, externalId)
  // Deleting the owner in between replaces the id.
  if (made === null) throw new GatewayError('accountSuspended', { message: 'The account was deleted.' })
  return made
}

async function create(
  client: PoolClient,
  make: Make,
  account: KeyAccount,
  customer: NewEndCustomer,
  author: ChangeAuthor,
) {
  const walletId = await walletOf(client, account)
  if ((await make(client, walletId, customer)) === 'exists') return 'exists' as const
  if (customer.isPrepaid === true) await setPrepaid(client, customer.id)
  const after = settingsJson({ suspended: false, markup: null, isPrepaid: false, ...customer })
  await noteEndCustomer(
    client,
    account,
    { action: 'end_customer.create', id: customer.id, before: null, after },
    author,
  )
  return { walletId }
}

async function changeWithin(
  client: PoolClient,
  { account, externalId }: EndCustomerReference,
  change: EndCustomerChange,
  author: ChangeAuthor,
) {
  const walletId = await walletOf(client, account)
  const before = await lockEndCustomer(client, walletId, externalId)
  if (before === null) return 'missing' as const
  const { id } = before
  const after = { ...before, ...withoutMissing(change), limits: { ...before.limits, ...withoutMissing(change.limits) } }
  if (before.isPrepaid && !after.isPrepaid && (await hasBalance(client, id))) return 'has balance' as const
  await updateEndCustomer(client, id, after)
  if (haveLimitsChanged(before.limits, after.limits)) {
    await recountWindows(client, { kinds: endCustomerKinds, ownerId: id })
  }
  if (before.markup !== after.markup) {
    await insertMarkup(client, { ownerId: id, markup: after.markup, nowMs: author.nowMs })
  }
  const [was, is] = [settingsJson(before), settingsJson(after)]
  if (changedValues(was, is) !== null) {
    await noteEndCustomer(client, account, { action: 'end_customer.update', id, before: was, after: is }, author)
  }
  return { walletId }
}

async function transferWithin(
  client: PoolClient,
  { account, externalId }: EndCustomerReference,
  { id, amount, to, request }: CustomerTransfer,
  author: ChangeAuthor,
): Promise<TransferOutcome> {
  const walletId = await walletOf(client, account)
  const customer = await lockEndCustomer(client, walletId, externalId)
  if (customer === null) return { outcome: 'missing' }
  if (request !== null) {
    const taken = await takeIdempotencyKey(client, request, id)
    if (taken.outcome === 'known') return { outcome: 'moved', id: taken.resultId, walletId }
    if (taken.outcome === 'other request') return { outcome: 'key_reused' }
  }
  if (to === 'wallet' && !customer.isPrepaid) {
    await returnIdempotencyKey(client, request)
    return { outcome: 'not prepaid' }
  }
  const signed = to === 'customer' ? amount : -amount
  const moved = await moveBalance(client, { id, walletId, customerId: customer.id, amount: signed })
  if (moved.balance === null) {
    await returnIdempotencyKey(client, request)
    return { outcome: 'short', room: moved.room }
  }
  if (!customer.isPrepaid) await setPrepaid(client, customer.id)
  const before = { prepaid: customer.isPrepaid, balance: usdJson(nanoUsd(moved.balance - signed)) }
  const after = { prepaid: true, balance: usdJson(moved.balance) }
  await noteEndCustomer(client, account, { action: 'end_customer.transfer', id: customer.id, before, after }, author)
  return { outcome: 'moved', id, walletId }
}

function withoutMissing<Change extends object>(change: Change): Partial<Change> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Change>
}

function haveLimitsChanged(before: EndCustomerLimits, after: EndCustomerLimits): boolean {
  return before.day !== after.day || before.month !== after.month || before.total !== after.total
}

/** Neither the name nor the owner's id: the log cannot be changed, and both may be about a person. */
function settingsJson({ limits, suspended, markup, isPrepaid }: Omit<Settings, 'name'>): JsonObject {
  return { ...limitsJson(limits), suspended, markup_basis_points: markup, prepaid: isPrepaid }
}

function defaultsJson({ limits, markup }: CustomerSettings): JsonObject {
  return { ...limitsJson(limits), markup_basis_points: markup }
}

function limitsJson({ day, month, total }: EndCustomerLimits): JsonObject {
  return {
    daily_limit: nullableUsdJson(day),
    monthly_limit: nullableUsdJson(month),
    total_limit: nullableUsdJson(total),
  }
}

export async function noteEndCustomer(
  client: PoolClient,
  account: KeyAccount,
  entry: { action: AuditAction; id: Uuid; before: JsonObject | null; after: JsonObject; kind?: 'wallet' },
  { actor, requestId, nowMs }: ChangeAuthor,
): Promise<void> {
  const chainId = account.kind === 'organization' ? account.organizationId : platformChain
  const { action, id, before, after, kind = 'end_customer' } = entry
  const target = { kind, id }
  await appendAudit(client, [{ chainId, actor, requestId, action, target, before, after }], nowMs)
}
