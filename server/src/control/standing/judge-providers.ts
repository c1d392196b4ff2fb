import { type Finding, fault, ok, warning } from './finding.ts'

export interface ReachedProvider {
  readonly account: string
  readonly host: string
  /** Why the provider cannot be reached, or null if it can. */
  readonly problem: string | null
}

/** Checks only the connection; `weir provider test` sends requests. */
export function judgeProviders(reached: readonly ReachedProvider[]): Finding[] {
  const lost = reached.flatMap(({ account, host, problem }) => (problem === null ? [] : [{ account, host, problem }]))
  if (reached.length === 0) return [warning('providers', 'no provider account is enabled', 'weir provider add')]
  if (lost.length === 0) return [ok('providers', `all ${reached.length} are reachable`)]
  const make = lost.length === reached.length ? fault : warning
  return lost.map(({ account, host, problem }) =>
    make('providers', `${account} cannot be reached at ${host}: ${problem}`, 'check the firewall, DNS and --base-url'),
  )
}
