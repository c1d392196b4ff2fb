import { GatewayError } from '#errors/gateway-error.ts'
import { errorText } from '#lib/error-text.ts'
import type { AuthorizeRequest, Upstreams } from '#ports/upstream.ts'
import { fetchWhole } from './fetch-whole.ts'
import { createGoogleTokens } from './google-tokens.ts'
import { createSignRequest } from './sign-request.ts'

interface AuthorizeDeps {
  readonly upstreams: Upstreams
  /** The URL that issues tokens for Google's service accounts. */
  readonly googleTokenUrl: string
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

const mintTimeoutMs = 10_000
const answerBytesMax = 65_536

/** Authenticates requests to upstreams that need more than a header with the credential. */
export function createAuthorizeRequest({ upstreams, googleTokenUrl, nowMs, onError }: AuthorizeDeps): AuthorizeRequest {
  const sign = createSignRequest(nowMs)
  const { origin, pathname } = new URL(googleTokenUrl)
  const tokens = createGoogleTokens({
    tokenUrl: googleTokenUrl,
    nowMs,
    onError,
    post: (form) =>
      fetchWhole(
        upstreams,
        {
          origin,
          path: pathname,
          headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
          body: form,
          connectTimeoutMs: mintTimeoutMs,
          headersTimeoutMs: mintTimeoutMs,
          bodyTimeoutMs: mintTimeoutMs,
        },
        { timeoutMs: mintTimeoutMs, bytesMax: answerBytesMax },
      ),
  })
  return async (request, credential, way) => {
    if (way.kind === 'sigv4') return sign(request, credential, way.service)
    try {
      const shown = await tokens.headersFor(credential)
      return { ...request, headers: { ...request.headers, ...shown } }
    } catch (error) {
      // The client does not get Google's message, but the operator needs it.
      onError(error)
      throw new GatewayError('upstreamAuthFailed', {
        message: "The upstream rejected the gateway's credentials.",
        inside: errorText(error),
      })
    }
  }
}
