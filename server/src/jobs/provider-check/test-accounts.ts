import type { Model } from '#domain/catalogue/model.ts'
import type { ProviderAccount, RoutingTable } from '#domain/routing/routing-table.ts'
import { type ChosenProbe, chooseProbes } from './choose-probes.ts'
import type { Capability } from './capabilities.ts'
import { type ProbeDeps, type ProbeVerdict, runProbe } from './run-probe.ts'

/** In this order, the first capability that the account's models support is tested. Text is the cheapest. */
const smallestFirst: readonly Capability[] = ['document', 'embedding', 'transcription', 'speech', 'image']

// Short, because a person waits for the result.
const answerWithinMs = 30_000

export interface TestedAccount {
  readonly account: ProviderAccount
  /** Null if the catalogue and the routes have no small request for the account. */
  readonly asked: { readonly probe: ChosenProbe; readonly verdict: ProbeVerdict; readonly ms: number } | null
}

/** Sends one tiny request to each account, concurrently. */
export function testAccounts(
  accounts: readonly ProviderAccount[],
  { models, table }: { models: readonly Model[]; table: RoutingTable },
  deps: ProbeDeps & { readonly nowMs: () => number },
): Promise<TestedAccount[]> {
  const answerTimeoutMs = Math.min(deps.timeouts.answerTimeoutMs, answerWithinMs)
  const bounded = { ...deps, timeouts: { ...deps.timeouts, answerTimeoutMs } }
  return Promise.all(
    accounts.map(async (account) => {
      const probes = chooseProbes(models, table, { account, model: null, capabilities: smallestFirst })
      const [probe] = smallestFirst.flatMap((wanted) => probes.filter(({ capability }) => capability === wanted))
      if (probe === undefined) return { account, asked: null }
      const startedAtMs = deps.nowMs()
      const verdict = await runProbe(probe, bounded)
      return { account, asked: { probe, verdict, ms: Math.round(deps.nowMs() - startedAtMs) } }
    }),
  )
}
