// Generated from `server/src/domain/access/operator-actions.ts` by `npm run docs`; do not edit.

export const operatorRoles = ['owner', 'support', 'finance', 'read_only'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Roles that are not listed may not perform the action. */
export const operatorTable = {
  'operators.health': ['owner', 'support', 'finance', 'read_only'],
  'operators.customers': ['owner', 'support', 'finance', 'read_only'],
  'operators.accounts': ['owner', 'support'],
  'operators.credit': ['owner', 'finance'],
  'operators.requests': ['owner', 'support', 'read_only'],
  'operators.providers.read': ['owner', 'support', 'finance', 'read_only'],
  'operators.providers': ['owner'],
  'operators.routes.read': ['owner', 'support', 'finance', 'read_only'],
  'operators.routes': ['owner'],
  'operators.catalogue': ['owner'],
  'operators.payments.read': ['owner', 'support', 'finance', 'read_only'],
  'operators.payments': ['owner', 'finance'],
  'operators.codes.read': ['owner', 'finance', 'read_only'],
  'operators.codes': ['owner', 'finance'],
  'operators.jobs.read': ['owner', 'support', 'read_only'],
  'operators.jobs': ['owner', 'support'],
  'operators.evidence': ['owner', 'support'],
  'operators.audit': ['owner', 'support', 'finance', 'read_only'],
  'operators.brake.read': ['owner', 'support', 'read_only'],
  'operators.brake': ['owner', 'support'],
  'operators.people': ['owner'],
  'operators.impersonate': ['owner', 'support'],
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>
