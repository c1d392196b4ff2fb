import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from '#domain/access/client-network.ts'
import type { JsonObject } from '#lib/json.ts'
import { letSend } from '../forms/expect-continue.ts'
import { noteDrain } from '../forms/refuse-unread.ts'
import {
  type BodyLimits,
  assertJsonBody,
  parseExactJsonBody,
  parseJsonBody,
  parseLargeJsonBody,
} from '../parse-json-body.ts'
import type { BodyBudget } from './body-budget.ts'
import { accountBodyBytesMax } from './body-sizes.ts'
import { type ReceivedBody, type ReceiveDeps, type ReceiveTerms, receiveBody } from './receive-body.ts'

export interface BodyReader {
  /** The bytes of a body. Release them once they are parsed. */
  receive(request: FastifyRequest, reply: FastifyReply, bytesMax?: number): Promise<ReceivedBody>
  /** The body as an object, and its size; empty if there is none. */
  readJson(
    request: FastifyRequest,
    reply: FastifyReply,
    limits?: { bytesMax?: number; json?: Partial<BodyLimits>; hasAmounts?: boolean },
  ): Promise<JsonBody>
  /** The same without waiting. Null unless the whole body has arrived, as most do together with their headers. */
  readArrivedJson(request: FastifyRequest, reply: FastifyReply, json?: Partial<BodyLimits>): JsonBody | null
}

interface JsonBody {
  readonly body: JsonObject | null
  readonly byteCount: number
}

/** Reads the bodies of requests after authentication. */
export function createBodyReader(
  deps: ReceiveDeps & {
    /** The limit on large parsed bodies, until their requests end. */
    readonly running: BodyBudget
    readonly clientIp: (request: FastifyRequest) => string | null
  },
): BodyReader {
  const begin = (
    request: FastifyRequest,
    reply: FastifyReply,
    terms: Omit<ReceiveTerms, 'addressOf'>,
  ): Promise<ReceivedBody> => {
    noteDrain(request.raw, terms.bytesMax)
    letSend(request.raw, reply.raw)
    return receiveBody(request.raw, { ...terms, addressOf: () => clientNetwork(deps.clientIp(request)) }, deps)
  }
  /** The parsed body stays in memory until the response ends. */
  const countUntilClosed = (byteCount: number, request: FastifyRequest, { raw }: FastifyReply): void => {
    const account = deps.running.open(clientNetwork(deps.clientIp(request)))
    account.add(byteCount)
    if (raw.destroyed) account.close()
    else raw.once('close', () => account.close())
  }
  return {
    receive: (request, reply, bytesMax = accountBodyBytesMax) => begin(request, reply, { bytesMax }),
    readJson: async (request, reply, { bytesMax = accountBodyBytesMax, json, hasAmounts = false } = {}) => {
      if (!hasBody(request)) return { body: null, byteCount: 0 }
      const assertBegin = (bytes: Buffer): void => assertJsonBody(bytes, json)
      const { bytes, release } = await begin(request, reply, { bytesMax, assertBegin })
      try {
        if (bytes.length >= largeBytesMin) countUntilClosed(bytes.length, request, reply)
        const parsed = parse(bytes, json, hasAmounts)
        return { body: parsed instanceof Promise ? await parsed : parsed, byteCount: bytes.length }
      } finally {
        release()
      }
    },
    readArrivedJson: (request, reply, json) => {
      const bytes = takeArrived(request.raw)
      if (bytes === null) return null
      letSend(request.raw, reply.raw)
      return { body: parseJsonBody(bytes, json), byteCount: bytes.length }
    },
  }
}

/** From this size on, parsing a body blocks the event loop noticeably, and its values take noticeable memory. */
const largeBytesMin = 1_048_576

/** Keeping all digits takes a function call per value. Amounts come in small bodies. */
const exactBytesMax = 65_536

function parse(
  bytes: Buffer,
  limits: Partial<BodyLimits> | undefined,
  hasAmounts: boolean,
): JsonObject | null | Promise<JsonObject> {
  if (bytes.length === 0) return null
  if (hasAmounts && bytes.length <= exactBytesMax) return parseExactJsonBody(bytes, limits)
  return bytes.length < largeBytesMin ? parseJsonBody(bytes, limits) : parseLargeJsonBody(bytes, limits)
}

/** The whole body, if nothing of it is missing and it is not large. It is parsed at once, so it needs no account. */
function takeArrived(request: IncomingMessage): Buffer | null {
  const length = Number(request.headers['content-length'])
  const isWhole = request.complete && !request.destroyed && request.readableLength === length
  if (!isWhole || length === 0 || length >= largeBytesMin) return null
  const bytes: unknown = request.read()
  return bytes instanceof Buffer ? bytes : null
}

function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
