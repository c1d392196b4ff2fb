import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { outboundAccount } from '#domain/access/outbound-account.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { generationIdOf } from '#domain/ledger/request-id.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import { run, type Stages } from '#pipeline/run.ts'
import type { Arrival } from '#pipeline/types.ts'
import { refusalHeaders, replyWithError, toGatewayError } from '../error-reply.ts'
import { exposedHeaders } from '../plugins/cors.ts'
import type { Dialect, ReplyContext } from '#dialects/dialect.ts'
import { type BodyReader, bodyBytesMax } from '../bodies/body-reader.ts'
import type { FormLimits } from '../forms/form-limits.ts'
import { refuseUnread } from '../forms/refuse-unread.ts'
import { type ReadJson, Upload, type UploadDeps } from '../forms/upload.ts'
import { basePathOf } from '../base-path-of.ts'
import type { UnsentAnswers } from '../unsent-answers.ts'
import { HttpConnection } from './http-connection.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

export interface InferenceDeps {
  stages: Stages
  clientIp: (request: FastifyRequest) => string | null
  nowMs: () => number
  uploads: UploadDeps
  bodies: Pick<BodyReader, 'readJson'>
  /** Runs the checks that a body alone cannot answer, such as whether a URL is public. */
  lookInto: (body: JsonObject, orderer: { account: string; ownUrl: string }) => Promise<JsonObject>
  /** The public URL; null to use the request's host. */
  ownUrl: string | null
  /** Responses that clients have not read yet. */
  unsent: Pick<UnsentAnswers, 'watch'>
  /** Called for errors before there is anything to record. */
  onRefused: (request: FastifyRequest, error: GatewayError) => void
}

type ServedEndpoint = Pick<
  InferenceEndpoint,
  'dialect' | 'acceptsApiKeyHeader' | 'access' | 'form' | 'readForm' | 'looksInto' | 'numbersMax'
>

/**
 * The handler of an inference path: passes the request to the pipeline and sends the result. The time in the request's
 * id counts as its start in lists, sums and partitions.
 */
export function serveInference(deps: InferenceDeps, endpoint: ServedEndpoint) {
  const { dialect } = endpoint
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const generationId = generationIdOf(request.id)
    const nowMs = uuidTimeMs(generationId)
    const fixedHeaders = headersOf(dialect, request.id, publicGenerationId(generationId))
    const connection = connectionOf(deps, reply)
    const readJson = () => readJsonBody(deps, endpoint, { request, reply })
    const upload = uploadOf(deps, endpoint, { request, reply, readJson })
    try {
      let received: { body: JsonObject; byteCount: number } | null = null
      const address = addressOf(deps, request)
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
        get body() {
          return received?.body ?? upload?.fields ?? {}
        },
        get files() {
          return upload?.files ?? []
        },
        isCostlyToReceive: upload !== null || endpoint.looksInto === true,
        receive: async (principal) => {
          if (upload !== null) await upload.receive(principal.keyId)
          if (upload !== null && endpoint.readForm === undefined) return
          const { body, byteCount } = upload === null ? await readJson() : readFields(endpoint, upload)
          const orderer = { account: outboundAccount(principal), ownUrl: address.ownUrl }
          const known = endpoint.looksInto === true ? deps.lookInto(body, orderer) : withBetas(body, request)
          received = { body: await known, byteCount }
        },
        get bodyBytes() {
          return received?.byteCount ?? upload?.byteCount ?? 0
        },
        wantsEvents: headerText(request, 'accept')?.includes('text/event-stream') === true,
        connection,
        ...address,
        replyHeaders: fixedHeaders,
        trace: request.trace,
      }
      // Files are deleted before the response, so that the client's next upload has room.
      const result = await run(deps.stages, arrival).finally(() => upload?.discard())
      if (result.kind === 'handled') return reply.hijack()
      connection.send(result)
      return reply
    } catch (error) {
      const refusal = toGatewayError(error)
      deps.onRefused(request, refusal)
      if (connection.streaming) {
        // A keep-alive was sent before the error, so the status is already 200.
        breakOff(connection, failFrames(dialect, refusal, emptyContext(fixedHeaders['x-generation-id'], nowMs)))
        return reply
      }
      connection.handOver()
      const errorBody = dialect.errorBody(refusal, request.id)
      if (upload?.isUnread === true) {
        const headers = { ...fixedHeaders, ...refusalHeaders(refusal) }
        return refuseUpload(reply, upload, { status: refusal.row.status, headers, body: errorBody })
      }
      replyWithError(reply.headers(fixedHeaders), refusal, errorBody)
      return reply
    }
  }
}

/** The body of a request that is or may be a form; null if only JSON is accepted. */
function uploadOf(
  { uploads }: Pick<InferenceDeps, 'uploads'>,
  endpoint: Pick<InferenceEndpoint, 'form' | 'readForm'>,
  { request, reply, readJson }: { request: FastifyRequest; reply: FastifyReply; readJson: ReadJson },
): Upload | null {
  const limits = formOf(endpoint, request)
  const ends = { request: request.raw, response: reply.raw }
  return limits === undefined ? null : new Upload(ends, limits, { ...uploads, readJson })
}

/** The form limits, if this request is a form. */
function formOf(
  { form, readForm }: Pick<InferenceEndpoint, 'form' | 'readForm'>,
  { headers }: FastifyRequest,
): FormLimits | undefined {
  const isForm = headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true
  return readForm !== undefined && isForm ? textForm : form
}

const textForm: FormLimits = { fileFields: [], fileBytesMax: 0, bodyBytesMax, orJson: false }

function readFields({ readForm }: Pick<InferenceEndpoint, 'readForm'>, { fields, byteCount }: Upload) {
  return { body: readForm?.(fields) ?? fields, byteCount }
}

async function readJsonBody(
  { bodies }: Pick<InferenceDeps, 'bodies'>,
  { numbersMax }: Pick<InferenceEndpoint, 'numbersMax'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<{ body: JsonObject; byteCount: number }> {
  const json = numbersMax === undefined ? {} : { numbersMax }
  const { body, byteCount } = await bodies.readJson(request, reply, { json })
  if (body === null) throw malformed('The request body is empty.')
  return { body, byteCount }
}

async function refuseUpload(reply: FastifyReply, upload: Upload, answer: Parameters<typeof refuseUnread>[1]) {
  reply.hijack()
  await refuseUnread({ request: reply.request.raw, response: reply.raw }, answer, upload.drainLimits)
  return reply
}

function headersOf(dialect: Dialect, requestId: string, generationId: string) {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders,
    'x-request-id': requestId,
    'x-generation-id': generationId,
    ...dialect.replyHeaders?.(requestId),
  }
}

function breakOff(connection: HttpConnection, frames: string | null): void {
  if (frames === null) return connection.drop()
  connection.write(frames)
  connection.end()
}

function failFrames(dialect: Dialect, error: GatewayError, context: ReplyContext): string | null {
  return dialect.family === 'conversation' ? dialect.createWriter(context).fail(error) : dialect.failFrames(error)
}

const hostForm = /^[a-z0-9.-]+(?::\d+)?$|^\[[0-9a-f:]+\](?::\d+)?$/i

function connectionOf({ nowMs, unsent }: InferenceDeps, reply: FastifyReply): HttpConnection {
  return new HttpConnection(reply.raw, { nowMs, takeOver: () => reply.hijack(), unsent })
}

/** The path prefix of the request, and our URL with it. */
function addressOf(deps: Pick<InferenceDeps, 'ownUrl'>, request: FastifyRequest): Pick<Arrival, 'basePath' | 'ownUrl'> {
  const basePath = basePathOf(request)
  return { basePath, ownUrl: `${deps.ownUrl ?? originOf(request)}${basePath}` }
}

function originOf(request: FastifyRequest): string {
  const { host } = request.headers
  return host !== undefined && hostForm.test(host) ? `${request.protocol}://${host}` : ''
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Clients of the Messages API send beta features in a header; from here on they are a field. */
function withBetas(body: JsonObject, request: FastifyRequest): JsonObject {
  const betas = headerText(request, 'anthropic-beta')
  return betas === undefined ? body : { ...body, betas: betas.split(',').map((beta) => beta.trim()) }
}

// A request that failed before its model was known has no other context.
function emptyContext(id: string, nowMs: number) {
  return { id, createdS: Math.floor(nowMs / 1_000), model: '', requestBody: {}, excludeReasoning: false }
}

const appNameMax = 100

function appNameOf(request: FastifyRequest): string | null {
  const name = request.headers['x-title'] || request.headers['x-openrouter-title']
  return typeof name === 'string' && name !== '' ? textOf(name).slice(0, appNameMax).toWellFormed() : null
}

// Node decodes headers as Latin-1, while clients write UTF-8 into them.
function textOf(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}
