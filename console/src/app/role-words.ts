import { type Role, roles } from './role-table.ts'

interface RoleWords {
  readonly label: string
  readonly description: string
}

export const roleWords: Readonly<Record<Role, RoleWords>> = {
  org_admin: { label: 'Organization admin', description: 'Manages people, limits, keys, and billing.' },
  billing_viewer: { label: 'Billing viewer', description: 'Sees spend, invoices, and keys. Changes nothing.' },
  team_admin: { label: 'Team admin', description: 'Manages the members, keys, and budget of one team.' },
  member: { label: 'Member', description: 'Calls models and sees their own requests.' },
}

/** The name of a role. A role that is new keeps its API name. */
export function roleLabel(role: string): string {
  const known = roles.find((one) => one === role)
  return known === undefined ? role : roleWords[known].label
}
