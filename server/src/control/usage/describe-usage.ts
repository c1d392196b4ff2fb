import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Granularity } from '#domain/usage/usage-period.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { UsageReads, UsageRow, UsageSubjects, UsageSums } from '#ports/usage.ts'
import { addUp, addUpBy, type KeySums, mergeRest, type NamedSums, nameKeys } from './add-up.ts'

export interface UsageDescription {
  /** The current balance of the paying wallet. */
  readonly balance: NanoUsd
  readonly totals: UsageSums
  readonly byModel: readonly NamedSums<string>[]
  readonly byKey: readonly KeySums[]
  readonly byApp: readonly NamedSums<string | null>[]
  /** By day or hour, and model. */
  readonly series: readonly UsageRow[]
}

/** Clients choose the names of their applications, so the number is unbounded. */
const appsMax = 500
const otherApps = '(other)'

/** The usage of a range. Totals and models are sums of the series, so that the three agree to the last digit. */
export async function describeUsage(
  deps: { usage: UsageReads; subjects: UsageSubjects },
  scope: UsageScope,
  asked: { range: DayRange; granularity: Granularity },
): Promise<UsageDescription> {
  const query = { walletId: scope.walletId, range: asked.range, ...(scope.only === null ? {} : { filter: scope.only }) }
  const [series, models, keys, apps, wallet] = await Promise.all([
    deps.usage.sum({ ...query, by: [asked.granularity, 'model'] }),
    // Hourly rows are deleted after their retention, but daily sums are not.
    asked.granularity === 'hour' ? deps.usage.sum({ ...query, by: ['model'] }) : null,
    deps.usage.sum({ ...query, by: ['key'] }),
    deps.usage.sum({ ...query, by: ['app'] }),
    deps.subjects.readWallet(scope.walletId),
  ])
  const byKey = addUpBy(keys, ({ key }) => key)
  return {
    balance: wallet.balance,
    totals: addUp(models ?? series),
    byModel: addUpBy(models ?? series, ({ model }) => model),
    byKey: await nameKeys(deps.subjects, scope.walletId, byKey),
    byApp: mergeRest(
      addUpBy(apps, ({ app }) => app),
      appsMax,
      otherApps,
    ),
    series,
  }
}
