import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allowedModelsQuery, type Layer } from '../../api/layers.ts'
import { modelsQuery } from '../../api/models.ts'
import { plural } from '../../lib/plural.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Section } from '../../ui/facts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { judgeLayers } from './judge-layers.ts'

/** How many models a team or member may call, with a link to the page that says why. */
export function AllowedModelsSummary({ layer }: { readonly layer: Exclude<Layer, { kind: 'organization' }> }) {
  const allowed = useQuery(allowedModelsQuery(layer))
  const models = useQuery(modelsQuery)
  return (
    <Section
      title="Allowed models"
      aside={
        <Link
          to="/allowed-models"
          search={layer.kind === 'team' ? { team: layer.id } : { member: layer.id }}
          className="text-accent-strong text-sm hover:underline"
        >
          View allowed models
        </Link>
      }
    >
      {allowed.error === null ? null : <ErrorNote error={allowed.error} onRetry={() => void allowed.refetch()} />}
      {allowed.data === undefined || models.data === undefined ? (
        allowed.error === null ? (
          <Skeleton className="h-5 w-48" />
        ) : null
      ) : (
        <p className="text-sm">
          {allowed.data.resolvedAllowedModels === null
            ? 'All models.'
            : `${countAllowed(allowed.data.layers, models.data.data)} of ${plural(models.data.data.length, 'model')}.`}{' '}
          <span className="text-muted">
            {allowed.data.allowedModels.length === 0
              ? `No list of the ${layer.kind}'s own.`
              : `Own list: ${allowed.data.allowedModels.join(', ')}`}
          </span>
        </p>
      )}
    </Section>
  )
}

function countAllowed(layers: Parameters<typeof judgeLayers>[0], models: readonly { readonly id: string }[]): number {
  return models.filter(({ id }) => judgeLayers(layers, id).isAllowed).length
}
