import { Link } from '@tanstack/react-router'
import type { Customer } from '../../../api/customers.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Money } from '../../../ui/money.tsx'
import { Card } from '../../../ui/page.tsx'

type Key = Customer['keys'][number]

/** The keys of a customer, by the shown part of their secret. */
export function KeysCard({ customer: { keys, key_count: count } }: { readonly customer: Customer }) {
  const seesRequests = useMayOperate()('operators.requests')
  return (
    <Card title="API keys" aside={<span className="figures text-muted text-xs">{String(count)}</span>}>
      {keys.length === 0 ? (
        <p className="text-muted text-sm">No keys yet.</p>
      ) : (
        <ul className="flex max-h-80 flex-col gap-2 overflow-y-auto text-sm">
          {keys.map((key) => (
            <li key={key.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              {seesRequests ? (
                <Link
                  to="/operator/requests"
                  search={{ key: key.id }}
                  className="font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
                >
                  {key.shown}
                </Link>
              ) : (
                <span className="font-mono text-xs">{key.shown}</span>
              )}
              <span className="min-w-0 flex-1 truncate">{key.name}</span>
              {key.limit === null ? null : (
                <span className="text-muted text-xs">
                  limit <Money usd={key.limit} />
                </span>
              )}
              <KeyState apiKey={key} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function KeyState({ apiKey }: { readonly apiKey: Key }) {
  if (apiKey.revoked_at !== null) return <Badge>Deleted</Badge>
  return apiKey.enabled ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Disabled</Badge>
}
