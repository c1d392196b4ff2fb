import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'
import { run, type Stages } from '#pipeline/run.ts'
import type { Reply } from '#pipeline/types.ts'
import { refusalHeaders, replyWithError, toGatewayError } from '../error-reply.ts'
import type { Dialect, ReplyContext } from '#dialects/dialect.ts'
import { refuseUnread } from '../forms/refuse-unread.ts'
import { type ArrivalDeps, HttpArrival, type ServedEndpoint } from './http-arrival.ts'
import type { HttpConnection } from './http-connection.ts'

export interface InferenceDeps extends ArrivalDeps {
  stages: Stages
  /** Called for errors before there is anything to record. */
  onRefused: (request: FastifyRequest, error: GatewayError) => void
}

/** The handler of an inference path: passes the request to the pipeline and sends the result. */
export function serveInference(deps: InferenceDeps, endpoint: ServedEndpoint) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const arrival = new HttpArrival(deps, endpoint, request, reply)
    // Fastify does nothing more for a handler that returns nothing, so it needs no promise. A body that came in one
    // packet with its headers is here a tick later, and then costs no wait.
    process.nextTick(serve, deps, arrival, request, reply)
  }
}

function serve(deps: InferenceDeps, arrival: HttpArrival, request: FastifyRequest, reply: FastifyReply): void {
  const { upload } = arrival
  const refused = (error: unknown): void => refuse(deps, arrival, { request, reply, error })
  const served = (result: Reply): void => {
    try {
      if (result.kind === 'document') arrival.connection.send(result)
    } catch (error) {
      refused(error)
    }
  }
  const running = run(deps.stages, arrival)
  // Files are deleted before the response, so that the client's next upload has room.
  void (upload === null ? running : running.finally(() => upload.discard())).then(served, refused)
}

function refuse(
  deps: InferenceDeps,
  arrival: HttpArrival,
  { request, reply, error }: { request: FastifyRequest; reply: FastifyReply; error: unknown },
): void {
  try {
    const refusal = toGatewayError(error)
    deps.onRefused(request, refusal)
    replyWithRefusal(arrival, reply, refusal)
  } catch (fault) {
    // Nothing waits for this handler, so a fault of ours must end here.
    if (reply.raw.headersSent) arrival.connection.drop()
    else reply.send(fault)
  }
}

function replyWithRefusal(arrival: HttpArrival, reply: FastifyReply, refusal: GatewayError): void {
  const { connection, dialect, upload, replyHeaders } = arrival
  // A keep-alive was sent before the error, so the status is already 200.
  if (connection.streaming) return breakOff(connection, failFrames(dialect, refusal, emptyContext(arrival)))
  connection.handOver()
  const body = dialect.errorBody(refusal, reply.request.id)
  if (upload?.isUnread !== true) return replyWithError(reply.headers(replyHeaders), refusal, body)
  const headers = { ...replyHeaders, ...refusalHeaders(refusal) }
  const ends = { request: reply.request.raw, response: reply.raw }
  void refuseUnread(ends, { status: refusal.row.status, headers, body }, upload.drainLimits)
}

function breakOff(connection: HttpConnection, frames: string | null): void {
  if (frames === null) return connection.drop()
  connection.write(frames)
  connection.end()
}

function failFrames(dialect: Dialect, error: GatewayError, context: ReplyContext): string | null {
  return dialect.family === 'conversation' ? dialect.createWriter(context).fail(error) : dialect.failFrames(error)
}

// A request that failed before its model was known has no other context.
function emptyContext({ replyHeaders, receivedAtMs }: HttpArrival): ReplyContext {
  const createdS = Math.floor(receivedAtMs / 1_000)
  return { id: replyHeaders['x-generation-id'], createdS, model: '', requestBody: {}, excludeReasoning: false }
}
