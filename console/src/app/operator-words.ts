import type { OperatorRole } from './operator-table.ts'

interface RoleWords {
  readonly label: string
  readonly description: string
}

export const operatorWords: Readonly<Record<OperatorRole, RoleWords>> = {
  owner: { label: 'Owner', description: 'Can do everything.' },
  support: {
    label: 'Support',
    description: 'Helps customers: sees their requests, suspends them, stops all requests.',
  },
  finance: { label: 'Finance', description: 'Handles money: credit, refunds, codes, and the books.' },
  read_only: { label: 'Read-only', description: 'Sees customers, requests, and money. Changes nothing.' },
}
