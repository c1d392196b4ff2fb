import { Link } from '@tanstack/react-router'

/** Whose wallet it is, as operators' endpoints name it. */
export interface NamedCustomer {
  /** Absent where the endpoint does not tell. */
  readonly kind?: 'user' | 'organization'
  readonly id: string
  /** Null if the customer was deleted. */
  readonly name: string | null
}

/** The name of a customer, which leads to the customer's page. */
export function CustomerLink({ customer }: { readonly customer: NamedCustomer | null }) {
  if (customer === null) return <span className="text-muted">–</span>
  return (
    <Link
      to="/operator/customers/$customerId"
      params={{ customerId: customer.id }}
      title={customerWords(customer)}
      className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
    >
      {customerWords(customer)}
    </Link>
  )
}

export function customerWords({ kind, id, name }: NamedCustomer): string {
  return name ?? `Deleted ${kind ?? 'customer'} ${id}`
}
