import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FormFile } from '#domain/media/media-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { isHeldBack, letSend } from './expect-continue.ts'
import type { FormLimits } from './form-limits.ts'
import { LimitedBody, tooLarge } from './limited-body.ts'
import { receiveForm } from './receive-form.ts'
import { type DrainLimits, strangerBytesMax } from './refuse-unread.ts'
import type { UploadFolders } from './upload-folders.ts'
import type { UploadRoom } from './upload-room.ts'

export interface UploadDeps {
  readonly folders: UploadFolders
  readonly room: UploadRoom
  /** The idle timeout of a sender. */
  readonly idleTimeoutMs: number
  /** How long a rejected body is drained, so that its sender gets the response. */
  readonly drainTimeoutMs: number
}

/** Reads a JSON body in place of a form. */
export type ReadJson = () => Promise<{ readonly body: JsonObject; readonly byteCount: number }>

/** The body of a request that may contain files. Nothing is read before it is requested. */
export class Upload {
  fields: JsonObject = {}
  files: readonly FormFile[] = []
  byteCount = 0
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #limits: FormLimits
  readonly #deps: UploadDeps
  readonly #readJson: ReadJson
  #folder: string | null = null
  #leaveRoom: (() => void) | null = null

  constructor(
    { request, response }: { request: IncomingMessage; response: ServerResponse },
    limits: FormLimits,
    deps: UploadDeps & { readonly readJson: ReadJson },
  ) {
    this.#request = request
    this.#response = response
    this.#limits = limits
    this.#deps = deps
    this.#readJson = deps.readJson
  }

  /** Whether part of the body is still arriving, so that the connection cannot be reused. */
  get isUnread(): boolean {
    return !this.#request.readableEnded
  }

  /** How much of the rest is drained, so that its sender gets the response: little for an unauthenticated sender. */
  get drainLimits(): DrainLimits {
    const { drainTimeoutMs: timeoutMs } = this.#deps
    if (isHeldBack(this.#request)) return { bytesMax: 0, timeoutMs }
    return { bytesMax: this.#leaveRoom === null ? strangerBytesMax : this.#limits.bodyBytesMax, timeoutMs }
  }

  async receive(keyId: string): Promise<void> {
    const { headers, headersDistinct } = this.#request
    const contentType = headers['content-type'] ?? ''
    const type = contentType.split(';')[0]?.trim().toLowerCase()
    const isForm = type === 'multipart/form-data'
    const { bodyBytesMax, jsonBytesMax } = this.#limits
    const bytesMax = isForm ? bodyBytesMax : type === 'application/json' ? jsonBytesMax : null
    if (bytesMax === null || (headersDistinct['content-type']?.length ?? 0) > 1) {
      throw new GatewayError('invalidContentType', { message: this.#expectation })
    }
    const boundary = isForm ? boundaryOf(contentType) : null
    const length = headers['content-length']
    const byteCount = length === undefined ? bytesMax : Number(length)
    if (byteCount > bytesMax) throw tooLarge()
    this.#leaveRoom = this.#deps.room.enter({ keyId, byteCount })
    if (isForm) this.#folder = await this.#deps.folders.make()
    if (boundary === null || this.#folder === null) {
      const { body, byteCount } = await this.#readJson()
      this.fields = body
      this.byteCount = byteCount
      return
    }
    letSend(this.#request, this.#response)
    const body = new LimitedBody(this.#request, { bytesMax, idleTimeoutMs: this.#deps.idleTimeoutMs })
    const { fields, files } = await receiveForm(body, { boundary, limits: this.#limits, folder: this.#folder })
    this.fields = fields
    this.files = files
    this.byteCount = body.byteCount
  }

  /**
   * Deletes the files. It never fails, because a paid response must not be lost for a file; the next start deletes
   * leftovers.
   */
  async discard(): Promise<void> {
    const folder = this.#folder
    this.#folder = null
    if (folder !== null) await this.#deps.folders.remove(folder).catch(() => {})
    this.#leaveRoom?.()
  }

  get #expectation(): string {
    return `Send the request as multipart/form-data${this.#limits.jsonBytesMax !== null ? ' or as application/json' : ''}.`
  }
}

/**
 * The boundary of a form's content type. There must be exactly one, in the format of RFC 2046: a proxy that reads an
 * ambiguous content type differently would see other parts than we do.
 */
export function boundaryOf(contentType: string): string {
  const [, parameters = ''] = /^[^;]*(;.*)?$/s.exec(contentType) ?? []
  const found: string[] = []
  let end = 0
  for (const match of parameters.matchAll(parameterForm)) {
    const { name = '', quoted, plain = '' } = match.groups ?? {}
    if (match.index !== end) break
    end += match[0].length
    if (name.toLowerCase() === 'boundary') found.push(quoted ?? plain)
  }
  const [boundary] = found
  if (boundary === undefined || found.length > 1 || !boundaryForm.test(boundary) || !isBlank(parameters.slice(end))) {
    throw new GatewayError('invalidContentType', {
      message: 'The Content-Type header must have one boundary of 1 to 70 characters.',
    })
  }
  return boundary
}

// Unquoted values are accepted as commonly sent, with characters that strictly need quotes.
const parameterForm = /;[ \t]*(?<name>[\w!#$%&'*+.^`|~-]+)=(?:"(?<quoted>[^"\\]*)"|(?<plain>[^\s;"\\]*))[ \t]*/gy
const boundaryForm = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

function isBlank(text: string): boolean {
  return /^[; \t]*$/.test(text)
}
