import type { OperatorRole } from './operator-table.ts'
import { type Reach, type Role, roleTable } from './role-table.ts'
import type { Wallet } from './wallet.ts'

export type Viewed = Pick<Wallet, 'kind' | 'role' | 'ownKeysMax'> & {
  /** The person's role as an operator, on the operator's pages. */
  readonly operatorRole?: OperatorRole | null
}
export type RoleAction = keyof typeof roleTable

/** How far the role may perform the action in the organization of the wallet. Null if it may not, or it has none. */
export function reachOf({ kind, role }: Viewed, action: RoleAction): Reach | null {
  if (kind === 'person' || role === null) return null
  const reaches: Readonly<Partial<Record<string, Reach>>> = roleTable[action] satisfies Partial<Record<Role, Reach>>
  return reaches[role] ?? null
}

/** Whether the role may perform the action in the organization of the wallet. The API rejects other roles. */
export function mayAct(wallet: Viewed, action: RoleAction): boolean {
  return reachOf(wallet, action) !== null
}

/** A page of the navigation for the roles that may perform the action. */
export function forRoles(action: RoleAction): (wallet: Viewed) => boolean {
  return (wallet) => mayAct(wallet, action)
}

/** Whether the person sees only their own keys in the organization, because it lets members create keys. */
export function hasOwnKeys({ kind, role, ownKeysMax = 0 }: Viewed): boolean {
  return kind === 'organization' && role === 'member' && ownKeysMax > 0
}

/** Whether the role may see keys of the wallet. */
export function seesKeys(wallet: Viewed): boolean {
  return wallet.kind === 'person' || hasOwnKeys(wallet) || mayAct(wallet, 'organization.keys.read')
}

/** Whether the role may create, change and delete keys. The API rejects other roles. */
export function mayChangeKeys(wallet: Viewed): boolean {
  return wallet.kind === 'person' || hasOwnKeys(wallet) || mayAct(wallet, 'organization.keys.change')
}

/** Whether the role may see the balance and the payments of the wallet. */
export function seesBooks(wallet: Viewed): boolean {
  return wallet.kind === 'person' || mayAct(wallet, 'organization.read')
}

/** Whether the role may see the customers of the wallet's owner, and what each spent. */
export function seesCustomers(wallet: Viewed): boolean {
  return wallet.kind === 'person' || mayAct(wallet, 'reports.read')
}

/** Whether the role may add, limit and suspend customers. The API rejects other roles. */
export function mayChangeCustomers({ kind, role }: Viewed): boolean {
  return kind === 'person' || role === 'org_admin'
}

/** Whether the role may add credit to the wallet. */
export function mayPay({ kind, role }: Viewed): boolean {
  return kind === 'person' || role === 'org_admin'
}

/** Whether the role may see budgets: of the organization, or of the own team. */
export function seesBudgets(wallet: Viewed): boolean {
  return mayAct(wallet, 'organization.read') || mayAct(wallet, 'teams.read')
}
