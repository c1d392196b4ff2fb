// Generated from `server/src/domain/access/access-table.ts` by `npm run docs`; do not edit.

export const roles = ['org_admin', 'billing_viewer', 'team_admin', 'member'] as const
export type Role = (typeof roles)[number]

/** The whole organization, or the own team and its members. */
export type Reach = 'organization' | 'own_team'

/** Roles that are not listed may not perform the action. */
export const roleTable = {
  'organization.read': { org_admin: 'organization', billing_viewer: 'organization' },
  'organization.change': { org_admin: 'organization' },
  'organization.keys.read': { org_admin: 'organization', billing_viewer: 'organization', team_admin: 'own_team' },
  'organization.keys.change': { org_admin: 'organization', team_admin: 'own_team' },
  'teams.read': { org_admin: 'organization', team_admin: 'own_team' },
  'teams.manage': { org_admin: 'organization' },
  'team.change': { org_admin: 'organization', team_admin: 'own_team' },
  'members.read': { org_admin: 'organization', team_admin: 'own_team' },
  'members.manage': { org_admin: 'organization', team_admin: 'own_team' },
  'allowedModels.organization': { org_admin: 'organization' },
  'allowedModels.read': { org_admin: 'organization', team_admin: 'own_team' },
  'allowedModels.change': { org_admin: 'organization' },
  'breaker.organization': { org_admin: 'organization' },
  'breaker.team': { org_admin: 'organization', team_admin: 'own_team' },
  'backtest.organization': { org_admin: 'organization' },
  'backtest.team': { org_admin: 'organization', team_admin: 'own_team' },
  'filters.manage': { org_admin: 'organization' },
  'organization.ownKeys': { org_admin: 'organization' },
  'organization.webhookSecret': { org_admin: 'organization' },
  'signOn.manage': { org_admin: 'organization' },
  'provisioning.manage': { org_admin: 'organization' },
  'audit.read': { org_admin: 'organization' },
  'reports.read': { org_admin: 'organization', billing_viewer: 'organization' },
  'reports.members': { org_admin: 'organization' },
  'institutions.manage': { org_admin: 'organization' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Role, Reach>>>>>
