import type { LookupFunction } from 'node:net'
import type { Config } from '#config/config-schema.ts'
import { completesAccountNames } from '#config/outbound-limits.ts'
import { type AskDns, createAskDns } from '#net/dns/ask-dns.ts'
import { givenAnswers } from '#net/dns/given-answers.ts'
import { accountLookups, operatorLookups } from '#net/dns/lookup-limits.ts'
import { lookupWith } from '#net/dns/lookup-with.ts'
import { createResolver } from '#net/dns/resolver.ts'
import { createOutbound, type OutboundLimits } from '#net/outbound.ts'
import type { Outbound, ResolveHost } from '#ports/outbound.ts'
import type { Outside } from './outside.ts'

/** Host resolution, and limits on requests to hosts that accounts name. */
export interface WiredOutbound {
  /** For hosts that accounts name. */
  resolve: ResolveHost
  /** For hosts that the operator configured. It has its own queue and cache, so that no account can block it. */
  lookup: LookupFunction
  outbound: Outbound
  limits: OutboundLimits
}

const cachedMax = 4_096
const nowMs = (): number => performance.now()

export function wireOutbound(deps: {
  config: Config
  outside: Pick<Outside, 'resolveHost'>
  limits: OutboundLimits
}): WiredOutbound {
  const { limits, config, outside } = deps
  const { dns } = config
  const { timeoutMs } = dns
  const common = { timeoutMs, cachedMax, nowMs }
  const askFor = (searches: boolean): AskDns => createAskDns({ servers: dns.servers, searches, timeoutMs, nowMs })
  const ask = givenAnswers(outside.resolveHost, askFor(completesAccountNames(config)))
  const operator = createResolver({ ...common, ask: askFor(true), limits: operatorLookups })
  return {
    resolve: createResolver({ ...common, ask, limits: accountLookups }),
    lookup: lookupWith((host) => operator(host, 'operator')),
    outbound: createOutbound(limits),
    limits,
  }
}
