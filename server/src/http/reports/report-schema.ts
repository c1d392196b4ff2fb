import { Type } from 'typebox'
import { optionalText, usd } from '../schema-types.ts'
import { reportViews } from './parse-report-query.ts'

const year = Type.String({ description: 'A year from 2000 on' })
const month = Type.String({ description: '1 to 12, by UTC' })
const optionalNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

export const monthQuerySchema = Type.Object({ year, month })
/** Without both it is the current month. */
export const optionalMonthQuerySchema = Type.Object({ year: Type.Optional(year), month: Type.Optional(month) })
export const reportExportQuerySchema = Type.Object({ year, month, view: Type.Enum([...reportViews]) })

const sums = {
  spend: usd('What was charged'),
  requests: Type.Integer(),
  tokens: Type.Integer({ description: 'Of prompts and completions together' }),
}
const sharePct = Type.Number({ description: 'Of all spend, in per cent; they add up to 100 where there is any' })
const budget = {
  monthlyBudget: optionalNumber('As it is set now, USD; null for none'),
  budgetUtilizationPct: optionalNumber('Spend in per cent of the budget; null without one'),
}

export const overviewSchema = Type.Object({
  year: Type.Integer(),
  month: Type.Integer(),
  currency: Type.String(),
  totalSpend: sums.spend,
  marginRate: Type.Number({ description: 'What is added to list prices, as a share of them' }),
  requests: sums.requests,
  tokens: sums.tokens,
  previousMonthSpend: usd('What was charged in the month before'),
  dailyTrend: Type.Array(Type.Object({ date: Type.String({ description: 'YYYY-MM-DD, UTC' }), ...sums }), {
    description: 'Every day of the month up to today',
  }),
})

export const byTeamSchema = Type.Object({
  teams: Type.Array(
    Type.Object({
      teamId: optionalText('Null: spent for no team'),
      name: optionalText('Null also for a team that was deleted'),
      costCenterCode: optionalText('As it is set now'),
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
      avgPricePer1M: optionalNumber('Spend per million tokens, USD; null without tokens'),
    }),
  ),
})

export const byMemberSchema = Type.Object({
  members: Type.Array(
    Type.Object({
      memberId: optionalText('Null: spent with keys without a member'),
      user: Type.Union([Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }), Type.Null()]),
      team: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
        description: "The member's team today",
      }),
      ...sums,
      ...budget,
    }),
  ),
})
