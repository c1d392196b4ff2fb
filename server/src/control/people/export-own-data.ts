import { exportAuditLog } from '#control/audit/export-audit-log.ts'
import type { SignedInPerson } from '#domain/access/client.ts'
import { platformChain } from '#domain/audit/audit-entry.ts'
import type { BillingDocument } from '#domain/billing/billing-document.ts'
import type { BillingProfile } from '#domain/billing/parties.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Refusal } from '#domain/ledger/refusal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { GenerationFilter, GenerationLists, ListedGeneration } from '#ports/account-reads.ts'
import type { AuditArchive, AuditRecord } from '#ports/audit.ts'
import type { BillingDocuments, BillingProfiles } from '#ports/billing.ts'
import type { KeyRecord, KeyStore } from '#ports/keys.ts'
import type { RefusalLists, RefusalPage } from '#ports/refusals.ts'
import type { OwnCustomer, OwnData, OwnProfile, OwnRun, OwnTransfer, TransferPlace } from '#ports/own-data.ts'

export interface ExportDeps {
  readonly ownData: OwnData
  readonly keys: Pick<KeyStore, 'list'>
  readonly lists: GenerationLists
  readonly refusals: Pick<RefusalLists, 'list'>
  readonly archive: AuditArchive
  readonly profiles: Pick<BillingProfiles, 'find'>
  readonly documents: Pick<BillingDocuments, 'list'>
}

export type OwnRecord =
  | { readonly kind: 'profile'; readonly record: OwnProfile }
  | { readonly kind: 'key'; readonly record: KeyRecord }
  | { readonly kind: 'customer'; readonly record: OwnCustomer }
  | { readonly kind: 'run'; readonly record: OwnRun }
  | { readonly kind: 'generation'; readonly record: ListedGeneration }
  | { readonly kind: 'refusal'; readonly record: Refusal }
  | { readonly kind: 'order'; readonly record: TopUp }
  | { readonly kind: 'billing_profile'; readonly record: BillingProfile }
  | { readonly kind: 'document'; readonly record: BillingDocument }
  | { readonly kind: 'transfer'; readonly record: OwnTransfer }
  | { readonly kind: 'audit'; readonly record: AuditRecord }

const pageSize = 500

/** Exports all data of a person, page by page. Each page is a separate short read. */
export async function* exportOwnData(
  deps: ExportDeps,
  person: SignedInPerson,
  nowMs: number,
): AsyncGenerator<readonly OwnRecord[]> {
  const { userId, walletId } = person
  const profile = await deps.ownData.readProfile(userId)
  if (profile === null) throw new GatewayError('notFound', { message: 'User not found.' })
  yield [{ kind: 'profile', record: profile }]
  const keys = await deps.keys.list({ account: { kind: 'user', userId }, nowMs })
  yield keys.map((record) => ({ kind: 'key', record }))
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const page: OwnCustomer[] = await deps.ownData.listCustomers({ walletId, after, limit: pageSize })
    yield page.map((record) => ({ kind: 'customer', record }))
    after = page.length < pageSize ? undefined : page.at(-1)?.externalId
  }
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const page: OwnRun[] = await deps.ownData.listRuns({ walletId, after, limit: pageSize })
    yield page.map((record) => ({ kind: 'run', record }))
    after = page.length < pageSize ? undefined : page.at(-1)?.externalId
  }
  for await (const page of generationsOf(deps.lists, person, nowMs)) {
    yield page.map((record) => ({ kind: 'generation', record }))
  }
  for await (const page of refusalsOf(deps.refusals, person, nowMs)) {
    yield page.map((record) => ({ kind: 'refusal', record }))
  }
  for (let after: Uuid | null | undefined = null; after !== undefined; ) {
    const page: TopUp[] = await deps.ownData.listOrders({ userId, walletId, after, limit: pageSize })
    yield page.map((record) => ({ kind: 'order', record }))
    after = page.length < pageSize ? undefined : page.at(-1)?.id
  }
  for await (const page of billingOf(deps, walletId)) yield page
  for (let after: TransferPlace | null | undefined = null; after !== undefined; ) {
    const page: OwnTransfer[] = await deps.ownData.listTransfers({ walletId, after, limit: pageSize })
    yield page.map((record) => ({ kind: 'transfer', record }))
    after = page.length < pageSize ? undefined : page.at(-1)
  }
  const chains = [platformChain, ...profile.organizations.map(({ organizationId }) => organizationId)]
  for (const chainId of chains) {
    const own = { chainId, action: null, actorId: userId, actor: null, target: null, fromMs: null, toMs: null }
    for await (const page of exportAuditLog(deps.archive, own)) yield page.map((record) => ({ kind: 'audit', record }))
  }
}

async function* billingOf(
  { profiles, documents }: Pick<ExportDeps, 'profiles' | 'documents'>,
  walletId: Uuid,
): AsyncGenerator<readonly OwnRecord[]> {
  const profile = await profiles.find(walletId)
  if (profile !== null) yield [{ kind: 'billing_profile', record: profile }]
  for (let before: Uuid | null | undefined = null; before !== undefined; ) {
    const page: readonly BillingDocument[] = await documents.list({ walletId, kind: null, before, limit: pageSize })
    yield page.map((record) => ({ kind: 'document', record }))
    before = page.length < pageSize ? undefined : page.at(-1)?.id
  }
}

const everything: GenerationFilter = {
  model: null,
  provider: null,
  app: null,
  keyId: null,
  teamId: null,
  endCustomerId: null,
  runId: null,
  tagId: null,
  endUser: null,
  status: null,
  fromMs: null,
  toMs: null,
}

async function* generationsOf(
  lists: GenerationLists,
  { userId, walletId }: SignedInPerson,
  nowMs: number,
): AsyncGenerator<readonly ListedGeneration[]> {
  const scope = { walletId, only: null, userId }
  for (let before: string | null | undefined = null; before !== undefined; ) {
    const { records, next } = await lists.list({ scope, filter: everything, before, limit: pageSize, nowMs })
    yield records
    before = next ?? undefined
  }
}

async function* refusalsOf(
  lists: ExportDeps['refusals'],
  { userId, walletId }: SignedInPerson,
  nowMs: number,
): AsyncGenerator<readonly Refusal[]> {
  const scope = { walletId, only: null, userId }
  for (let before: Uuid | null | undefined = null; before !== undefined; ) {
    const page: RefusalPage = await lists.list({ scope, filter: everything, before, limit: pageSize, nowMs })
    yield page.records
    before = page.next ?? undefined
  }
}
