import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { modelKindOf } from '../../api/inference-call.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { HowToCall } from './how-to-call.tsx'
import { ModelFacts } from './model-facts.tsx'
import { ModelPrices } from './model-prices.tsx'
import { ModelProviders } from './model-providers.tsx'
import { ModelWhatIf } from './model-what-if.tsx'
import { type Model, modelsQuery } from '../../api/models.ts'

/** One model: capabilities, prices, providers, and how to call it. */
export function ModelPage() {
  const { author, name } = useParams({ from: '/app/models/$author/$name' })
  const id = `${author}/${name}`
  const models = useQuery(modelsQuery)
  const model = models.data?.data.find((other) => other.id === id)
  if (models.error !== null) {
    return (
      <Page title={id}>
        <ErrorNote error={models.error} onRetry={() => void models.refetch()} />
      </Page>
    )
  }
  if (models.data !== undefined && model === undefined) {
    return (
      <Page title={id}>
        <EmptyState
          title="Model not found"
          action={
            <Link to="/models" className={buttonClass('primary')}>
              View all models
            </Link>
          }
        >
          It may have been retired, or your organization doesn't allow it.
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page title={model?.name ?? id} description={<Id id={id} />} actions={<Actions id={id} model={model} />}>
      {model === undefined ? (
        <div className="grid gap-4 lg:grid-cols-2">
          <Skeleton className="h-72 w-full" />
          <Skeleton className="h-72 w-full" />
        </div>
      ) : (
        <Sections model={model} />
      )}
    </Page>
  )
}

function Id({ id }: { readonly id: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-xs">{id}</code>
      <CopyButton text={id} label="Copy model ID" />
    </span>
  )
}

function Actions({ id, model }: { readonly id: string; readonly model: Model | undefined }) {
  const kind = model?.available === true ? modelKindOf(model.architecture.output_modalities) : undefined
  return (
    <>
      <Link to="/models" search={{ compare: id }} className={buttonClass()}>
        Compare
      </Link>
      {kind !== undefined ? (
        <Link
          to="/playground"
          search={{ models: id, ...(kind === 'chat' ? {} : { kind }) }}
          className={buttonClass('primary')}
        >
          Open in playground
        </Link>
      ) : null}
    </>
  )
}

function Sections({ model }: { readonly model: Model }) {
  return (
    <div className="flex flex-col gap-4">
      {model.description === null ? null : <p className="max-w-3xl text-sm">{model.description}</p>}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ModelFacts model={model} />
        <ModelPrices model={model} />
      </div>
      <ModelWhatIf model={model} />
      <ModelProviders id={model.id} />
      <Card title="Code examples">
        <HowToCall model={model} />
      </Card>
    </div>
  )
}
