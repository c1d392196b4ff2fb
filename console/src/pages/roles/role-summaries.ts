// Generated from `server/src/domain/access/access-table.ts` by `npm run docs`; do not edit.

import type { roleTable } from '../../app/role-table.ts'

export const roleSummaries = {
  'organization.read': 'Read an organization: plan, seats, credit, settings',
  'organization.change': "Change an organization's name, settings and budgets",
  'organization.keys.read': "List an organization's keys",
  'organization.keys.change': "Create, change and delete an organization's keys",
  'teams.read': 'Read teams',
  'teams.manage': 'Create and delete teams',
  'team.change': "Change a team's description and budget",
  'members.read': 'List members and invitations',
  'members.manage': 'Add, invite, change and remove members',
  'allowedModels.organization': 'Read and change the models that an organization allows',
  'allowedModels.read': 'Read the models that a team or member is allowed',
  'allowedModels.change': 'Change the models that a team or member is allowed',
  'breaker.organization': "Read and change an organization's spend breaker",
  'breaker.team': 'Read and change the spend breaker of a team or member',
  'backtest.organization':
    "Replay an organization's past requests against proposed budgets, breakers and allowed models",
  'backtest.team':
    'Replay the past requests of a team or a member against proposed budgets, breakers and allowed models',
  'filters.manage': 'Read, change and try content filters',
  'organization.ownKeys': "Manage an organization's upstream keys",
  'organization.webhookSecret': "See whether an organization's webhooks are signed, and replace or delete their secret",
  'signOn.manage': "Manage an organization's single sign-on: domains, identity providers, group mappings",
  'provisioning.manage': "Manage an organization's provisioning tokens, and view the provisioning status",
  'audit.read': "List and export an organization's audit log",
  'reports.read': "Read and export an organization's reports, but not who spent what",
  'reports.members': 'Read and export which member of an organization spent what',
  'institutions.manage': 'Manage institution keys and end their sessions',
} as const satisfies Readonly<Record<keyof typeof roleTable, string>>
