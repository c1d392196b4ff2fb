import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { explanationQuery, type RouteExplanation } from '../../../api/supply.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const route = getRouteApi('/app/operator/routes')

/** Why a request would go where it goes. The question is in the URL. */
export function ExplanationCard() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const form = useForm({ defaultValues: { model: search.model ?? '', customer: search.customer ?? '' } })
  const submit = form.handleSubmit(({ model, customer }) =>
    navigate({
      search: {
        model: model.trim(),
        ...(customer.trim() === '' ? {} : { customer: customer.trim() }),
      },
    }),
  )
  return (
    <Card
      title="Where would this request go?"
      description="The accounts that a request without routing preferences tries, in order, and why."
    >
      <form className="flex flex-wrap items-start gap-3" onSubmit={(event) => void submit(event)} noValidate>
        <div className="min-w-0 flex-1 basis-52">
          <TextField
            label="Model"
            placeholder="openai/gpt-5.2"
            className="font-mono"
            autoComplete="off"
            error={form.formState.errors.model?.message}
            {...form.register('model', { required: 'Enter a model.' })}
          />
        </div>
        <div className="min-w-0 flex-1 basis-52">
          <TextField
            label="Customer (optional)"
            placeholder="Email, slug, or ID"
            autoComplete="off"
            {...form.register('customer')}
          />
        </div>
        <Button type="submit" kind="primary" className="mt-6">
          Explain
        </Button>
      </form>
      {search.model === undefined ? null : <Answer model={search.model} customer={search.customer} />}
    </Card>
  )
}

function Answer({ model, customer }: { readonly model: string; readonly customer: string | undefined }) {
  const explanation = useQuery(explanationQuery(model, customer))
  if (explanation.error !== null) {
    return (
      <div className="mt-4">
        <ErrorNote error={explanation.error} />
      </div>
    )
  }
  if (explanation.data === undefined) return <Skeleton className="mt-4 h-24 w-full" />
  return <Explained explanation={explanation.data} />
}

const verdicts = {
  first: { label: 'First', tone: 'good' },
  fallback: { label: 'Fallback', tone: 'neutral' },
  skipped: { label: 'Skipped', tone: 'warn' },
} as const

function Explained({ explanation: { model, refusal, accounts } }: { readonly explanation: RouteExplanation }) {
  const isServed = accounts.some(({ verdict }) => verdict !== 'skipped')
  return (
    <div className="mt-4 flex flex-col gap-3 text-sm">
      <p>
        <code className="font-mono text-xs">{model}</code>
        {refusal === null ? null : <> is rejected: {refusal}</>}
        {refusal === null && !isServed ? <> is served by no account. Requests get 503.</> : null}
      </p>
      <ol className="flex flex-col gap-3 empty:hidden">
        {accounts.map(({ account, provider, upstream_model: upstream, own_key: isOwn, verdict, reason }) => (
          <li key={`${account} ${isOwn}`} data-verdict={verdict} data-account={account} className="flex gap-3">
            <span className="w-20 shrink-0">
              <Badge tone={verdicts[verdict].tone}>{verdicts[verdict].label}</Badge>
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-3">
                {isOwn ? (
                  <span className="font-medium">{account}</span>
                ) : (
                  <Link
                    to="/operator/providers/$accountName"
                    params={{ accountName: account }}
                    className="font-medium underline decoration-line-strong underline-offset-4 hover:decoration-accent"
                  >
                    {account}
                  </Link>
                )}
                {isOwn ? <Badge>Own key</Badge> : <span className="text-muted">{provider}</span>}
                {upstream === null ? null : <code className="font-mono text-muted text-xs">{upstream}</code>}
              </p>
              <p className="break-words text-muted">{reason}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
