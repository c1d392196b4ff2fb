import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { allowedModelsQuery, type Layer } from '../../api/layers.ts'
import { modelsQuery } from '../../api/models.ts'
import { teamsQuery } from '../../api/teams.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LayerChoice } from './layer-choice.tsx'
import { LayerEditor } from './layer-editor.tsx'

const route = getRouteApi('/app/allowed-models')

/** The allowed models of an organization, a team or a member, and the result of all layers. */
export function AllowedModelsPage() {
  const { layer, isReady } = useLayer()
  return (
    <Page
      title="Allowed models"
      description="A request needs the model in the list of the organization, the team, and the member. An empty list allows every model."
    >
      <div className="flex flex-col gap-4">
        <LayerChoice layer={layer} />
        {layer !== undefined ? (
          <LayerView key={JSON.stringify(layer)} layer={layer} />
        ) : isReady ? (
          <EmptyState title="No team">Allowed models are shown for your team once you have one.</EmptyState>
        ) : (
          <Skeleton className="h-64 w-full" />
        )}
      </div>
    </Page>
  )
}

/** A team admin starts with the own team, because the list of the organization is not theirs to see. */
function useLayer(): { readonly layer: Layer | undefined; readonly isReady: boolean } {
  const { team, member } = route.useSearch()
  const organization = useOrganization()
  const orgId = organization.organizationId
  const isWhole = mayAct(organization, 'allowedModels.organization')
  const own = useQuery({ ...teamsQuery(orgId), enabled: !isWhole })
  if (member !== undefined) return { layer: { kind: 'member', orgId, id: member }, isReady: true }
  if (team !== undefined) return { layer: { kind: 'team', orgId, id: team }, isReady: true }
  if (isWhole) return { layer: { kind: 'organization', orgId }, isReady: true }
  const id = own.data?.[0]?.id
  return { layer: id === undefined ? undefined : { kind: 'team', orgId, id }, isReady: own.data !== undefined }
}

function LayerView({ layer }: { readonly layer: Layer }) {
  const allowed = useQuery(allowedModelsQuery(layer))
  const models = useQuery(modelsQuery)
  const error = allowed.error ?? models.error
  if (error !== null) {
    const retry = () => void Promise.all([allowed.refetch(), models.refetch()])
    return <ErrorNote error={error} onRetry={retry} />
  }
  if (allowed.data === undefined || models.data === undefined) return <Skeleton className="h-64 w-full" />
  return <LayerEditor layer={layer} allowed={allowed.data} models={models.data.data} />
}
