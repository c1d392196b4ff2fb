import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { BodyPiece, FilePiece } from '#domain/media/body-piece.ts'
import { jsonPieces, type MediaJson } from '#domain/media/media-json.ts'
import type { ResponseHeaders, UpstreamRefusal } from '../refusal.ts'
import { credentialHeaders, requestHeaders } from '../request-headers.ts'
import { withoutPaths } from '../traits/field-overrides.ts'
import type { Exchange, MediaRequest } from './exchange-script.ts'
import type { MediaTarget } from './target.ts'
import { UnusableAnswerError, UpstreamRefusedError } from './faults.ts'
import { formBoundary } from './form-boundary.ts'
import type { FormPart } from './form-part.ts'

export type { FormPart } from './form-part.ts'

/** A JSON request to a path below the target's base URL. Files in it stay files. */
export function jsonRequest(target: MediaTarget, path: string, body: MediaJson): MediaRequest {
  return requestTo(target, path, { body: jsonPieces(withoutLeftOut(body, target)), contentType: 'application/json' })
}

function withoutLeftOut(body: MediaJson, { leaveOut = [] }: MediaTarget): MediaJson {
  return leaveOut.length === 0 || !isJsonObject(body) ? body : withoutPaths(body, leaveOut)
}

export function getRequest(target: MediaTarget, path: string): MediaRequest {
  return { ...requestTo(target, path, { body: '', contentType: null }), method: 'GET' }
}

/** A multipart request. Its body refers to the stored files instead of containing their bytes. */
export function formRequest(target: MediaTarget, path: string, given: readonly FormPart[]): MediaRequest {
  const parts = given.filter(({ name }) => target.leaveOut?.includes(name) !== true)
  const boundary = formBoundary(target, parts)
  const body: BodyPiece[] = []
  for (const part of parts) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(part.name)}"`
    if ('file' in part) {
      const type = quoted(part.file.mediaType)
      const file: FilePiece = { file: part.file, as: 'bytes' }
      body.push(`${head}; filename="${quoted(part.filename)}"\r\ncontent-type: ${type}\r\n\r\n`, file, '\r\n')
    } else body.push(`${head}\r\n\r\n${part.value}\r\n`)
  }
  body.push(`--${boundary}--\r\n`)
  return requestTo(target, path, { body, contentType: `multipart/form-data; boundary=${boundary}` })
}

function quoted(text: string): string {
  return text.replaceAll(/[\r\n"\\]/g, '_')
}

interface Content {
  readonly body: string | readonly BodyPiece[]
  readonly contentType: string | null
}

export function requestTo(target: MediaTarget, path: string, { body, contentType }: Content): MediaRequest {
  const { origin, pathname } = new URL(target.baseUrl)
  return {
    origin,
    path: pathname.replace(/\/+$/, '') + path,
    headers: {
      ...requestHeaders(contentType === null ? {} : { contentType }),
      ...credentialHeaders(target.authentication, target.credential),
    },
    body,
  }
}

export type ReadFailure = (status: number, headers: ResponseHeaders, bodyText: string) => UpstreamRefusal

/** The body of a successful exchange. Throws the classified error after a rejection. */
export function bodyOf({ status, headers, body }: Exchange, readFailure: ReadFailure): Buffer {
  if (status >= 200 && status <= 299) return body
  throw new UpstreamRefusedError(readFailure(status, headers, body.toString('utf8', 0, refusalBytesMax)))
}

const refusalBytesMax = 65_536

/** The same as a JSON object. */
export function jsonOf(exchange: Exchange, readFailure: ReadFailure): JsonObject {
  const value = parseJsonObject(bodyOf(exchange, readFailure).toString('utf8'))
  if (value === undefined) throw new UnusableAnswerError('The upstream response is not valid JSON.')
  return value
}
