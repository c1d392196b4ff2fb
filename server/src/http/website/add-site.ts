import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'
import { replyWithError } from '../error-reply.ts'
import type { HostJudge } from './judge-host.ts'

interface Site {
  /** For error messages: `The console`. */
  readonly name: string
  /** For example `/console`. */
  readonly prefix: string
  readonly folder: string
  readonly publicOrigin: string | null
  readonly judgeHost: HostJudge
  /** The page for a path without a file, relative to the prefix: `/keys`. */
  readonly pageOf: (path: string) => Page
}

interface Page {
  /** Relative to the folder. */
  readonly file: string
  readonly status: 200 | 404
}

/** Serves files from a folder under a prefix, compressed at build time, with a policy that blocks external content. */
export function addSite(server: FastifyInstance, site: Site): void {
  const { prefix, folder } = site
  server.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => {
        if (!site.judgeHost(request))
          throw new GatewayError('notFound', { message: `${site.name} is at ${site.publicOrigin}${prefix}/.` })
      })
      // Not async: Fastify sends a second, empty reply if a handler resolves before the onSend hooks of the first one
      // have run.
      scope.setNotFoundHandler((request, reply) => {
        const path = request.url.replace(/\?.*/, '')
        if (isPage(request, path)) {
          const { file, status } = site.pageOf(path.slice(prefix.length))
          return void reply.code(status).sendFile(file)
        }
        replyWithError(reply, new GatewayError('notFound', { message: `No route for ${request.method} ${path}.` }))
      })
      await scope.register(fastifyStatic, {
        root: folder,
        index: 'index.html',
        preCompressed: true,
        dotfiles: 'ignore',
        cacheControl: false,
        etag: true,
        setHeaders,
      })
    },
    { prefix },
  )
}

// A missing file must not return a page, because a browser would try to run the page as a script. The version at the
// end of a model's id, as in `claude-haiku-4.5`, is not a file extension.
function isPage({ method }: FastifyRequest, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && !/\.[a-z]\w*$/i.test(path)
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const yearSeconds = 31_536_000

/** A hashed file never changes; the page names the hashed files, so a browser revalidates it every time. */
function setHeaders(reply: FastifyReply, path: string): void {
  const isHashed = /[/\\]assets[/\\]/.test(path)
  reply.headers({
    'cache-control': isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
}
