import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type QuotedPrice, type SoldModel, soldModelQuery } from '../../../api/supply.ts'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { quotedWords, stateWords } from './quoted-words.ts'

const route = getRouteApi('/app/operator/catalogue/model')

/** One model: who sells it at which price, what the operator pays, and every price it ever had. */
export function SoldModelPage() {
  const { model: id } = route.useSearch()
  const model = useQuery(soldModelQuery(id))
  if (model.data !== undefined) return <Shown model={model.data} />
  return (
    <Page title={id}>
      {model.error === null ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <ErrorNote error={model.error} onRetry={() => void model.refetch()} />
      )}
    </Page>
  )
}

function Shown({ model }: { readonly model: SoldModel }) {
  const { id, name, kind, state, priced } = model
  return (
    <Page
      title={id}
      description={
        <span className="inline-flex flex-wrap items-center gap-2">
          <Badge tone={state === 'listed' ? 'good' : 'neutral'}>{stateWords[state]}</Badge>
          {priced ? null : <Badge tone="warn">No price</Badge>}
          {name}, {kind}
        </span>
      }
      actions={
        <>
          <Link to="/operator/audit-log" search={{ target: id, action: 'catalogue.' }} className={buttonClass()}>
            Who changed this?
          </Link>
          <Link to="/operator/routes" search={{ model: id }} className={buttonClass()}>
            Where would a request go?
          </Link>
        </>
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <OffersCard model={model} />
        <HistoryCard model={model} />
      </div>
    </Page>
  )
}

function OffersCard({ model: { offers, default_provider: usual } }: { readonly model: SoldModel }) {
  return (
    <Card title="Providers" description="Prices to customers, and what the platform pays.">
      {offers.length === 0 ? <p className="text-muted text-sm">No provider sells it.</p> : null}
      <ul className="flex flex-col gap-4 text-sm">
        {offers.map(({ provider, variant, upstream_model: upstream, prices, purchase, accounts }) => (
          <li key={`${provider} ${variant}`} className="border-line border-b pb-4 last:border-b-0 last:pb-0">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium">{variant === '' ? provider : `${provider}/${variant}`}</span>
              {provider === usual && variant === '' ? <Badge>Default</Badge> : null}
              <code className="font-mono text-muted text-xs">{upstream}</code>
            </p>
            <Prices label="Price" prices={prices} none="No price: requests are rejected." />
            <Prices label="Purchase price" prices={purchase ?? []} none="The list price." />
            <p className="mt-2 text-muted text-xs">
              {accounts.length === 0
                ? 'No account uses this offer.'
                : `Accounts: ${accounts.map(accountWords).join(', ')}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function accountWords({
  name,
  enabled,
  discount_percent: discount,
}: SoldModel['offers'][number]['accounts'][number]): string {
  const notes = [...(enabled ? [] : ['disabled']), ...(String(discount) === '0' ? [] : [`${discount} % discount`])]
  return notes.length === 0 ? name : `${name} (${notes.join(', ')})`
}

function Prices({
  label,
  prices,
  none,
}: {
  readonly label: string
  readonly prices: readonly QuotedPrice[]
  readonly none: string
}) {
  return (
    <dl className="mt-2 flex gap-3">
      <dt className="w-28 shrink-0 text-muted">{label}</dt>
      <dd className="figures min-w-0 flex-1">
        {prices.length === 0 ? (
          <span className="text-muted">{none}</span>
        ) : (
          prices.map((price) => <div key={`${price.unit} ${price.when}`}>{quotedWords(price)}</div>)
        )}
      </dd>
    </dl>
  )
}

function HistoryCard({ model: { history } }: { readonly model: SoldModel }) {
  return (
    <Card title="Price history" description="In USD per million tokens, newest first for each provider.">
      {history.length === 0 ? <p className="text-muted text-sm">It has never had a price.</p> : null}
      <ol className="flex flex-col gap-3 text-sm">
        {history.map(({ provider, variant, from, prices }) => (
          <li key={`${provider} ${variant} ${from}`} className="border-line border-b pb-3 last:border-b-0 last:pb-0">
            <p className="flex flex-wrap justify-between gap-x-3">
              <span className="font-medium">{variant === '' ? provider : `${provider}/${variant}`}</span>
              <span className="text-muted">
                since <Time iso={from} absolute />
              </span>
            </p>
            <div className="figures mt-1">{prices.length === 0 ? 'Withdrawn' : prices.map(quotedWords).join(', ')}</div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
