import type { Pool, PoolClient } from 'pg'
import { type AuditAction, platformChain } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import type { EndCustomerLimits, EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { endCustomerKinds } from '#domain/limits/scopes.ts'
import { nullableUsdJson } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { tooManyCustomers } from '#errors/too-many-customers.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { EndCustomerChange, EndCustomerReference, EndCustomers, NewEndCustomer } from '#ports/end-customers.ts'
import type { ChangeAuthor, KeyAccount } from '#ports/keys.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { recountWindows } from '../money/spend-windows.sql.ts'
import { walletOf } from '../wallets/wallet-of-account.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  findEndCustomer,
  findTerms,
  insertEndCustomer,
  listEndCustomers,
  lockEndCustomer,
  readCustomerDays,
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
    find: (which, atMs) => refuseWhenAway(findEndCustomer(pool, which, atMs)),
    list: (account, page, atMs) => refuseWhenAway(listEndCustomers(pool, { account, page, nowMs: atMs })),
    readDays: (which, days) => refuseWhenAway(readCustomerDays(pool, which, days)),
  }
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
  await make(pool, walletId, { id, externalId, name: null, limits: { day: null, month: null, total: null } })
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
  const after = settingsJson({ ...customer, suspended: false })
  await note(client, account, { action: 'end_customer.create', id: customer.id, before: null, after }, author)
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
  await updateEndCustomer(client, id, after)
  if (haveLimitsChanged(before.limits, after.limits)) {
    await recountWindows(client, { kinds: endCustomerKinds, ownerId: id })
  }
  const [was, is] = [settingsJson(before), settingsJson(after)]
  if (changedValues(was, is) !== null) {
    await note(client, account, { action: 'end_customer.update', id, before: was, after: is }, author)
  }
  return { walletId }
}

function withoutMissing<Change extends object>(change: Change): Partial<Change> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Change>
}

function haveLimitsChanged(before: EndCustomerLimits, after: EndCustomerLimits): boolean {
  return before.day !== after.day || before.month !== after.month || before.total !== after.total
}

/** Neither the name nor the owner's id: the log cannot be changed, and both may be about a person. */
function settingsJson({ limits, suspended }: Pick<Settings, 'limits' | 'suspended'>): JsonObject {
  return {
    daily_limit: nullableUsdJson(limits.day),
    monthly_limit: nullableUsdJson(limits.month),
    total_limit: nullableUsdJson(limits.total),
    suspended,
  }
}

async function note(
  client: PoolClient,
  account: KeyAccount,
  entry: { action: AuditAction; id: Uuid; before: JsonObject | null; after: JsonObject },
  { actor, requestId, nowMs }: ChangeAuthor,
): Promise<void> {
  const chainId = account.kind === 'organization' ? account.organizationId : platformChain
  const { action, id, before, after } = entry
  const target = { kind: 'end_customer', id }
  await appendAudit(client, [{ chainId, actor, requestId, action, target, before, after }], nowMs)
}
