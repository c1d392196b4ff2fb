import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { errorText } from '#lib/error-text.ts'
import type { TextSocket } from '#lib/text-socket.ts'
import { SocketRefusedError, type Sockets } from '#ports/sockets.ts'
import { realtimeRequest } from '#providers/realtime/realtime-request.ts'
import { vendorOf } from './attempt/vendor-of.ts'
import { mediaTargetOf } from './prepare-request.ts'

/** A connection to the upstream that serves a session to its end. */
export interface Line {
  readonly candidate: Candidate
  readonly upstream: TextSocket
}

/** Opens the session at the first candidate that accepts it. */
export async function openLine(candidates: readonly Candidate[], sockets: Sockets): Promise<Line> {
  let failure = new GatewayError('noUpstream', { message: 'No provider accepted the session.' })
  for (const candidate of candidates) {
    try {
      const vendor = vendorOf(candidate)
      const upstream = await sockets.open(realtimeRequest(vendor, mediaTargetOf(candidate, vendor)))
      return { candidate, upstream }
    } catch (error) {
      failure = failureOf(error)
    }
  }
  throw failure
}

function failureOf(error: unknown): GatewayError {
  const inside = errorText(error)
  if (!(error instanceof SocketRefusedError)) {
    return new GatewayError('upstreamUnreachable', { message: 'The upstream could not be reached.', inside })
  }
  if (error.status === 401 || error.status === 403) {
    return new GatewayError('upstreamAuthFailed', {
      message: "The upstream rejected the gateway's credentials.",
      inside,
    })
  }
  if (error.status === 429) {
    return new GatewayError('upstreamRateLimited', { message: 'The upstream is rate limited.', inside })
  }
  return new GatewayError('upstreamUnavailable', { message: 'The upstream refused the session.', inside })
}
