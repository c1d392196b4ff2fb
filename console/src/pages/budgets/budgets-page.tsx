import { useQuery, useQueryClient } from '@tanstack/react-query'
import { optionalAmountBody } from '../../api/amount-body.ts'
import { layerBreakerQuery } from '../../api/layers.ts'
import { changeOrganization, type Organization, organizationQuery } from '../../api/organization.ts'
import { BacktestNote } from '../../app/backtest-note.tsx'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { plural } from '../../lib/plural.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type AppliedBudget, appliedBudget } from './binding-limit.ts'
import { BreakerSection } from './breaker-section.tsx'
import { breakerInWords } from './breaker-words.ts'
import { ScopeRow } from './scope-row.tsx'
import { TeamScopes } from './team-scopes.tsx'

/** Budgets and spend breakers as nested scopes: the organization, its teams, their members. */
export function BudgetsPage() {
  const wallet = useOrganization()
  const orgId = wallet.organizationId
  const seesWhole = mayAct(wallet, 'organization.read')
  const organization = useQuery({ ...organizationQuery(orgId), enabled: seesWhole })
  return (
    <Page
      title="Budgets"
      description="A request needs room in every budget above it: of the member, the team, and the organization. Holds count until the request ends."
    >
      {organization.error === null ? null : (
        <ErrorNote error={organization.error} onRetry={() => void organization.refetch()} />
      )}
      <div className="flex flex-col gap-4">
        <section aria-label="Budgets" className="overflow-hidden rounded-lg border border-line bg-surface">
          <Head />
          {seesWhole ? (
            organization.data === undefined ? (
              <Skeleton className="m-4 h-16" />
            ) : (
              <OrganizationScope of={organization.data} />
            )
          ) : null}
          {mayAct(wallet, 'teams.read') && (!seesWhole || organization.data !== undefined) ? (
            <TeamScopes wider={organization.data === undefined ? [] : appliedOf(organization.data)} />
          ) : null}
        </section>
        {mayAct(wallet, 'breaker.organization') ? (
          <Card>
            <BreakerSection layer={{ kind: 'organization', orgId }} mayChange />
            <p className="mt-3 text-muted text-xs">
              Rejects requests once all keys of {wallet.name} together spend too fast. Teams and members inherit it.
            </p>
          </Card>
        ) : null}
      </div>
    </Page>
  )
}

function Head() {
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,1.3fr)_minmax(0,1.7fr)] gap-x-6 border-line border-b px-4 py-2.5 font-medium text-muted text-xs max-lg:hidden">
      <span className="pl-7">Scope</span>
      <span>Spent and held</span>
      <span>Spend breaker</span>
      <span>Runs out first</span>
    </div>
  )
}

function appliedOf(organization: Organization): readonly AppliedBudget[] {
  return [
    ...appliedBudget('monthly budget of the organization', {
      budget: organization.monthlyBudget,
      spent: organization.spendThisMonth,
      held: organization.heldThisMonth,
    }),
    ...appliedBudget('weekly budget of the organization', {
      budget: organization.weeklyBudget,
      spent: organization.spendThisWeek,
      held: organization.heldThisWeek,
    }),
  ]
}

function OrganizationScope({ of: organization }: { readonly of: Organization }) {
  const wallet = useOrganization()
  const orgId = wallet.organizationId
  const client = useQueryClient()
  const mayChange = mayAct(wallet, 'organization.change')
  const breaker = useQuery({
    ...layerBreakerQuery({ kind: 'organization', orgId }),
    enabled: mayAct(wallet, 'breaker.organization'),
  })
  const layer = { kind: 'organization', orgId } as const
  const save = (field: 'weeklyBudget' | 'monthlyBudget') =>
    mayChange
      ? async (text: string) => {
          const changed = await changeOrganization(orgId, { [field]: optionalAmountBody(text) })
          client.setQueryData(organizationQuery(orgId).queryKey, changed)
        }
      : undefined
  return (
    <ScopeRow
      name={organization.name}
      depth={0}
      label={
        <>
          <span className="block truncate font-semibold">{organization.name}</span>
          <span className="block text-muted text-xs">
            {plural(Number(organization.teamCount), 'team')}, {plural(Number(organization.memberCount), 'member')}
          </span>
        </>
      }
      budgets={[
        {
          period: 'Weekly',
          budget: organization.weeklyBudget,
          spent: organization.spendThisWeek,
          held: organization.heldThisWeek,
          onSave: save('weeklyBudget'),
          preview: (text) => <BacktestNote layer={layer} draft={{ weeklyBudget: text }} />,
        },
        {
          period: 'Monthly',
          budget: organization.monthlyBudget,
          spent: organization.spendThisMonth,
          held: organization.heldThisMonth,
          onSave: save('monthlyBudget'),
          preview: (text) => <BacktestNote layer={layer} draft={{ monthlyBudget: text }} />,
        },
      ]}
      breaker={breaker.data === undefined ? '' : breakerInWords(breaker.data.settings).replace('Inherited', 'Default')}
      applied={appliedOf(organization)}
    />
  )
}
