import { Link } from '@tanstack/react-router'

/** The customer of a wallet by name. It leads to the customer's page. */
export function CustomerLink({
  customer,
}: {
  readonly customer: { readonly id: string; readonly name: string | null } | null
}) {
  if (customer === null) return <span className="text-muted">Unknown</span>
  return (
    <Link
      to="/operator/customers/$customerId"
      params={{ customerId: customer.id }}
      className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
    >
      {customer.name ?? 'Deleted user'}
    </Link>
  )
}
