import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import type { EgressPolicy } from '#domain/egress/egress-policy.ts'
import { hostOf, judgeUrl, notPublic, type UrlVerdict } from '#domain/egress/judge-url.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Egress, ResolveHost } from '#ports/outbound.ts'
import { lookupWith } from './dns/lookup-with.ts'

/**
 * Keeps requests to account-chosen addresses out of private networks. A literal address is judged before anything is
 * opened, because there is no lookup for it. A name is looked up once per connection: all its addresses are judged, and
 * the connection goes to one of exactly those, so a second DNS answer changes nothing. The address of the open
 * connection is judged again before a byte of the request is sent. Redirects are not followed here.
 */
export interface EgressGuard extends Egress {
  /** Opens connections for undici, whose names are looked up in the account's turn. */
  connectFor(account: string): buildConnector.connector
}

interface EgressGuardOptions {
  readonly policy: EgressPolicy
  readonly resolve: ResolveHost
  readonly connectTimeoutMs: number
}

export function createEgressGuard({ policy, resolve, connectTimeoutMs }: EgressGuardOptions): EgressGuard {
  const judgeText = (text: string): UrlVerdict => judgeUrl(text, policy)
  return {
    judgeText,
    async judge(text, account) {
      const verdict = judgeText(text)
      if (!verdict.allowed) return verdict
      const host = hostOf(verdict.url)
      const addresses = isIP(host) === 0 ? await resolve(host, account).catch(noneOf) : []
      const objection = firstObjection(policy, addresses)
      if (objection === null) return verdict
      return { allowed: false, message: notPublic(objection) }
    },
    connectFor(account) {
      const connectOnce = buildConnector({
        timeout: connectTimeoutMs,
        allowH2: false,
        lookup: lookupWith(async (host) => judged(policy, await resolve(host, account))),
      })
      return (options, callback) => {
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
      }
    },
  }
}

class EgressRefusedError extends Error {
  readonly code = 'EGRESS_REFUSED'
  constructor(why: string) {
    super(`the address is not public (${why})`)
  }
}

// A host that does not resolve leads nowhere, so its URL may be stored. If the lookup itself failed, the URL may not be
// stored.
function noneOf(error: unknown): readonly string[] {
  if (error instanceof GatewayError) throw error
  return []
}

function judged(policy: EgressPolicy, addresses: readonly string[]): readonly string[] {
  const objection = addresses.length === 0 ? 'does not resolve' : firstObjection(policy, addresses)
  if (objection !== null) throw new EgressRefusedError(objection)
  return addresses
}

// One address that is not public rules out the host, because we do not choose which address is used.
function firstObjection(policy: EgressPolicy, addresses: readonly string[]): string | null {
  for (const address of addresses) {
    const objection = policy.objectionTo(address)
    if (objection !== null) return objection
  }
  return null
}
