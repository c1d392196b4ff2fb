import type { EndCustomer } from '../../api/end-customers.ts'
import { Badge } from '../../ui/badge.tsx'

export function stateInWords({ suspended }: Pick<EndCustomer, 'suspended'>): string {
  return suspended ? 'Suspended' : 'Active'
}

export function CustomerState({ of: customer }: { readonly of: Pick<EndCustomer, 'suspended'> }) {
  return <Badge tone={customer.suspended ? 'warn' : 'good'}>{stateInWords(customer)}</Badge>
}
