import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorFrames } from '#dialects/chat/frames.ts'
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

export interface InferenceDeps {
  stages: Stages
  clientIp: (request: FastifyRequest) => string | null
  nowMs: () => number
  /** Refusals before there is anything to record. */
  onRefused: (request: FastifyRequest, error: GatewayError) => void
}

/** The handler of an inference path: hands the request to the pipeline and sends what comes back. */
export function serveInference(deps: InferenceDeps, endpoint: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const nowMs = deps.nowMs()
    const generationId = newUuid(nowMs)
    const fixedHeaders = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposedHeaders,
      'x-request-id': request.id,
      'x-generation-id': publicGenerationId(generationId),
    }
    const caller = new HttpCaller(reply.raw, { nowMs: deps.nowMs, takeOver: () => reply.hijack() })
    try {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      let body: JsonObject | undefined
      const arrival: Arrival = {
        generationId,
        receivedAtMs: nowMs,
        endpoint,
        authorization: request.headers.authorization,
        apiKey: undefined,
        clientIp: deps.clientIp(request),
        appName: appNameOf(request),
        // Read when a stage asks for it: whoever has no key gets no megabytes parsed.
        get body() {
          return (body ??= parseJsonBody(bytes))
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
        caller.write(errorFrames(refusal))
        caller.end()
        return reply
      }
      caller.handOver()
      replyWithError(reply.headers(fixedHeaders), refusal)
      return reply
    }
  }
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
