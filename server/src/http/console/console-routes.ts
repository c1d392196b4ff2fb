import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'
import { replyWithError } from '../error-reply.ts'

export interface ConsoleDeps {
  /** The folder of the built console; null where it is off or was not built. */
  readonly folder: string | null
  /** Where people reach us; null: wherever the request says. */
  readonly publicOrigin: string | null
}

/**
 * The console under `/console/`: files from a folder, and for every other path there its one page, which knows the routes. A browser that
 * opens the bare host is sent there.
 */
export function addConsole(server: FastifyInstance, { folder, publicOrigin }: ConsoleDeps): void {
  if (folder === null) return
  const judgeHost = createHostJudge(publicOrigin)
  server.get('/', async (request, reply) => {
    if (request.headers.accept?.includes('text/html') !== true || !judgeHost(request)) return reply.callNotFound()
    return reply.redirect('/console/', 302)
  })
  server.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => {
        if (!judgeHost(request))
          throw new GatewayError('notFound', { message: `The console is at ${publicOrigin}/console/.` })
      })
      // Not async: Fastify sends a second, empty reply when a handler resolves before the onSend hooks of the first one have run.
      scope.setNotFoundHandler((request, reply) => {
        const path = request.url.replace(/\?.*/, '')
        if (isPage(request, path)) return void reply.sendFile('index.html')
        replyWithError(reply, new GatewayError('notFound', { message: `There is no ${request.method} ${path}.` }))
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
    { prefix: '/console' },
  )
}

/** The API's host is for programs: where the operator names the website's host, only that one shows the console. */
function createHostJudge(publicOrigin: string | null): (request: FastifyRequest) => boolean {
  if (publicOrigin === null) return () => true
  const { host } = new URL(publicOrigin)
  return (request) => request.headers.host === host
}

// A file that is missing must not be answered by a page: a browser would try to run it as a script. The version at the end of a model's
// id, as in `claude-haiku-4.5`, is no file's ending.
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

/** A hashed file never changes; the page names the hashed files, so a browser asks for it every time. */
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
