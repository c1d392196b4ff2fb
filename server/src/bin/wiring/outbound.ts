import type { LookupFunction } from 'node:net'
import type { Config } from '#config/config-schema.ts'
import { type AskDns, createAskDns } from '#net/dns/ask-dns.ts'
import { accountLookups, operatorLookups } from '#net/dns/lookup-limits.ts'
import { lookupWith } from '#net/dns/lookup-with.ts'
import { createResolver } from '#net/dns/resolver.ts'
import { createOutbound, type OutboundLimits } from '#net/outbound.ts'
import type { Outbound, ResolveHost } from '#ports/outbound.ts'
import type { Outside } from './outside.ts'

/** How hosts are found, and how much is asked of those that accounts name. */
export interface WiredOutbound {
  /** For hosts that accounts name. */
  resolve: ResolveHost
  /** For hosts that the operator named: with a line and a memory of its own, so that no account can hold it up. */
  lookup: LookupFunction
  outbound: Outbound
  limits: OutboundLimits
}

const cachedMax = 4_096
const nowMs = (): number => performance.now()

export function wireOutbound(needs: {
  config: Config
  outside: Pick<Outside, 'resolveHost'>
  process: 'gateway' | 'worker'
}): WiredOutbound {
  const { dns, egress } = needs.config
  const { timeoutMs } = dns
  const common = { timeoutMs, cachedMax, nowMs }
  const askFor = (searches: boolean): AskDns => createAskDns({ servers: dns.servers, searches, timeoutMs, nowMs })
  // Names that an account writes are public, unless private networks are open to it.
  const ask = answersFrom(needs.outside) ?? askFor(egress.allowedNetworks.length > 0)
  const operator = createResolver({ ...common, ask: askFor(true), limits: operatorLookups })
  const limits = needs.process === 'gateway' ? gatewayLimits(needs.config) : workerLimits(needs.config)
  return {
    resolve: createResolver({ ...common, ask, limits: accountLookups }),
    lookup: lookupWith((host) => operator(host, 'operator')),
    outbound: createOutbound(limits),
    limits,
  }
}

/** Answers that a test gives hold for one question. */
function answersFrom({ resolveHost }: Pick<Outside, 'resolveHost'>): AskDns | null {
  if (resolveHost === null) return null
  return async (host) => ({ addresses: await resolveHost(host), ttlMs: 0 })
}

function gatewayLimits({ outbound }: Config): OutboundLimits {
  return {
    atOnceMax: outbound.atOnce,
    perAccountMax: outbound.perAccount,
    waitingPerAccountMax: outbound.waitingPerAccount,
    bytesMax: outbound.bytes,
    bytesPerAccountMax: outbound.bytesPerAccount,
  }
}

// A worker takes no more jobs than it may have, so they are not refused; and how large a finished video is, its provider decides.
function workerLimits(config: Config): OutboundLimits {
  return {
    ...gatewayLimits(config),
    waitingPerAccountMax: Math.max(config.video.atOnce, config.webhooks.atOnce),
    bytesMax: Number.POSITIVE_INFINITY,
    bytesPerAccountMax: Number.POSITIVE_INFINITY,
  }
}
