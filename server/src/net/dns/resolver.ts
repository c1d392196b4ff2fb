import { withDeadline } from '#lib/deadline.ts'
import { FairTurnstile, type FairTurnstileOptions } from '#lib/fair-turnstile.ts'
import { setBounded } from '#lib/set-bounded.ts'
import type { ResolveHost } from '#ports/outbound.ts'
import type { AskDns, DnsAnswer } from './ask-dns.ts'

export interface ResolverOptions {
  readonly ask: AskDns
  readonly limits: Omit<FairTurnstileOptions, 'weightMax' | 'weightMaxEach'>
  /** Time limit for one host, including the wait for its turn. */
  readonly timeoutMs: number
  readonly cachedMax: number
  readonly nowMs: () => number
}

/**
 * Addresses of hosts: from the cache while their answer is valid, otherwise queried in the turn of the requesting
 * account. Concurrent queries for a host are shared. An account waits behind its own lookups and never behind another
 * account's queue.
 */
export function createResolver(options: ResolverOptions): ResolveHost {
  const { ask, limits, timeoutMs, cachedMax, nowMs } = options
  const line = new FairTurnstile({ ...limits, weightMax: 0, weightMaxEach: 0 })
  const cache = new Map<string, { answer: DnsAnswer; fromMs: number }>()
  const asked = new Map<string, Promise<DnsAnswer>>()
  const queued = new Map<string, Promise<DnsAnswer>>()

  function cached(host: string): DnsAnswer | null {
    const entry = cache.get(host)
    if (entry === undefined) return null
    const ageMs = nowMs() - entry.fromMs
    if (ageMs >= 0 && ageMs < entry.answer.ttlMs) return entry.answer
    cache.delete(host)
    return null
  }

  function keep(host: string, answer: DnsAnswer): void {
    if (answer.ttlMs > 0) setBounded(cache, host, { answer, fromMs: nowMs() }, cachedMax)
  }

  function askOnce(host: string): Promise<DnsAnswer> {
    return shared(asked, host, async () => {
      const answer = await withDeadline(ask(host), timeoutMs, () => lookupError('ETIMEOUT', host))
      keep(host, answer)
      return answer
    })
  }

  function inTurn(host: string, account: string): Promise<DnsAnswer> {
    const waiting = new AbortController()
    const late = (): Error => {
      waiting.abort()
      return lookupError('ETIMEOUT', host)
    }
    // Another account may have received the answer while this one waited.
    const work = async (): Promise<DnsAnswer> => cached(host) ?? askOnce(host)
    return withDeadline(line.run({ account, signal: waiting.signal }, work), timeoutMs, late)
  }

  return async (host, account) => {
    const answer =
      cached(host) ?? (await (asked.get(host) ?? shared(queued, `${account} ${host}`, () => inTurn(host, account))))
    if (answer.addresses.length === 0) throw lookupError('ENOTFOUND', host)
    return answer.addresses
  }
}

function shared(
  under: Map<string, Promise<DnsAnswer>>,
  key: string,
  begin: () => Promise<DnsAnswer>,
): Promise<DnsAnswer> {
  const known = under.get(key)
  if (known !== undefined) return known
  const begun = begin().finally(() => under.delete(key))
  under.set(key, begun)
  return begun
}

function lookupError(code: string, host: string): Error {
  return Object.assign(new Error(`${code}: DNS lookup of ${host} failed`), { code })
}
