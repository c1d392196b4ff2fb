import { differences, type Known, nano, numberIn, objectIn } from './judge-record.ts'
import type { Kept } from './read-back.ts'
import type { ExpectedRecord } from './read-records.ts'

/** The initial credit of each account, in USD. */
const startUsd = 25

/** The differences between the sums of an account with one request, and the client's view of it. */
export function judgeSums(expected: ExpectedRecord, { priced, upstream, model, app }: Known, kept: Kept): string[] {
  const cost = expected.cost === 'none' ? 0 : priced.costUsd
  const { prompt, completion } = expected.tokens === 'none' || upstream.tokens === null ? none : upstream.tokens
  const tokens = prompt + completion
  const totals = { spend: cost, tokens, requests: 1, promptTokens: prompt, completionTokens: completion }
  const figures = { spend: cost, tokens, requests: 1 }
  return [
    ...differences({ total_credits: startUsd, total_usage: cost }, kept.credits),
    ...differences({ usage: cost, usage_daily: cost, requests: 1, requests_daily: 1 }, kept.key),
    // A remaining hold would be missing from the balance.
    ...judgeBalance(cost, kept),
    ...differences(totals, objectIn(kept.usage, 'totals')),
    ...judgeOnly('byModel', { model, ...figures }, kept.usage),
    ...judgeOnly('byApp', { appName: app, ...figures }, kept.usage),
    ...judgeOnly('byKey', figures, kept.usage),
    ...judgeOnly('timeSeries', { model, cost, tokens, requests: 1 }, kept.usage),
  ]
}

const none = { prompt: 0, completion: 0 }

function judgeBalance(cost: number, { key }: Kept): string[] {
  const left = nano(numberIn(key, 'limit_remaining'))
  return left === nano(startUsd) - nano(cost) ? [] : [`limit_remaining: ${left} billionths after ${cost}`]
}

/** A list of the account's usage has one entry, with these figures. */
function judgeOnly(list: string, expected: Kept['usage'], usage: Kept['usage']): string[] {
  const entries: unknown = usage[list]
  const [only, ...others] = Array.isArray(entries) ? entries : []
  if (only === undefined || others.length > 0) return [`${list}: ${JSON.stringify(entries)}`]
  return differences(expected, { ...only }).map((difference) => `${list}: ${difference}`)
}
