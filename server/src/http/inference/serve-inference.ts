import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { run, type Stages } from '#pipeline/run.ts'
import type { Arrival } from '#pipeline/types.ts'
import { replyWithError, toGatewayError } from '../error-reply.ts'
import { exposedHeaders } from '../plugins/cors.ts'
import { parseJsonBody } from '../parse-json-body.ts'
import { HttpCaller } from './http-caller.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

export interface InferenceDeps {
  stages: Stages
  clientIp: (request: FastifyRequest) => string | null
  nowMs: () => number
  /** Refusals before there is anything to record. */
  onRefused: (request: FastifyRequest, error: GatewayError) => void
}

/** The handler of an inference path: hands the request to the pipeline and sends what comes back. */
export function serveInference(
  deps: InferenceDeps,
  endpoint: Pick<InferenceEndpoint, 'dialect' | 'acceptsApiKeyHeader' | 'access'>,
) {
  const { dialect } = endpoint
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const nowMs = deps.nowMs()
    const generationId = newUuid(nowMs)
    const fixedHeaders = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposedHeaders,
      'x-request-id': request.id,
      'x-generation-id': publicGenerationId(generationId),
      ...dialect.replyHeaders?.(request.id),
    }
    const caller = new HttpCaller(reply.raw, { nowMs: deps.nowMs, takeOver: () => reply.hijack() })
    try {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      let body: JsonObject | undefined
      const arrival: Arrival = {
        generationId,
        receivedAtMs: nowMs,
        dialect,
        access: endpoint.access,
        authorization: request.headers.authorization,
        apiKey: endpoint.acceptsApiKeyHeader ? headerText(request, 'x-api-key') : undefined,
        clientIp: deps.clientIp(request),
        appName: appNameOf(request),
        freeFallback: headerText(request, 'x-free-fallback')?.trim().toLowerCase() !== 'false',
        // Read when a stage asks for it: whoever has no key gets no megabytes parsed.
        get body() {
          return (body ??= withBetas(parseJsonBody(bytes), request))
        },
        bodyBytes: bytes.length,
        caller,
        replyHeaders: fixedHeaders,
      }
      const result = await run(deps.stages, arrival)
      if (result.kind === 'handled') return reply.hijack()
      // Written straight to the socket: Fastify's own way of sending costs more than all our stages without I/O.
      caller.send(result.body, result.headers)
      return reply
    } catch (error) {
      const refusal = toGatewayError(error)
      deps.onRefused(request, refusal)
      if (caller.streaming) {
        // A keep-alive went out before the refusal, so the status is already 200.
        caller.write(dialect.createWriter(emptyContext(fixedHeaders['x-generation-id'], nowMs)).fail(refusal))
        caller.end()
        return reply
      }
      caller.handOver()
      replyWithError(reply.headers(fixedHeaders), refusal, dialect.errorBody(refusal, request.id))
      return reply
    }
  }
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Clients of the Messages API name beta features in a header; from here on they are a field like any other. */
function withBetas(body: JsonObject, request: FastifyRequest): JsonObject {
  const betas = headerText(request, 'anthropic-beta')
  return betas === undefined ? body : { ...body, betas: betas.split(',').map((beta) => beta.trim()) }
}

// A request that failed before its model was known has nothing else to say about itself.
function emptyContext(id: string, nowMs: number) {
  return { id, createdS: Math.floor(nowMs / 1_000), model: '', requestBody: {}, excludeReasoning: false }
}

const appNameMax = 100

function appNameOf(request: FastifyRequest): string | null {
  const name = request.headers['x-title'] || request.headers['x-openrouter-title']
  return typeof name === 'string' && name !== '' ? textOf(name).slice(0, appNameMax).toWellFormed() : null
}

// Node reads headers as Latin-1, while clients write UTF-8 into them.
function textOf(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}
