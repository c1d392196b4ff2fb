import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { errorText } from '#lib/error-text.ts'
import { createAuthorizeRequest } from '#net/authorize-request.ts'
import type { AuthorizeRequest, Upstreams } from '#ports/upstream.ts'

interface AuthorizeDeps {
  readonly config: Pick<Config, 'upstream'>
  readonly logger: Logger
  readonly network: Upstreams
  readonly nowMs: () => number
}

/** Signatures and tokens for upstreams that do not take a plain key. */
export function wireAuthorize({ config, logger, network, nowMs }: AuthorizeDeps): AuthorizeRequest {
  return createAuthorizeRequest({
    upstreams: network,
    googleTokenUrl: config.upstream.googleTokenUrl,
    nowMs,
    onError: (error) =>
      logger.warn(
        { error: errorText(error) },
        'no new token for a Google service account; the current token stays in use',
      ),
  })
}
