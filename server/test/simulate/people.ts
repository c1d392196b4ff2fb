import type { OrganizationTerms, Principal } from '#domain/access/principal.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { NewWallet } from './store/store.ts'

const id = (number: number): string => `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** A customer that pays from a balance of its own. */
const customerId = id(41)

const plain: Principal = {
  keyId: id(1),
  keyName: 'simulated',
  keyType: 'standard',
  operatorRole: null,
  userId: null,
  organizationId: null,
  memberId: null,
  teamId: null,
  walletId: id(101),
  enabled: true,
  suspended: false,
  expiresAtMs: null,
  allowedCidrs: [],
  freeFallback: true,
  cacheTtlSeconds: null,
  keyCap: null,
  breaker: null,
  organization: null,
  institutionSession: null,
  customerToken: null,
  attribution: null,
  balance: zeroUsd,
}

const terms: OrganizationTerms = {
  billing: 'monthly',
  overdueInvoice: null,
  budgets: {
    organizationWeek: null,
    organizationMonth: nanoUsd(1_500n),
    teamMonth: null,
    memberMonth: nanoUsd(900n),
  },
  breakers: { organization: { minute: nanoUsd(1_200n), hour: nanoUsd(1_400n) }, team: null, member: null },
  allowedModels: [],
}

export const principals: readonly Principal[] = [
  {
    ...plain,
    userId: id(11),
    keyCap: { limit: nanoUsd(700n), period: 'day' },
    breaker: { minute: nanoUsd(500n), hour: nanoUsd(650n) },
  },
  { ...plain, keyId: id(2), walletId: id(102), userId: id(12) },
  { ...plain, keyId: id(3), walletId: id(103), organizationId: id(23), memberId: id(33), organization: terms },
  { ...plain, keyId: id(4), walletId: id(103), organizationId: id(23), memberId: id(34), organization: terms },
  {
    ...plain,
    keyId: id(5),
    walletId: id(102),
    userId: id(12),
    attribution: {
      endCustomer: {
        id: customerId,
        suspended: false,
        isPrepaid: true,
        limits: { day: null, month: nanoUsd(400n), total: null },
      },
      tagIds: [],
      run: null,
    },
  },
]

/**
 * The initial balance of each wallet, and the customer whose balance gets some of it. The organization pays monthly and
 * may go below zero by its credit line.
 */
export const wallets: readonly (NewWallet & { credit: bigint; paidIn: bigint })[] = [
  {
    id: id(101),
    ownerKind: 'user',
    ownerId: id(11),
    creditLine: 0n,
    expired: 0n,
    customerId: null,
    credit: 800n,
    paidIn: 0n,
  },
  {
    id: id(102),
    ownerKind: 'user',
    ownerId: id(12),
    creditLine: 0n,
    expired: 60n,
    customerId,
    credit: 700n,
    paidIn: 250n,
  },
  {
    id: id(103),
    ownerKind: 'organization',
    ownerId: id(23),
    creditLine: 1_000n,
    expired: 0n,
    customerId: null,
    credit: 300n,
    paidIn: 0n,
  },
]

/** Generation ids sort by time, and count upwards. */
export function generationId(nowMs: number, number: number): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString().padStart(12, '0')}`
}
