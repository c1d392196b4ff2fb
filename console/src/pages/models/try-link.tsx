import { Link } from '@tanstack/react-router'
import { modelKindOf } from '../../api/inference-call.ts'
import type { Model } from '../../api/models.ts'

/** Opens the playground with the model. Unavailable models and output types without a playground have none. */
export function TryLink({ model: { id, name, available, architecture } }: { readonly model: Model }) {
  const kind = modelKindOf(architecture.output_modalities)
  if (!available || kind === undefined) return null
  return (
    <Link
      to="/playground"
      search={{ models: id, ...(kind === 'chat' ? {} : { kind }) }}
      aria-label={`Try ${name} in the playground`}
      className="rounded text-accent-strong text-sm hover:underline"
    >
      Try
    </Link>
  )
}
