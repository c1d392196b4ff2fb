import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
  type RouteOptions,
} from 'fastify'
import type { Tracer } from '#domain/tracing/tracer.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type ConnectionLimits, limitConnections } from './connection-limits.ts'
import { addConsole, type ConsoleDeps } from './console/console-routes.ts'
import { addDocs, type DocsDeps } from './docs/docs-routes.ts'
import { deferContinue } from './forms/expect-continue.ts'
import { isClosing } from './forms/refuse-unread.ts'
import type { Endpoint, ErrorForm } from './endpoint.ts'
import { replyWithError, toGatewayError } from './error-reply.ts'
import type { InferenceEndpoint } from './inference/inference-endpoint.ts'
import { type InferenceDeps, serveInference } from './inference/serve-inference.ts'
import { noteRoutes } from './note-routes.ts'
import { openApiDocument } from './openapi/document.ts'
import { openRouterEndpoints, openRouterInference } from './openrouter/openrouter-mount.ts'
import { addProbes, type OperatingDeps } from './operating/operating-routes.ts'
import { addCors } from './plugins/cors.ts'
import { realtimeEndpoint } from './realtime/realtime-endpoint.ts'
import { isUpgrade, type RealtimeRouteDeps, routeUpgrades, serveRealtime } from './realtime/realtime-route.ts'
import { refuseMalformedHttp } from './refuse-malformed-http.ts'
import { refuseForeignOrigins } from './plugins/session.ts'
import { isViewable, refuseInViews } from './plugins/views.ts'
import { createRequestIds } from './request-ids.ts'
import { type EndpointDeps, serveEndpoint } from './serve-endpoint.ts'
import { UnsentAnswers } from './unsent-answers.ts'
import { addWebhookRoutes, type WebhookRouteDeps } from './payments/webhook-route.ts'
import { addScimRoutes, type ScimRouteDeps } from './provisioning/scim-routes.ts'
import { traceRequests } from './trace-requests.ts'
import { type RequestWatch, watchRequests } from './watch-requests.ts'
import { addSignInRoutes, type SignInRouteDeps } from './sign-in/sign-in-routes.ts'
import { addSignOnRoutes, type SignOnRouteDeps } from './sign-on/sign-on-routes.ts'

interface ServerDeps {
  endpoints: readonly Endpoint[]
  inferenceEndpoints: readonly InferenceEndpoint[]
  inference: Omit<InferenceDeps, 'unsent'>
  endpoint: Omit<EndpointDeps, 'unsent'>
  /** Null for a server without realtime sessions, as while a gateway warms up. */
  realtime: RealtimeRouteDeps | null
  signIn: SignInRouteDeps
  /** Null if there is no sign-on, as while a gateway warms up. */
  signOn: SignOnRouteDeps | null
  payments: WebhookRouteDeps
  /** Null for a server without provisioning. */
  scim: ScimRouteDeps | null
  console: ConsoleDeps
  docs: DocsDeps
  /** Whether the public port also serves health and readiness. */
  probes: { isPublic: boolean; readiness: OperatingDeps['readiness'] }
  ownOrigins: readonly string[]
  /** Timeout for the headers of a request. */
  headTimeoutMs: number
  connections: ConnectionLimits
  onError: (request: FastifyRequest, error: GatewayError) => void
  /** Called for every request. */
  requests: RequestWatch
  /** Null if tracing is off. */
  tracer: Tracer | null
}

// Timeout for the whole request, headers and body, if the sender's speed is not checked.
const requestTimeoutMs = 300_000
// How often Node checks for late headers.
const connectionsCheckMs = 1_000

/** The edge: an explicit route table from the endpoint definitions, without rules of its own. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const server = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    genReqId: createRequestIds(deps.inference.nowMs),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 75_000,
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: deps.headTimeoutMs,
      connectionsCheckingInterval: connectionsCheckMs,
      shouldUpgradeCallback: (request) => deps.realtime !== null && isUpgrade(request),
    },
    clientErrorHandler: refuseMalformedHttp,
    // Handles paths that the router itself rejects, before any hook has run.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', 'x-request-id': request.id })
      replyWithError(reply, toGatewayError(error))
    },
    return503OnClosing: false,
  })
  noteRoutes(server)
  watchRequests(server, deps.requests)
  traceRequests(server, deps.tracer)
  ignoreAfterClosing(server)
  limitConnections(server, deps.connections)
  deferContinue(server)
  addCors(server)
  refuseForeignOrigins(server, deps.ownOrigins)
  refuseInViews(server)
  refuseEncodings(server)
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  // Handlers read bodies themselves, after authentication.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(/^application\/json(?:\s*;|$)/, (_request, _payload, done) => done(null))
  const refuseAs = (form?: ErrorForm) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = toGatewayError(error)
    deps.onError(request, refusal)
    reply.headers(form?.replyHeaders?.(request.id) ?? {})
    replyWithError(reply, refusal, form?.errorBody(refusal, request.id))
  }
  server.setErrorHandler(refuseAs())
  const unsent = new UnsentAnswers()
  refuseUnknownPaths(server, [...deps.inferenceEndpoints.map(asPost), ...deps.endpoints])
  for (const endpoint of [...deps.inferenceEndpoints, ...openRouterInference(deps.inferenceEndpoints)]) {
    for (const path of endpoint.paths) {
      for (const url of mounts(path)) {
        const errorHandler = refuseAs(endpoint.dialect)
        const handler = serveInference({ ...deps.inference, unsent }, endpoint)
        const options = { config: { ignoresSession: true as const }, errorHandler, onRequest: skipToHandler(handler) }
        const add = (scope: FastifyInstance) => scope.post(url, options, handler)
        if (endpoint.form !== undefined) addUploadRoute(server, add)
        else if (endpoint.readForm !== undefined) addFormRoute(server, add)
        else add(server)
      }
    }
  }
  addEndpoints(server, deps, { unsent, refuseAs })
  if (deps.realtime !== null) routeUpgrades(server)
  addOtherRoutes(server, deps)
  return server
}

/** Everything but inference. A realtime session is an endpoint that becomes a WebSocket. */
function addEndpoints(
  server: FastifyInstance,
  deps: ServerDeps,
  {
    unsent,
    refuseAs,
  }: { unsent: UnsentAnswers; refuseAs: (form?: ErrorForm) => NonNullable<RouteOptions['errorHandler']> },
): void {
  for (const endpoint of [...deps.endpoints, ...openRouterEndpoints(deps.endpoints)]) {
    const plain = serveEndpoint({ ...deps.endpoint, unsent }, endpoint)
    const handler =
      endpoint === realtimeEndpoint && deps.realtime !== null ? serveRealtime(deps.realtime, plain) : plain
    const method = endpoint.alsoHead === true ? [endpoint.method, 'HEAD'] : endpoint.method
    const config = { isViewable: isViewable(endpoint) }
    for (const url of endpoint.paths.flatMap(mounts)) {
      const route = { method, url, config, handler, errorHandler: refuseAs(endpoint.errorForm) }
      if (endpoint.form === undefined) server.route(route)
      else addUploadRoute(server, (scope) => scope.route(route))
    }
  }
}

/** Routes that are no endpoints: each family has its own credential or content. */
function addOtherRoutes(server: FastifyInstance, deps: ServerDeps): void {
  addOpenApi(server, deps)
  addSignInRoutes(server, deps.signIn)
  if (deps.signOn !== null) addSignOnRoutes(server, deps.signOn)
  addWebhookRoutes(server, deps.payments)
  if (deps.scim !== null) addScimRoutes(server, deps.scim)
  addConsole(server, deps.console)
  addDocs(server, deps.docs)
  if (deps.probes.isPublic) addProbes(server, deps.probes.readiness)
}

/** The document is generated on first request: that takes 50 ms, for which start-up should not wait. */
function addOpenApi(
  server: FastifyInstance,
  { endpoints, inferenceEndpoints }: Pick<ServerDeps, 'endpoints' | 'inferenceEndpoints'>,
): void {
  let document: string | undefined
  server.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(endpoints, inferenceEndpoints))
    return reply.type('application/json').send(document)
  })
}

/**
 * The last hook of an inference route. Fastify would still choose a parser for the content type, within an async
 * resource, though no parser reads the body. Requests with the usual content type go to their handler from here.
 */
function skipToHandler(handler: (request: FastifyRequest, reply: FastifyReply) => void): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.headers['content-type'] === 'application/json') handler(request, reply)
    else done()
  }
}

/** A route whose handler also checks the content type, after authentication. */
function addUploadRoute(server: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    // Fastify would reject a malformed content type before authentication. The raw request keeps it.
    scope.addHook('onRequest', (request, _reply, done) => {
      request.headers = { 'content-type': 'application/octet-stream' }
      done()
    })
    add(scope)
  })
}

/** A route that accepts a form besides JSON. */
function addFormRoute(server: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  server.register(async (scope) => {
    scope.addContentTypeParser(/^multipart\/form-data(?:\s*;|$)/i, (_request, _payload, done) => done(null))
    add(scope)
  })
}

/** Every path under `/v1` is also mounted under the legacy prefix; those of the website are not. */
function mounts(path: string): string[] {
  return path.startsWith('/v1/') ? [path, `/api${path}`] : [path]
}

// A rejected upload closes its connection; bytes after it may be the upload's own and are ignored.
function ignoreAfterClosing(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (isClosing(request.raw.socket)) reply.hijack()
    else done()
  })
}

// A compressed body could expand a thousandfold; no client needs one.
function refuseEncodings(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      throw new GatewayError('unsupportedMediaType', { message: 'Compressed request bodies are not accepted.' })
    }
    // A proxy may parse a list of codings differently, and see another end of the body.
    const transfer = request.headers['transfer-encoding']
    if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
      const headers = { connection: 'close' }
      throw new GatewayError('malformedRequest', {
        message: 'Only the chunked transfer encoding is supported.',
        headers,
      })
    }
    done()
  })
}

const asPost = ({ paths }: InferenceEndpoint) => ({ method: 'POST', paths })

/** Suggests the right path to a client that omitted `/v1` from its base URL, or has it twice. */
function refuseUnknownPaths(
  server: FastifyInstance,
  endpoints: readonly { readonly method: string; readonly paths: readonly string[] }[],
): void {
  const known = new Set(endpoints.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`)))
  server.setNotFoundHandler(({ method, url }, reply) => {
    const [path = ''] = url.split('?')
    const alike = [`/v1${path}`, path.replace(/^\/(?:api\/)?v1\/v1\//, '/v1/')]
    const meant = alike.find((other) => known.has(`${method} ${other}`))
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    replyWithError(reply, new GatewayError('notFound', { message: `No route for ${method} ${path}.${hint}` }))
  })
}
