import type { Provider } from '../../../api/supply.ts'
import { Badge } from '../../../ui/badge.tsx'

/** Whether requests go to an account. */
export function ProviderState({ of: { enabled, health } }: { readonly of: Pick<Provider, 'enabled' | 'health'> }) {
  if (!enabled) return <Badge>Disabled</Badge>
  return health.state === 'failing' ? <Badge tone="bad">Failing</Badge> : <Badge tone="good">OK</Badge>
}
