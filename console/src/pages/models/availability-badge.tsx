import { Badge } from '../../ui/badge.tsx'
import type { Model } from '../../api/models.ts'

/** Whether a model can be called now, and the reason if not. */
export function AvailabilityBadge({ model }: { readonly model: Pick<Model, 'available' | 'priced' | 'status'> }) {
  if (!model.priced) return <Badge>No price</Badge>
  if (!model.available) return <Badge>Unavailable</Badge>
  return model.status === 'end-of-life' ? (
    <Badge tone="warn">Retiring soon</Badge>
  ) : (
    <Badge tone="good">Available</Badge>
  )
}
