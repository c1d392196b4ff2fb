import type { Wallet } from './wallet.ts'

export type Viewed = Pick<Wallet, 'kind' | 'role'>

/** Whether the role may see the keys of the wallet. */
export function seesKeys({ kind, role }: Viewed): boolean {
  return kind === 'person' || role === 'org_admin' || role === 'team_admin' || role === 'billing_viewer'
}

/** Whether the role may create, change and delete keys. The API rejects other roles. */
export function mayChangeKeys({ kind, role }: Viewed): boolean {
  return kind === 'person' || role === 'org_admin' || role === 'team_admin'
}

/** Whether the role may see the balance and the payments of the wallet. */
export function seesBooks({ kind, role }: Viewed): boolean {
  return kind === 'person' || role === 'org_admin' || role === 'billing_viewer'
}

/** Whether the role may add credit to the wallet. */
export function mayPay({ kind, role }: Viewed): boolean {
  return kind === 'person' || role === 'org_admin'
}

/** Whether the role may see and change the spend breaker of the wallet's owner. */
export function mayChangeBreaker({ kind, role }: Viewed): boolean {
  return kind === 'person' || role === 'org_admin'
}

/** Whether the role may see and change the content filters, keys of institutions, upstream keys and audit log. */
export function administers({ role }: Viewed): boolean {
  return role === 'org_admin'
}

/** Whether the role may read the reports of an organization. */
export function seesReports({ role }: Viewed): boolean {
  return role === 'org_admin' || role === 'billing_viewer'
}
