import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { namesToTry, noSearchList, parseHosts, parseSearchList } from './search-list.ts'
import { watchFile } from './watched-file.ts'

export interface DnsAnswer {
  /** IPv4 and IPv6 addresses. Empty if the host does not exist. */
  readonly addresses: readonly string[]
  /** How long the answer may be cached; 0 for not at all. */
  readonly ttlMs: number
}

/** Finds the addresses of a host. Rejects if they cannot be determined. */
export type AskDns = (host: string) => Promise<DnsAnswer>

interface AskDnsOptions {
  /** DNS servers to use instead of those in resolv.conf. Empty to use resolv.conf. */
  readonly servers: readonly string[]
  /** Whether names are completed by resolv.conf's search list. */
  readonly searches: boolean
  /** Minimum time to query a host before giving up. */
  readonly timeoutMs: number
  readonly nowMs: () => number
  readonly hostsPath?: string
  readonly resolvConfPath?: string
}

// c-ares learns how fast a server is, and retries a fast server after as little as this, doubling each time.
const firstTryMs = 250
// Short enough to follow a host that moves, long enough not to query a busy host for every connection.
const ttlMinMs = 1_000
const ttlMaxMs = 300_000
const missingTtlMs = 5_000
const loopback: readonly string[] = ['127.0.0.1', '::1']

/**
 * Queries DNS with c-ares, which waits in the event loop. Node's `lookup` blocks one of libuv's four threads, so a few
 * names with silent servers would block every other lookup and all file I/O. As with `lookup`, the hosts file comes
 * first, and resolv.conf says which servers to query for which names; both are reread when they change.
 */
export function createAskDns(options: AskDnsOptions): AskDns {
  const { servers, nowMs, hostsPath = '/etc/hosts', resolvConfPath = '/etc/resolv.conf' } = options
  const hosts = watchFile(hostsPath, parseHosts, nowMs)
  const system = watchFile(
    resolvConfPath,
    (text) => ({
      // c-ares reads resolv.conf itself, once.
      resolver: createResolver(options, servers),
      searchList: options.searches ? parseSearchList(text) : noSearchList,
    }),
    nowMs,
  )
  return async (host) => {
    const name = host.replace(/\.$/, '').toLowerCase()
    if (isIP(name) !== 0) return { addresses: [name], ttlMs: 0 }
    const known = hosts().get(name) ?? (isLocal(name) ? loopback : undefined)
    if (known !== undefined) return { addresses: known, ttlMs: ttlMinMs }
    const { resolver, searchList } = system()
    return askInTurn(resolver, namesToTry(host.toLowerCase(), searchList))
  }
}

/** The values of a name's TXT records. Empty if it has none. Never cached, because people publish one and then ask. */
export function createAskTxt(options: Pick<AskDnsOptions, 'servers' | 'timeoutMs'>): AskTxt {
  return async (name) => {
    try {
      const records = await createResolver(options, options.servers).resolveTxt(name)
      return records.map((parts) => parts.join(''))
    } catch (error) {
      if (missingCodes.has(codeOf(error))) return []
      throw error
    }
  }
}

export type AskTxt = (name: string) => Promise<readonly string[]>

function createResolver({ timeoutMs }: Pick<AskDnsOptions, 'timeoutMs'>, servers: readonly string[]): Resolver {
  const timeout = Math.ceil(timeoutMs / 3)
  // Enough tries for the whole time, because a fast server that is slow for one name is not silent.
  const tries = Math.max(4, Math.ceil(Math.log2(timeoutMs / firstTryMs + 1)) + 1)
  const resolver = new Resolver({ timeout, tries, maxTimeout: timeout })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

async function askInTurn(resolver: Resolver, names: readonly string[]): Promise<DnsAnswer> {
  let fault: unknown
  for (const name of names) {
    try {
      const answer = await askBoth(resolver, name)
      if (answer !== null) return answer
    } catch (error) {
      // If the server fails for one name of the search list, the next name is still tried. If it is silent, trying on
      // would take too long.
      if (!refusedCodes.has(codeOf(error))) throw error
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return { addresses: [], ttlMs: missingTtlMs }
}

/** Null if there is no such name. IPv4 first, because it is unknown whether IPv6 works from here. */
async function askBoth(resolver: Resolver, name: string): Promise<DnsAnswer | null> {
  const answers = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) {
    const ttlMs = Math.min(...found.map(({ ttl }) => ttl)) * 1_000
    return {
      addresses: found.map(({ address }) => address),
      ttlMs: Math.min(ttlMaxMs, Math.max(ttlMinMs, ttlMs)),
    }
  }
  for (const answer of answers) {
    if (answer.status === 'rejected' && !missingCodes.has(codeOf(answer.reason))) throw answer.reason
  }
  return null
}

const missingCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const refusedCodes = new Set(['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR'])

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
