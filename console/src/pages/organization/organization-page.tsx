import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { changeOrganization, type Organization, organizationQuery } from '../../api/organization.ts'
import { organizationsQuery, useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ShareBar } from '../../ui/share-bar.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { CacheCard } from './cache-card.tsx'
import { DefaultsCard } from './defaults-card.tsx'

/** The name of an organization, and the terms that its operator sets. */
export function OrganizationPage() {
  const { organizationId } = useOrganization()
  const organization = useQuery(organizationQuery(organizationId))
  return (
    <Page
      title="Organization settings"
      description="Name, seats, billing terms, response cache, and defaults for new members."
    >
      {organization.error === null ? null : (
        <ErrorNote error={organization.error} onRetry={() => void organization.refetch()} />
      )}
      {organization.data === undefined ? (
        organization.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <NameCard key={organizationId} of={organization.data} />
          <TermsCard of={organization.data} />
          <CacheCard key={`cache ${organizationId}`} of={organization.data} />
          <DefaultsCard key={`defaults ${organizationId}`} of={organization.data} />
        </div>
      )}
    </Page>
  )
}

function NameCard({ of: organization }: { readonly of: Organization }) {
  const wallet = useOrganization()
  const client = useQueryClient()
  const router = useRouter()
  const form = useForm<{ name: string }>({ defaultValues: { name: organization.name } })
  const change = useMutation({
    mutationFn: ({ name }: { name: string }) => changeOrganization(wallet.organizationId, { name: name.trim() }),
    onSuccess: async (changed) => {
      client.setQueryData(organizationQuery(wallet.organizationId).queryKey, changed)
      toast('Organization renamed.')
      // The name of the workspace comes from the list, which the routes read.
      await client.invalidateQueries({ queryKey: organizationsQuery.queryKey })
      await client.fetchQuery({ ...organizationsQuery, staleTime: 0 })
      await router.invalidate()
    },
  })
  const submit = form.handleSubmit((fields) => change.mutate(fields))
  const mayChange = mayAct(wallet, 'organization.change')
  return (
    <Card title="Name">
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <TextField
          label="Name"
          maxLength={100}
          disabled={!mayChange}
          error={form.formState.errors.name?.message}
          {...form.register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
        />
        <Facts
          facts={[
            ['Slug', <Copied text={organization.slug} label="Copy slug" />],
            ['Created', <Time iso={organization.createdAt} />],
          ]}
        />
        <div>
          <div className="text-muted text-xs">Organization ID</div>
          <Copied text={organization.id} label="Copy organization ID" />
        </div>
        {mayChange ? (
          <Button kind="primary" type="submit" className="self-end" isBusy={change.isPending}>
            Save changes
          </Button>
        ) : null}
      </form>
    </Card>
  )
}

function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 break-all font-mono text-xs">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}

const billingWords = { prepaid: 'Prepaid credit', monthly: 'Monthly invoice' } as const

function TermsCard({ of: organization }: { readonly of: Organization }) {
  const { seats, billingMode } = organization
  const [used, total] = [Number(seats.used), seats.total === null ? null : Number(seats.total)]
  const percent = total === null || total === 0 ? 100 : Math.floor((used * 100) / total)
  return (
    <Card title="Terms" description="The operator of this installation sets plan, seats, billing, and credit line.">
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            ['Plan', organization.plan],
            ['Billing', billingWords[billingMode]],
            ['Credit line', billingMode === 'prepaid' ? 'None' : <Money usd={organization.creditLine} short />],
            ['Weekly budget', <Budget usd={organization.weeklyBudget} />],
            ['Monthly budget', <Budget usd={organization.monthlyBudget} />],
            ['Teams', Number(organization.teamCount).toLocaleString('en')],
          ]}
        />
        <div className="text-sm">
          <div className="mb-1">
            {total === null ? `${plural(used, 'seat')} used, no limit` : `${used} of ${plural(total, 'seat')} used`}
          </div>
          {total === null ? null : <ShareBar percent={percent} label={`Seats: ${percent}% used`} />}
        </div>
        <p className="text-muted text-sm">
          Change budgets on the{' '}
          <Link to="/budgets" className="text-accent-strong underline">
            budgets page
          </Link>
          .
        </p>
      </div>
    </Card>
  )
}

function Budget({ usd }: { readonly usd: Organization['weeklyBudget'] }) {
  return usd === null ? 'None' : <Money usd={usd} short />
}
