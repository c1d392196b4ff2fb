import { Type } from 'typebox'
import { ofOrganization, optionalCount, optionalText, usd } from '../schema-types.ts'

const optionalParameter = (description: string) => Type.Optional(Type.String({ description }))

export const usageQuerySchema = Type.Object({
  organization: ofOrganization,
  period: optionalParameter('`day`, `week`, `month` (default) or `year`: the current one so far, UTC; or `custom`'),
  from: optionalParameter('The first day of a custom period, such as `2026-03-01`'),
  to: optionalParameter('Its last day, which is part of it; at most 5 years later'),
  granularity: optionalParameter('`day` (default), or `hour` for at most 7 days: what `timeSeries` is by'),
})

const figures = {
  spend: usd('What was charged'),
  tokens: Type.Integer(),
  requests: Type.Integer(),
}
const totals = Type.Object(
  { ...figures, promptTokens: Type.Integer(), completionTokens: Type.Integer() },
  { $id: 'UsageTotals' },
)
const model = { model: Type.String(), ...figures }
const key = { keyId: Type.String(), keyName: Type.String({ description: 'Deleted keys keep theirs' }), ...figures }
const app = { appName: optionalText('As in `X-Title`; null without one'), ...figures }

function timeSeries(date: string) {
  const point = {
    date: Type.String({ description: date }),
    model: Type.String(),
    cost: usd('What was charged'),
    tokens: Type.Integer(),
    requests: Type.Integer(),
  }
  return Type.Array(Type.Object(point))
}

export const usageSchema = Type.Object({
  period: Type.String(),
  since: Type.String({ description: 'The first moment of the range, ISO 8601' }),
  until: Type.String({ description: 'Its end, which is no longer part of it' }),
  credits: usd("The paying wallet's balance"),
  totals,
  byModel: Type.Array(Type.Object(model)),
  byKey: Type.Array(Type.Object(key)),
  byApp: Type.Array(Type.Object(app), { description: 'At most 500; the rest together is `(other)`' }),
  timeSeries: timeSeries('The day, or the hour in ISO 8601'),
})

export const insightsQuerySchema = Type.Object({
  organization: ofOrganization,
  period: optionalParameter('`7d` (default), `30d`, `ytd` or `all`; all end with today, UTC'),
  heatmap_metric: optionalParameter('`spend` (default), `tokens` or `requests`'),
  model: optionalParameter('Only requests to this model'),
  api_key_id: optionalParameter('Only requests with this key'),
  app: optionalParameter('Only requests of this application, as in `X-Title`'),
})

const share = { sharePct: Type.Number({ description: 'Of all that was spent, in percent' }) }
const level = Type.Integer({ minimum: 0, maximum: 4, description: 'By which quarter of the largest day; 0: nothing' })

export const insightsSchema = Type.Object({
  period: Type.String(),
  heatmapMetric: Type.String(),
  filters: Type.Object({
    model: optionalText('As asked'),
    apiKeyId: optionalText('As asked'),
    app: optionalText('As asked'),
  }),
  generatedAt: Type.String({ description: 'ISO 8601; the same for 5 minutes' }),
  totals,
  previousTotals: totals,
  heatmap: Type.Array(Type.Object({ date: Type.String(), value: Type.Number(), level })),
  timeSeries: timeSeries('The day; for `all` the first day of the month'),
  topModels: Type.Array(Type.Object({ ...model, ...share })),
  topKeys: Type.Array(Type.Object({ ...key, ...share })),
  topApps: Type.Array(Type.Object({ ...app, ...share })),
  performance: Type.Object({
    p50FirstTokenMs: optionalCount('Half of all first tokens came within this time; null without any'),
    p95FirstTokenMs: optionalCount('95 % of them did'),
    errorRate: Type.Number({ description: 'The share of requests that were not served, 0 to 1' }),
  }),
  cacheSavings: usd('Saved by cached tokens'),
})
