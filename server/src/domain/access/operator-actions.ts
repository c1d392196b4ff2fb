import type { AccessRow } from './access-row.ts'
import type { OperatorRole } from './operator-roles.ts'

/**
 * What operators do. An action that ends in `.read` only reads; the action without it changes. An owner may do
 * everything.
 */
export const operatorActions = {
  'operators.health': operated('See the health of the installation: what `weir status` and `weir doctor` find', [
    'support',
    'finance',
    'read_only',
  ]),
  'operators.customers': operated('See customers, their wallets and their keys', ['support', 'finance', 'read_only']),
  'operators.accounts': operated('Suspend customers, and write notes about them', ['support']),
  'operators.credit': operated('Credit wallets, book bank transfers, and write off debt', ['finance']),
  'operators.requests': operated('See any request with its customer, provider attempts, responses and cost', [
    'support',
    'read_only',
  ]),
  'operators.providers.read': operated(
    "List the platform's accounts with providers, and the prices of models with their history",
    ['support', 'finance', 'read_only'],
  ),
  'operators.providers': operated("Add and change the platform's accounts with providers, and replace their keys", []),
  'operators.routes.read': operated(
    'List routes, see the state of the catalogue, and explain where a request would be sent',
    ['support', 'finance', 'read_only'],
  ),
  'operators.routes': operated('Add and remove routes', []),
  'operators.catalogue': operated('Plan, apply, announce and undo changes of models and prices', []),
  'operators.payments.read': operated('See credit orders, disputes, receipts, invoices, revenue and the books', [
    'support',
    'finance',
    'read_only',
  ]),
  'operators.payments': operated('Refund payments, and close months', ['finance']),
  'operators.codes.read': operated('List campaigns of redemption codes', ['finance', 'read_only']),
  'operators.codes': operated('Create redemption codes, and stop and resume their campaigns', ['finance']),
  'operators.jobs.read': operated('See jobs: videos, webhooks, emails and event sinks', ['support', 'read_only']),
  'operators.jobs': operated('Repeat failed webhooks, emails and event sinks', ['support']),
  'operators.evidence': operated('Read the prompts that moderation has blocked', ['support']),
  'operators.audit': operated("Read and export the platform's audit log", ['support', 'finance', 'read_only']),
  'operators.brake.read': operated('See the brake', ['support', 'read_only']),
  'operators.brake': operated('Set and release the brake', ['support']),
  'operators.people': operated('List, add, change and remove operators, and revoke their keys', []),
  // A machine needs no console.
  'operators.impersonate': {
    ...operated('View the console as a customer, without changing anything', ['support']),
    credentials: ['session'],
  },
} as const satisfies Record<`operators.${string}`, AccessRow>

function operated(summary: string, roles: readonly OperatorRole[]) {
  return {
    summary,
    credentials: ['operator_key', 'session'],
    within: 'nobody',
    operators: ['owner', ...roles],
  } as const satisfies AccessRow
}
