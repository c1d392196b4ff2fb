import { Link } from '@tanstack/react-router'
import type { Organization } from '../../api/organization.ts'
import type { Usage } from '../../api/usage.ts'
import { forecastMonth } from '../../lib/month-forecast.ts'
import { type Nano, toNano } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { monthName, utcMonth } from '../../lib/utc-days.ts'
import { Badge } from '../../ui/badge.tsx'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

interface MonthCardProps {
  readonly organization: Organization | undefined
  /** Of the current month. */
  readonly usage: Usage | undefined
  readonly nowMs: number
}

/** The spend of the month against the budgets, and the forecast to its end. */
export function MonthCard({ organization, usage, nowMs }: MonthCardProps) {
  return (
    <Card
      title={`Spend in ${monthName(utcMonth(nowMs))}`}
      aside={
        <Link to="/budgets" className="text-accent-strong text-sm hover:underline">
          View budgets
        </Link>
      }
    >
      {organization === undefined || usage === undefined ? (
        <Skeleton className="h-16 w-full" />
      ) : (
        <Figures organization={organization} usage={usage} nowMs={nowMs} />
      )}
    </Card>
  )
}

function Figures({
  organization,
  usage,
  nowMs,
}: { [Name in keyof MonthCardProps]-?: NonNullable<MonthCardProps[Name]> }) {
  const forecast = forecastMonth(spentByDay(usage), nowMs)
  const budget = organization.monthlyBudget === null ? null : toNano(organization.monthlyBudget)
  return (
    <>
      <Facts
        facts={[
          [
            organization.monthlyBudget === null ? 'This month, no budget' : 'This month',
            <BudgetFigures
              label="Monthly budget"
              spent={organization.spendThisMonth}
              held={organization.heldThisMonth}
              budget={organization.monthlyBudget}
            />,
          ],
          [
            organization.weeklyBudget === null ? 'This week, no budget' : 'This week',
            <BudgetFigures
              label="Weekly budget"
              spent={organization.spendThisWeek}
              held={organization.heldThisWeek}
              budget={organization.weeklyBudget}
            />,
          ],
          [
            'Forecast for the whole month',
            forecast === null ? (
              <span className="text-muted">Available from the second day</span>
            ) : (
              <span data-forecast className="flex flex-wrap items-center gap-x-2">
                <Money nano={forecast.total} short className="font-medium" />
                {budget === null ? null : <Outlook total={forecast.total} budget={budget} />}
              </span>
            ),
          ],
        ]}
      />
      {forecast === null ? null : (
        <p className="mt-3 text-muted text-xs">
          Forecast: spent so far, plus the daily average of the last {plural(forecast.days, 'complete day')} for the
          rest of the month (UTC).
        </p>
      )}
    </>
  )
}

function Outlook({ total, budget }: { readonly total: Nano; readonly budget: Nano }) {
  if (total <= budget) return <Badge tone="good">Within the budget</Badge>
  return (
    <Badge tone="warn">
      <Money nano={total - budget} short /> over the budget
    </Badge>
  )
}

function spentByDay(usage: Usage): ReadonlyMap<string, Nano> {
  const days = new Map<string, Nano>()
  for (const { date, cost } of usage.timeSeries) days.set(date, (days.get(date) ?? 0n) + toNano(cost))
  return days
}
