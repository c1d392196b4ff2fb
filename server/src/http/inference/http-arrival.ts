import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { outboundAccount } from '#domain/access/outbound-account.ts'
import type { Principal } from '#domain/access/principal.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { generationIdOf } from '#domain/ledger/request-id.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import { malformed } from '#errors/malformed.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { Arrival } from '#pipeline/types.ts'
import type { Dialect } from '#dialects/dialect.ts'
import { basePathOf } from '../base-path-of.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { type BodySizes, bodyBytesMaxOf } from '../bodies/body-sizes.ts'
import type { FormLimits } from '../forms/form-limits.ts'
import { Upload, type UploadDeps } from '../forms/upload.ts'
import { exposedHeaders } from '../plugins/cors.ts'
import type { UnsentAnswers } from '../unsent-answers.ts'
import { HttpConnection } from './http-connection.ts'
import type { AnswerShape } from '../openrouter/shape-answers.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

export interface ArrivalDeps {
  clientIp: (request: FastifyRequest) => string | null
  nowMs: () => number
  uploads: UploadDeps
  bodies: Pick<BodyReader, 'readJson' | 'readArrivedJson'>
  bodySizes: BodySizes
  /** Runs the checks that a body alone cannot answer, such as whether a URL is public. */
  lookInto: (body: JsonObject, orderer: { account: string; ownUrl: string }) => Promise<JsonObject>
  /** The public URL; null to use the request's host. */
  ownUrl: string | null
  /** Responses that clients have not read yet. */
  unsent: Pick<UnsentAnswers, 'watch'>
}

export type ServedEndpoint = Pick<
  InferenceEndpoint,
  'dialect' | 'acceptsApiKeyHeader' | 'access' | 'form' | 'readForm' | 'takesRecordings' | 'looksInto' | 'numbersMax'
> & { readonly shape?: AnswerShape }

interface Received {
  readonly body: JsonObject
  readonly byteCount: number
}

/**
 * An inference request as the pipeline sees it. The time in the request's id counts as its start in lists, sums and
 * partitions.
 */
export class HttpArrival implements Arrival {
  readonly generationId: Uuid
  readonly receivedAtMs: number
  readonly dialect: Dialect
  readonly access: Arrival['access']
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly clientIp: string | null
  readonly appName: string | null
  readonly attribution: Arrival['attribution']
  readonly maxCost: string | undefined
  readonly freeFallback: boolean
  readonly idempotencyKey: string | undefined
  readonly isCostlyToReceive: boolean
  body: JsonObject = {}
  files: readonly FormFile[] = []
  bodyBytes = 0
  readonly wantsEvents: boolean
  readonly connection: HttpConnection
  readonly basePath: Arrival['basePath']
  readonly ownUrl: string
  readonly replyHeaders: ReturnType<typeof headersOf>
  readonly trace: Arrival['trace']
  /** The body of a request that is or may be a form; null if only JSON is accepted. */
  readonly upload: Upload | null
  readonly #deps: ArrivalDeps
  readonly #endpoint: ServedEndpoint
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply

  constructor(deps: ArrivalDeps, endpoint: ServedEndpoint, request: FastifyRequest, reply: FastifyReply) {
    this.#deps = deps
    this.#endpoint = endpoint
    this.#request = request
    this.#reply = reply
    this.generationId = generationIdOf(request.id)
    this.receivedAtMs = uuidTimeMs(this.generationId)
    this.dialect = endpoint.dialect
    this.access = endpoint.access
    this.authorization = request.headers.authorization
    this.apiKey = endpoint.acceptsApiKeyHeader ? headerText(request, 'x-api-key') : undefined
    this.clientIp = deps.clientIp(request)
    this.appName = appNameOf(request)
    this.attribution = attributionOf(request)
    this.maxCost = headerText(request, 'x-weir-max-cost')
    this.freeFallback = headerText(request, 'x-free-fallback')?.trim().toLowerCase() !== 'false'
    this.idempotencyKey = headerText(request, 'idempotency-key')
    this.upload = this.#openUpload()
    this.isCostlyToReceive = this.upload !== null || endpoint.looksInto === true
    this.wantsEvents = headerText(request, 'accept')?.includes('text/event-stream') === true
    this.connection = new HttpConnection(reply.raw, deps, this.#shapedBy(endpoint.shape))
    this.basePath = basePathOf(request)
    this.ownUrl = `${deps.ownUrl ?? originOf(request)}${this.basePath}`
    this.replyHeaders = headersOf(endpoint.dialect, request.id, publicGenerationId(this.generationId))
    this.trace = request.trace
  }

  /** Not a method of the prototype, because a later stage copies the arrival. */
  readonly receive = (principal: Principal): Promise<void> => {
    if (this.isCostlyToReceive) return this.#receiveCostly(principal)
    try {
      const arrived = this.#deps.bodies.readArrivedJson(this.#request, this.#reply, this.#jsonLimits)
      if (arrived === null) return this.#readJson().then((read) => this.#keep(withBetas(read, this.#request)))
      this.#keep(withBetas(assertBody(arrived), this.#request))
      return nothingToWaitFor
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async #receiveCostly(principal: Principal): Promise<void> {
    const { upload } = this
    if (upload !== null) {
      await upload.receive(principal.keyId)
      this.#keep({ body: upload.fields, byteCount: upload.byteCount })
      this.files = upload.files
      if (this.#endpoint.readForm === undefined) return
    }
    const { body, byteCount } = upload === null ? await this.#readJson() : readFields(this.#endpoint, upload)
    const orderer = { account: outboundAccount(principal), ownUrl: this.ownUrl }
    const isLookedInto = this.#endpoint.looksInto === true
    const read = { body: isLookedInto ? await this.#deps.lookInto(body, orderer) : body, byteCount }
    this.#keep(isLookedInto ? read : withBetas(read, this.#request))
  }

  #keep({ body, byteCount }: Received): void {
    this.body = body
    this.bodyBytes = byteCount
  }

  async #readJson(): Promise<Received> {
    const limits = { bytesMax: this.#bytesMax, json: this.#jsonLimits }
    return assertBody(await this.#deps.bodies.readJson(this.#request, this.#reply, limits))
  }

  get #bytesMax(): number {
    return bodyBytesMaxOf(this.#endpoint, this.#deps.bodySizes)
  }

  get #jsonLimits(): { numbersMax?: number } {
    const { numbersMax } = this.#endpoint
    return numbersMax === undefined ? {} : { numbersMax }
  }

  #shapedBy(shape: AnswerShape | undefined): ConstructorParameters<typeof HttpConnection>[2] {
    if (shape === undefined) return null
    const answer = () => ({
      id: publicGenerationId(this.generationId),
      createdS: Math.floor(this.receivedAtMs / 1_000),
      model: stringAt(this.body, 'model') ?? '',
    })
    return { shape, answer }
  }

  #openUpload(): Upload | null {
    const limits = formOf(this.#endpoint, { bytesMax: this.#bytesMax, headers: this.#request.headers })
    if (limits === undefined) return null
    const ends = { request: this.#request.raw, response: this.#reply.raw }
    return new Upload(ends, limits, { ...this.#deps.uploads, readJson: () => this.#readJson() })
  }
}

const nothingToWaitFor = Promise.resolve()

function assertBody({ body, byteCount }: { body: JsonObject | null; byteCount: number }): Received {
  if (body === null) throw malformed('The request body is empty.')
  return { body, byteCount }
}

/** The form limits, if this request is a form. */
function formOf(
  { form, readForm }: Pick<InferenceEndpoint, 'form' | 'readForm'>,
  { bytesMax, headers }: { bytesMax: number; headers: FastifyRequest['headers'] },
): FormLimits | undefined {
  const isForm = headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true
  if (readForm !== undefined && isForm)
    return { fileFields: [], fileBytesMax: 0, bodyBytesMax: bytesMax, jsonBytesMax: null }
  if (form === undefined) return undefined
  const { fileFields, orJson, sizes = { fileBytesMax: bytesMax, bodyBytesMax: bytesMax } } = form
  return { fileFields, ...sizes, jsonBytesMax: orJson ? bytesMax : null }
}

function readFields({ readForm }: Pick<InferenceEndpoint, 'readForm'>, { fields, byteCount }: Upload): Received {
  return { body: readForm?.(fields) ?? fields, byteCount }
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

const hostForm = /^[a-z0-9.-]+(?::\d+)?$|^\[[0-9a-f:]+\](?::\d+)?$/i

function originOf(request: FastifyRequest): string {
  const { host } = request.headers
  return host !== undefined && hostForm.test(host) ? `${request.protocol}://${host}` : ''
}

export function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

export function attributionOf(request: FastifyRequest): Arrival['attribution'] {
  const customer = headerText(request, 'x-weir-customer')
  const tags = headerText(request, 'x-weir-tags')
  const run = headerText(request, 'x-weir-run')
  const runBudget = headerText(request, 'x-weir-run-budget')
  const parentRun = headerText(request, 'x-weir-parent-run')
  const runRules = headerText(request, 'x-weir-run-rules')
  const first = customer ?? tags ?? run ?? runBudget ?? parentRun ?? runRules
  return first === undefined ? null : { customer, tags, run, runBudget, parentRun, runRules }
}

/** Clients of the Messages API send beta features in a header; from here on they are a field. */
function withBetas({ body, byteCount }: Received, request: FastifyRequest): Received {
  const betas = headerText(request, 'anthropic-beta')
  if (betas === undefined) return { body, byteCount }
  return { body: { ...body, betas: betas.split(',').map((beta) => beta.trim()) }, byteCount }
}

const appNameMax = 100

export function appNameOf(request: FastifyRequest): string | null {
  const name = request.headers['x-title'] || request.headers['x-openrouter-title']
  return typeof name === 'string' && name !== '' ? textOf(name).slice(0, appNameMax).toWellFormed() : null
}

// Node decodes headers as Latin-1, while clients write UTF-8 into them.
function textOf(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}
