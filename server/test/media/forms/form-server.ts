import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createBodyBudget } from '#http/bodies/body-budget.ts'
import { type BodyReader, createBodyReader } from '#http/bodies/body-reader.ts'
import type { FormTerms } from '#http/inference/inference-endpoint.ts'
import { createUploadFolders } from '#http/forms/upload-folders.ts'
import { createUploadRoom } from '#http/forms/upload-room.ts'
import type { InferenceEndpoint } from '#http/inference/inference-endpoint.ts'
import { createServer } from '#http/server.ts'
import type { Principal } from '#domain/access/principal.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import type { JsonObject } from '#lib/json.ts'
import { realTimers } from '#lib/timers.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Stages } from '#pipeline/run.ts'

/** A form after the edge has parsed it. */
export interface Arrived {
  readonly fields: JsonObject
  readonly files: readonly { field: string; name: string; mediaType: string; bytes: Buffer }[]
  readonly byteCount: number
}

export interface FormServer {
  readonly url: string
  /** The folder of uploads in progress. */
  readonly place: string
  readonly arrived: readonly Arrived[]
  readonly refused: readonly GatewayError[]
  /** Paths of the requests that were processed. */
  readonly acted: readonly string[]
  /** The files currently on disk. */
  kept(): Promise<string[]>
  close(): Promise<void>
}

export const goodKey = 'Bearer good'

const form: FormTerms = {
  fileFields: ['image', 'mask'],
  orJson: false,
  sizes: { fileBytesMax: 1_048_576, bodyBytesMax: 4_194_304 },
}

const bodySizes = { conversationBytesMax: 10_485_760, recordingBytesMax: 10_485_760, mediaBytesMax: 10_485_760 }

interface FormServerOptions {
  perKeyMax?: number
  bytesMax?: number
  /** An hour by default, so that no slow test times out. */
  idleTimeoutMs?: number
  drainTimeoutMs?: number
  form?: Partial<FormTerms>
}

const unlimited = {
  connectionsMax: 1_000,
  addressConnectionsMax: 1_000,
  addressUnreadMax: 1_000,
  isProxy: () => false,
  clientIp: () => null,
  onRefused: () => {},
  elapsedMs: () => 0,
}

const nothingElse = {
  realtime: null,
  tracer: null,
  console: { folder: null, publicOrigin: null },
  docs: { site: null, publicOrigin: null },
  probes: { isPublic: false, readiness: never },
  ownOrigins: [],
}

const hourMs = 3_600_000

const uncalled = {
  identify: never,
  admit: never,
  showRate: never,
  writeAnswers: { claim: never, keep: never, forget: never },
  wait: never,
  onUnkept: never,
}

const noMemberships = {
  find: never,
  findPlace: never,
  findPlaceByWallet: never,
  findTeam: never,
  findMember: never,
  findKey: never,
}

function uploadLimits(options: FormServerOptions) {
  return {
    room: createUploadRoom({ perKeyMax: options.perKeyMax ?? 8, bytesMax: options.bytesMax ?? 1_000_000_000 }),
    idleTimeoutMs: options.idleTimeoutMs ?? hourMs,
    drainTimeoutMs: options.drainTimeoutMs ?? hourMs,
  }
}

/** The edge with one form endpoint, and behind it a pipeline that records the forms and answers 404. */
export async function startFormServer(options: FormServerOptions = {}): Promise<FormServer> {
  const place = await mkdtemp(join(tmpdir(), 'weir-forms-test-'))
  const folders = createUploadFolders(place)
  const arrived: Arrived[] = []
  const refused: GatewayError[] = []
  const acted: string[] = []
  const onRefused = (request: FastifyRequest, error: GatewayError): void => {
    acted.push(request.url)
    refused.push(error)
  }
  const bodies = createPatientReader()
  const uploads = { folders, ...uploadLimits(options) }
  const server = createServer({
    endpoints: [],
    inferenceEndpoints: [{ ...endpoint, form: { ...form, ...options.form } }],
    inference: {
      stages: stagesThatNote(arrived),
      clientIp: () => null,
      nowMs: Date.now,
      uploads,
      bodies,
      bodySizes,
      lookInto: async (body) => body,
      ownUrl: null,
      onRefused,
    },
    endpoint: {
      uploads,
      bodies,
      bodySizes,
      memberships: noMemberships,
      clientIp: () => null,
      nowMs: Date.now,
      ...uncalled,
      onBroken: onRefused,
    },
    signIn: {
      signIn: { sessions: { findPerson: never }, handle: never, begin: never },
      limitAttempts: never,
      devices: { find: never, issue: never },
      bodies,
      clientIp: () => null,
    },
    signOn: null,
    payments: { bodies, take: new Map() },
    scim: null,
    ...nothingElse,
    headTimeoutMs: 300_000,
    connections: unlimited,
    requests: { began: () => {}, ended: () => {} },
    onError: onRefused,
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    place,
    arrived,
    refused,
    acted,
    kept: () => readdir(place),
    close: async () => {
      server.server.closeAllConnections()
      await server.close()
      await rm(place, { recursive: true, force: true })
    },
  }
}

/** Accepts any body, however slowly it arrives. */
function createPatientReader(): BodyReader {
  return createBodyReader({
    budget: createBodyBudget({ bytesMax: 1_000_000_000, addressBytesMax: 1_000_000_000 }),
    running: createBodyBudget({ bytesMax: 1_000_000_000, addressBytesMax: 1_000_000_000 }),
    pace: { bytesPerSecondMin: 0, windowMs: hourMs },
    timers: realTimers,
    clientIp: () => null,
  })
}

/** Admits known clients and records the forms. */
function stagesThatNote(arrived: Arrived[]): Stages {
  return {
    ...unreached,
    authenticate: async ({ authorization }) => {
      if (authorization !== goodKey) throw new GatewayError('unauthenticated', { message: 'Who are you?' })
      return principal
    },
    receive: (arrival, who) => arrival.receive(who),
    admit: async () => ({}),
    recall: null,
    resume: null,
    readAttribution: (arrival) => ({ arrival, named: { customer: 'unused', tags: [], run: null } }),
    attribute: ({ principal: who }) => who,
    claim: async ({ arrival }) => ({ kind: 'claimed', arrival }),
    cache: async (input) => input,
    parse: ({ body, files, bodyBytes }) => {
      arrived.push({ fields: body, files: files.map(contentOf), byteCount: bodyBytes })
      throw new GatewayError('notFound', { message: 'It has arrived.' })
    },
  }
}

const endpoint: InferenceEndpoint = {
  dialect: chatDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'takeForm',
  paths: ['/v1/forms'],
  summary: 'Take a form',
  body: Type.Object({}),
  reply: Type.Object({}),
  errors: [],
}

const id = newUuid(0)

const principal: Principal = {
  keyId: id,
  keyName: 'good',
  keyType: 'standard',
  operatorRole: null,
  userId: id,
  organizationId: null,
  memberId: null,
  teamId: null,
  walletId: id,
  enabled: true,
  suspended: false,
  expiresAtMs: null,
  allowedCidrs: [],
  freeFallback: true,
  cacheTtlSeconds: null,
  keyCap: null,
  breaker: null,
  organization: null,
  institutionSession: null,
  customerToken: null,
  attribution: null,
  balance: nanoUsd(0n),
}

function never(): never {
  throw new Error('no form gets here')
}

const unreached = {
  guard: never,
  route: never,
  freeTier: never,
  hold: never,
  dispatch: never,
  settle: never,
  noteRefusal: () => {},
} satisfies Partial<Stages>

function contentOf({ field, name, mediaType, content }: FormFile): Arrived['files'][number] {
  return { field, name, mediaType, bytes: content.kind === 'disk' ? readFileSync(content.path) : content.bytes }
}
