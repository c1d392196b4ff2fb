import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { failuresQuery, type Provider, providersQuery } from '../../../api/supply.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { plural } from '../../../lib/plural.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { EnableProviderDialog, ProviderTermsDialog, ReplaceKeyDialog } from './provider-dialogs.tsx'
import { ProviderState } from './provider-state.tsx'
import { TraitsCard } from './traits-card.tsx'

/** One account with a provider: its circuits, its last failures, its settings and its overrides. */
export function ProviderPage() {
  const { accountName } = useParams({ from: '/app/operator/providers/$accountName' })
  const providers = useQuery(providersQuery)
  const provider = providers.data?.find(({ name }) => name === accountName)
  if (provider !== undefined) return <Shown provider={provider} />
  return (
    <Page title="Provider account">
      {providers.error !== null ? (
        <ErrorNote error={providers.error} onRetry={() => void providers.refetch()} />
      ) : providers.data === undefined ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <EmptyState title="Account not found">No provider account is named {accountName}.</EmptyState>
      )}
    </Page>
  )
}

function Shown({ provider }: { readonly provider: Provider }) {
  const mayChange = useMayOperate()('operators.providers')
  const [dialog, setDialog] = useState<'key' | 'terms' | 'enable' | null>(null)
  const onClose = () => setDialog(null)
  const { name, vendor, enabled } = provider
  return (
    <Page
      title={name}
      description={
        <span className="inline-flex flex-wrap items-center gap-2">
          <ProviderState of={provider} />
          {vendor}
        </span>
      }
      actions={
        mayChange ? (
          <>
            <Button onClick={() => setDialog('key')}>Replace key…</Button>
            <Button onClick={() => setDialog('terms')}>Edit…</Button>
            <Button kind={enabled ? 'danger' : 'plain'} onClick={() => setDialog('enable')}>
              {enabled ? 'Disable…' : 'Enable…'}
            </Button>
          </>
        ) : null
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <CircuitsCard provider={provider} />
        <SettingsCard provider={provider} />
        <FailuresCard name={name} />
        <TraitsCard provider={provider} />
      </div>
      {dialog === 'key' ? <ReplaceKeyDialog provider={provider} onClose={onClose} /> : null}
      {dialog === 'terms' ? <ProviderTermsDialog provider={provider} onClose={onClose} /> : null}
      {dialog === 'enable' ? <EnableProviderDialog provider={provider} onClose={onClose} /> : null}
    </Page>
  )
}

function CircuitsCard({ provider: { health, name } }: { readonly provider: Provider }) {
  const { state, since = null, reason, models = [], gateways = 0 } = health
  return (
    <Card title="Circuits" description="A gateway that sees repeated failures stops sending requests for a while.">
      {state === 'ok' ? (
        <p className="text-sm">All circuits are closed.</p>
      ) : (
        <div className="flex flex-col gap-1 text-sm">
          <p>
            Open since <Time iso={since} absolute /> on {plural(Number(gateways), 'gateway')}: {reason}
          </p>
          <p className="break-words text-muted">{models.join(', ')}</p>
          <p className="text-muted text-xs">
            Test it with <code className="font-mono">weir provider test {name}</code>.
          </p>
        </div>
      )}
    </Card>
  )
}

function SettingsCard({ provider }: { readonly provider: Provider }) {
  const { baseUrl, hasKey, weight, discountPercent, keepsPrompts, variant, api } = provider
  return (
    <Card title="Settings">
      <Facts
        facts={[
          ['Base URL', baseUrl ?? "The provider's own"],
          ['Key', hasKey ? 'Stored, encrypted' : 'None'],
          ['Weight', String(weight)],
          ['Discount', `${discountPercent} %`],
          ['Prompts', keepsPrompts === null ? "By the provider's policy" : keepsPrompts ? 'Stored' : 'Not stored'],
          ['Region or tier', variant === '' ? 'From the base URL' : variant],
          ['Conversation API', api ?? 'Set by the catalog'],
        ]}
      />
    </Card>
  )
}

function FailuresCard({ name }: { readonly name: string }) {
  const failures = useQuery(failuresQuery(name))
  const seesRequests = useMayOperate()('operators.requests')
  return (
    <Card title="Recent failures" description="In the provider's own words, from requests of the last day.">
      {failures.error !== null ? (
        <ErrorNote error={failures.error} onRetry={() => void failures.refetch()} />
      ) : failures.data === undefined ? (
        <Skeleton className="h-24 w-full" />
      ) : failures.data.length === 0 ? (
        <p className="text-muted text-sm">No recent request failed on this account.</p>
      ) : (
        <ul className="flex flex-col gap-3 text-sm">
          {failures.data.map(({ id, received_at: at, model, outcome, status, said }, index) => (
            <li key={`${id} ${index}`} className="border-line border-b pb-3 last:border-b-0 last:pb-0">
              <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                {seesRequests ? (
                  <Link
                    to="/operator/requests/$requestId"
                    params={{ requestId: id }}
                    className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
                  >
                    <Time iso={at} />
                  </Link>
                ) : (
                  <Time iso={at} />
                )}
                <span>{status === null ? outcome : `${outcome} (${status})`}</span>
                <span className="text-muted">{model}</span>
              </p>
              {said === null ? null : <p className="mt-1 break-words font-mono text-muted text-xs">{said}</p>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
