import { Type } from 'typebox'
import { optionalText, usd } from '../schema-types.ts'
import { reportViews } from './parse-report-query.ts'

const year = Type.String({ description: 'Calendar year, 2000 or later.' })
const month = Type.String({ description: 'Calendar month in UTC, from 1 to 12.' })
const optionalNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

export const monthQuerySchema = Type.Object({ year, month })
/** Defaults to the current month. */
export const optionalMonthQuerySchema = Type.Object({ year: Type.Optional(year), month: Type.Optional(month) })
export const reportExportQuerySchema = Type.Object({ year, month, view: Type.Enum([...reportViews]) })

const sums = {
  spend: usd('Amount charged'),
  requests: Type.Integer(),
  tokens: Type.Integer({ description: 'Total prompt and completion tokens.' }),
}
const sharePct = Type.Number({
  description: 'Share of total spend, in percent. Shares add up to 100 if there is any spend.',
})
const budget = {
  monthlyBudget: optionalNumber('Current monthly budget in USD. Null if there is none.'),
  budgetUtilizationPct: optionalNumber('Spend as a percentage of the monthly budget. Null if there is no budget.'),
}

export const overviewSchema = Type.Object({
  year: Type.Integer(),
  month: Type.Integer(),
  currency: Type.String(),
  totalSpend: sums.spend,
  marginRate: Type.Number({ description: 'Margin added to list prices, as a fraction of the list price.' }),
  requests: sums.requests,
  tokens: sums.tokens,
  previousMonthSpend: usd('Amount charged in the previous month'),
  dailyTrend: Type.Array(
    Type.Object({ date: Type.String({ description: 'Date in UTC, formatted as YYYY-MM-DD.' }), ...sums }),
    {
      description: 'One entry for each day of the month, up to today.',
    },
  ),
})

export const byTeamSchema = Type.Object({
  teams: Type.Array(
    Type.Object({
      teamId: optionalText('ID of the team. Null for spend without a team.'),
      name: optionalText('Name of the team. Also null if the team was deleted.'),
      costCenterCode: optionalText('Current cost center code of the team.'),
      ...sums,
      sharePct,
      ...budget,
      models: Type.Array(Type.Object({ model: Type.String(), ...sums })),
    }),
  ),
})

export const byModelSchema = Type.Object({
  models: Type.Array(
    Type.Object({
      model: Type.String(),
      spend: sums.spend,
      sharePct,
      requests: sums.requests,
      promptTokens: Type.Integer(),
      completionTokens: Type.Integer(),
      avgPricePer1M: optionalNumber('Average spend per million tokens in USD. Null if there are no tokens.'),
    }),
  ),
})

export const byTagSchema = Type.Object({
  tags: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the tag.' }),
      value: Type.String({ description: 'Value of the tag.' }),
      ...sums,
    }),
    { description: 'A request with several tags counts for each of them, so these sums can exceed the total.' },
  ),
})

export const byMemberSchema = Type.Object({
  members: Type.Array(
    Type.Object({
      memberId: optionalText('ID of the member. Null for spend by keys without a member.'),
      user: Type.Union([Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }), Type.Null()]),
      team: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
        description: 'Current team of the member.',
      }),
      ...sums,
      ...budget,
    }),
  ),
})
