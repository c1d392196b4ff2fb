import type { AuditAction, AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import type { ScopeKind } from '#domain/limits/scopes.ts'
import { type Organization, organizationValues } from '#domain/organizations/organization.ts'
import { changeWithin, type OrganizationDeps } from './change-within.ts'

/** The fields that can be changed later. The slug is fixed, because commands and URLs contain it. */
export type OrganizationChange = Partial<Omit<Organization, 'id' | 'slug' | 'createdAtMs'>>

/** Changes the given fields. */
export async function changeOrganization(
  deps: OrganizationDeps,
  input: { change: OrganizationChange; stamp: AuditStamp; action?: AuditAction },
): Promise<Organization> {
  const { change, stamp, action = 'org.update' } = input
  return changeWithin(deps, stamp, async (locked) => {
    const before = locked.organization
    const after: Organization = { ...before, ...change }
    const changed = changedValues(organizationValues(before), organizationValues(after))
    if (changed === null) return { result: before, entries: [] }
    await locked.update(after)
    const kinds = changedBudgets(before, after)
    if (kinds.length > 0) await locked.recountWindows({ kinds, ownerId: after.id })
    const target = { kind: 'organization', id: after.id }
    return { result: after, entries: [{ ...stamp, action, target, ...changed }] }
  })
}

function changedBudgets(before: Organization, after: Organization): ScopeKind[] {
  const kinds: ScopeKind[] = []
  if (before.weeklyBudget !== after.weeklyBudget) kinds.push('organization_week')
  if (before.monthlyBudget !== after.monthlyBudget) kinds.push('organization_month')
  return kinds
}
