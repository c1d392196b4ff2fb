import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { EgressPolicy } from '#domain/egress/egress-policy.ts'
import { hostOf, judgeUrl, notPublic, type UrlVerdict } from '#domain/egress/judge-url.ts'
import type { Egress, ResolveHost } from '#ports/egress.ts'

/**
 * Keeps requests whose address somebody else has chosen out of private networks. A literal is judged before anything is
 * opened, because no lookup is made for it. A name is looked up once for each connection: all its addresses are judged, and the
 * connection goes to one of exactly those, so that a second answer of its DNS changes nothing. The address that was really
 * reached is judged again before a byte of the request is sent. Redirects are followed by nobody here.
 */
export interface EgressGuard extends Egress {
  judgeText(text: string): UrlVerdict
  /** Opens connections for undici. */
  readonly connect: buildConnector.connector
}

export interface EgressGuardOptions {
  readonly policy: EgressPolicy
  readonly resolve: ResolveHost
  readonly connectTimeoutMs: number
}

export function createEgressGuard({ policy, resolve, connectTimeoutMs }: EgressGuardOptions): EgressGuard {
  const judgeText = (text: string): UrlVerdict => judgeUrl(text, policy)
  const connectOnce = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: guardedLookup(policy, resolve),
  })
  return {
    judgeText,
    async judge(text) {
      const verdict = judgeText(text)
      if (!verdict.allowed) return verdict
      const host = hostOf(verdict.url)
      // One that can not be resolved leads nowhere, so nothing speaks against writing it down.
      const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : []
      const objection = firstObjection(policy, addresses)
      if (objection === null) return verdict
      return { allowed: false, message: notPublic(objection) }
    },
    connect: (options, callback) => {
      const literal = options.hostname.replace(/^\[|\]$/g, '')
      const objection = isIP(literal) === 0 ? null : policy.objectionTo(literal)
      if (objection !== null) return callback(new EgressRefusedError(objection), null)
      connectOnce(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        const reached = policy.objectionTo(socket.remoteAddress ?? '')
        if (reached === null) return callback(null, socket)
        socket.destroy()
        callback(new EgressRefusedError(reached), null)
      })
    },
  }
}

/** Addresses from the system's own resolver. */
export const resolveHost: ResolveHost = async (host) => {
  const found = await systemLookup(host, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

class EgressRefusedError extends Error {
  readonly code = 'EGRESS_REFUSED'
  constructor(why: string) {
    super(`the address is not public (${why})`)
  }
}

function guardedLookup(policy: EgressPolicy, resolve: ResolveHost): LookupFunction {
  return (host, options, callback) => {
    const refuse = (error: unknown): void => callback(error instanceof Error ? error : new Error(String(error)), '', 0)
    resolve(host).then((addresses) => {
      const objection = firstObjection(policy, addresses)
      if (objection !== null) return refuse(new EgressRefusedError(objection))
      const wanted = addresses
        .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        .filter(({ family }) => options.family === undefined || options.family === 0 || options.family === family)
      const [first] = wanted
      if (first === undefined) return refuse(new EgressRefusedError('no address'))
      if (options.all === true) callback(null, wanted)
      else callback(null, first.address, first.family)
    }, refuse)
  }
}

// One address that is not public speaks against all of them: which one would be taken is not ours to say.
function firstObjection(policy: EgressPolicy, addresses: readonly string[]): string | null {
  for (const address of addresses) {
    const objection = policy.objectionTo(address)
    if (objection !== null) return objection
  }
  return null
}
