import type { Customer } from '../../../api/customers.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/page.tsx'
import { roleLabel } from '../../../app/role-words.ts'
import { CustomerLink } from '../customer-link.tsx'

/** The organizations of a user, or the members of an organization. */
export function PlacesCard({ customer }: { readonly customer: Customer }) {
  const { kind, places, place_count: count } = customer
  return (
    <Card
      title={kind === 'user' ? 'Organizations' : 'Members'}
      aside={<span className="figures text-muted text-xs">{String(count)}</span>}
    >
      {places.length === 0 ? (
        <p className="text-muted text-sm">{kind === 'user' ? 'Not a member of any organization.' : 'No members.'}</p>
      ) : (
        <ul className="flex max-h-80 flex-col gap-2 overflow-y-auto text-sm">
          {places.map((place) => (
            <li key={place.id} className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 truncate">
                <CustomerLink customer={place} />
              </span>
              {place.suspended ? <Badge tone="warn">Suspended</Badge> : null}
              <span className="text-muted text-xs">{roleLabel(place.role)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
