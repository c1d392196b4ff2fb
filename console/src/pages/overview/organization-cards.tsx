import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { modelPath } from '../../api/models.ts'
import { organizationQuery } from '../../api/organization.ts'
import { type Usage, usageQuery } from '../../api/usage.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { dayMs, monthBounds, startOfUtcDay, utcMonth } from '../../lib/utc-days.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { IdlePeople } from './idle-people.tsx'
import { MonthCard } from './month-card.tsx'
import { RefusalCard } from './refusal-card.tsx'
import { TopList } from './top-list.tsx'

/** What an organization spends this month: against its budgets, on which models, by whom, and who spends nothing. */
export function OrganizationCards() {
  const wallet = useOrganization()
  const [nowMs] = useState(() => Date.now())
  const organization = useQuery(organizationQuery(wallet.organizationId))
  const range = { fromMs: monthBounds(utcMonth(nowMs)).fromMs, toMs: startOfUtcDay(nowMs) + dayMs }
  const usage = useQuery(usageQuery(wallet, range, 'day'))
  const error = organization.error ?? usage.error
  if (error !== null) {
    const retry = () => void Promise.all([organization.refetch(), usage.refetch()])
    return <ErrorNote error={error} onRetry={retry} />
  }
  const { data } = usage
  const total = data?.totals.spend
  return (
    <>
      <MonthCard organization={organization.data} usage={data} nowMs={nowMs} />
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <TopList
          title="Top models this month"
          empty="No spend yet this month."
          entries={data === undefined ? undefined : modelEntries(data)}
          total={total}
        />
        {mayAct(wallet, 'reports.members') ? (
          <>
            <TopList
              title="Top people this month"
              empty="No spend yet this month."
              entries={data === undefined ? undefined : personEntries(data)}
              total={total}
            />
            <IdlePeople />
          </>
        ) : (
          <TopList
            title="Top teams this month"
            empty="No spend yet this month."
            entries={data === undefined ? undefined : teamEntries(data)}
            total={total}
          />
        )}
      </div>
      <RefusalCard />
    </>
  )
}

function modelEntries({ byModel }: Usage) {
  return byModel.map(({ model, spend }) => ({
    id: model,
    name: model,
    spend,
    label: (
      <Link to="/models/$author/$name" params={modelPath(model)} className="rounded font-mono text-xs hover:underline">
        {model}
      </Link>
    ),
  }))
}

/** A person who has left has no page any more, but a link to one says so. */
function personEntries({ byMember = [] }: Usage) {
  return byMember.map(({ memberId, name, email, spend }) => {
    const words = memberId === null ? 'Shared keys' : (name ?? email ?? 'Former member')
    return {
      id: memberId ?? 'shared',
      name: words,
      spend,
      label:
        memberId === null ? (
          words
        ) : (
          <Link to="/members/$memberId" params={{ memberId }} className="rounded hover:underline">
            {words}
          </Link>
        ),
    }
  })
}

function teamEntries({ byTeam = [] }: Usage) {
  return byTeam.map(({ teamId, teamName, spend }) => {
    const words = teamName ?? (teamId === null ? 'Without a team' : 'Deleted team')
    return { id: teamId ?? 'none', name: words, spend, label: words }
  })
}
