import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import type { EgressPolicy } from '#domain/egress/egress-policy.ts'
import { hostOf, judgeUrl, notPublic, type UrlVerdict } from '#domain/egress/judge-url.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Egress, ResolveHost } from '#ports/outbound.ts'
import { lookupWith } from './dns/lookup-with.ts'

/**
 * Keeps requests to addresses that accounts have chosen out of private networks. A literal is judged before anything is
 * opened, because no lookup is made for it. A name is looked up once for each connection: all its addresses are judged,
 * and the connection goes to one of exactly those, so that a second answer of its DNS changes nothing. The address that
 * was really reached is judged again before a byte of the request is sent. Redirects are not followed here.
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

// One that cannot be resolved leads nowhere, so nothing speaks against writing it down. One that was not looked up may.
function noneOf(error: unknown): readonly string[] {
  if (error instanceof GatewayError) throw error
  return []
}

function judged(policy: EgressPolicy, addresses: readonly string[]): readonly string[] {
  const objection = addresses.length === 0 ? 'does not resolve' : firstObjection(policy, addresses)
  if (objection !== null) throw new EgressRefusedError(objection)
  return addresses
}

// One address that is not public speaks against all of them: which one would be taken is not ours to say.
function firstObjection(policy: EgressPolicy, addresses: readonly string[]): string | null {
  for (const address of addresses) {
    const objection = policy.objectionTo(address)
    if (objection !== null) return objection
  }
  return null
}
