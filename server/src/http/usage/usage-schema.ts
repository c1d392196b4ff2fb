import { Type } from 'typebox'
import { ofOrganization, optionalCount, optionalText, usd } from '../schema-types.ts'

const optionalParameter = (description: string) => Type.Optional(Type.String({ description }))

const filterParameters = {
  model: optionalParameter('Count only requests to this model.'),
  api_key_id: optionalParameter('Count only requests made with this API key.'),
  app: optionalParameter('Count only requests from this application, as named in the `X-Title` header.'),
  member_id: optionalParameter('Count only requests of this member. Only an org_admin can name other members.'),
  team_id: optionalParameter('Count only requests of this team. Only an org_admin or billing_viewer can name teams.'),
  tag: optionalParameter('Count only requests with this tag of the `X-Weir-Tags` header, such as `team=search`.'),
}

export const usageQuerySchema = Type.Object({
  organization: ofOrganization,
  period: optionalParameter(
    'Period to report: `day`, `week`, `month` (default), or `year` for the current one to date in UTC; or `custom`.',
  ),
  from: optionalParameter('First day of a custom period, such as `2026-03-01`.'),
  to: optionalParameter('Last day of a custom period (inclusive), at most 5 years after `from`.'),
  granularity: optionalParameter('Interval of `timeSeries`: `day` (default), or `hour` for ranges of at most 7 days.'),
  ...filterParameters,
})

const figures = {
  spend: usd('Amount charged'),
  tokens: Type.Integer(),
  requests: Type.Integer(),
}
const totals = Type.Object(
  { ...figures, promptTokens: Type.Integer(), completionTokens: Type.Integer() },
  { $id: 'UsageTotals' },
)
const model = { model: Type.String(), ...figures }
const key = {
  keyId: Type.String(),
  keyName: Type.String({ description: 'Name of the key. Kept after the key is deleted.' }),
  ...figures,
}
const app = {
  appName: optionalText('Application name from the `X-Title` header, or null if it was not sent.'),
  ...figures,
}

const member = {
  memberId: optionalText('ID of the member, or null for shared keys.'),
  name: optionalText('Name of the person, or null for shared keys.'),
  email: optionalText('Email address of the person, or null for shared keys.'),
  ...figures,
}
const team = {
  teamId: optionalText('ID of the team, or null for usage without a team.'),
  teamName: optionalText('Name of the team, or null if there is none or it was deleted.'),
  ...figures,
}

const tag = {
  name: Type.String({ description: 'Name of the tag, such as `team`.' }),
  value: Type.String({ description: 'Value of the tag, such as `search`.' }),
  ...figures,
}

function timeSeries(date: string) {
  const point = {
    date: Type.String({ description: date }),
    model: Type.String(),
    cost: usd('Amount charged'),
    tokens: Type.Integer(),
    requests: Type.Integer(),
  }
  return Type.Array(Type.Object(point))
}

export const usageSchema = Type.Object({
  period: Type.String(),
  since: Type.String({ description: 'Start of the range (inclusive), in ISO 8601 format.' }),
  until: Type.String({ description: 'End of the range (exclusive), in ISO 8601 format.' }),
  credits: usd('Balance of the paying wallet'),
  totals,
  byModel: Type.Array(Type.Object(model)),
  byKey: Type.Array(Type.Object(key)),
  byApp: Type.Array(Type.Object(app), {
    description: 'Usage by application. At most 500 entries; all others are combined as `(other)`.',
  }),
  byMember: Type.Optional(
    Type.Array(Type.Object(member), {
      description: 'Usage by member of the organization. Present only for an org_admin.',
    }),
  ),
  byTeam: Type.Optional(
    Type.Array(Type.Object(team), {
      description: 'Usage by team of the organization. Present only for an org_admin or billing_viewer.',
    }),
  ),
  byTag: Type.Optional(
    Type.Array(Type.Object(tag), {
      description:
        'Usage by tag. A request with several tags counts for each of them. Present only if requests of the wallet ever had tags.',
    }),
  ),
  timeSeries: timeSeries('Day, or hour in ISO 8601 format.'),
})

export const insightsQuerySchema = Type.Object({
  organization: ofOrganization,
  period: optionalParameter('Period to report: `7d` (default), `30d`, `ytd`, or `all`. Each ends today, in UTC.'),
  heatmap_metric: optionalParameter('Metric of the heatmap: `spend` (default), `tokens`, or `requests`.'),
  ...filterParameters,
})

const share = { sharePct: Type.Number({ description: 'Share of total spend, in percent.' }) }
const level = Type.Integer({
  minimum: 0,
  maximum: 4,
  description: 'Intensity by quarter of the highest day, from 1 to 4, or 0 for no usage.',
})

export const insightsSchema = Type.Object({
  period: Type.String(),
  heatmapMetric: Type.String(),
  filters: Type.Object({
    model: optionalText('Model filter from the request.'),
    apiKeyId: optionalText('API key filter from the request.'),
    app: optionalText('Application filter from the request.'),
    memberId: Type.Optional(Type.String({ description: 'Member filter from the request.' })),
    teamId: Type.Optional(Type.String({ description: 'Team filter from the request.' })),
    tag: Type.Optional(Type.String({ description: 'Tag filter from the request.' })),
  }),
  generatedAt: Type.String({
    description: 'When the figures were computed, in ISO 8601 format. Figures are cached for 5 minutes.',
  }),
  totals,
  previousTotals: totals,
  heatmap: Type.Array(Type.Object({ date: Type.String(), value: Type.Number(), level })),
  timeSeries: timeSeries('Day, or the first day of the month if `period` is `all`.'),
  topModels: Type.Array(Type.Object({ ...model, ...share })),
  topKeys: Type.Array(Type.Object({ ...key, ...share })),
  topApps: Type.Array(Type.Object({ ...app, ...share })),
  performance: Type.Object({
    p50FirstTokenMs: optionalCount('Median time to first token in milliseconds, or null if there is no data.'),
    p95FirstTokenMs: optionalCount(
      '95th percentile of the time to first token in milliseconds, or null if there is no data.',
    ),
    errorRate: Type.Number({ description: 'Share of requests that failed, from 0 to 1.' }),
  }),
  cacheSavings: usd('Amount saved by cached tokens'),
})
