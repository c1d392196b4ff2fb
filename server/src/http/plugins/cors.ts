import { openRouterPrefix } from '../openrouter/prefix.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Browsers may call everything under `/v1` and its mounts from any origin, because keys are in a header, never in a
 * cookie.
 */
export function addCors(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!isApiRequest(request)) return done()
    reply.header('access-control-allow-origin', '*')
    if (request.method !== 'OPTIONS') return done()
    const asked = request.headers['access-control-request-headers']
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, PATCH, DELETE, OPTIONS')
      .header(
        'access-control-allow-headers',
        typeof asked === 'string' && headerList.test(asked) ? asked : 'authorization, content-type',
      )
      .header('access-control-max-age', '86400')
      .send()
  })
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (isApiRequest(request)) reply.header('access-control-expose-headers', exposedHeaders)
    done()
  })
}

const headerList = /^[\w-]+(?:\s*,\s*[\w-]+){0,50}$/
export const exposedHeaders =
  'x-request-id, x-generation-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, x-params-ignored, x-auto-resolved-model, x-weir-free-fallback, x-weir-replayed, x-weir-cache, x-weir-translated, x-weir-error'

// The matched route decides if there is one, because the URL may spell the same path with escapes or as an absolute
// URL.
function isApiRequest({ routePath, url }: FastifyRequest): boolean {
  const path = routePath ?? url.replace(/^https?:\/\/[^/]*/i, '')
  return path.startsWith('/v1') || path.startsWith('/api/v1') || path.startsWith(`${openRouterPrefix}/v1`)
}
