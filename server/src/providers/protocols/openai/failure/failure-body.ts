import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'

/** The content of an error body, in any of the common shapes. */
export interface FailureBody {
  message: string
  /** Every word that may classify the error: code, type, status and similar, in lower case. */
  words: readonly string[]
  /** The request field at fault. */
  param: string | undefined
  /** A status stated inside the body, for bodies that arrive with status 200. */
  status: number | undefined
  retryDelayMs: number | undefined
}

export function readFailureBody(text: string): FailureBody {
  const body = parseBody(text)
  if (body === undefined)
    return { message: '', words: [], param: undefined, status: undefined, retryDelayMs: undefined }
  const error = isJsonObject(body.error) ? body.error : body
  const detail = firstDetail(body.detail)
  return {
    message: messageOf(body, error) ?? detail?.message ?? '',
    words: wordsOf(body, error, detail?.type),
    param: stringAt(error, 'param') || detail?.param,
    status: [error.code, error.status, body.status_code].find(isStatus),
    retryDelayMs: retryDelayOf(error),
  }
}

function parseBody(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const body: unknown = Array.isArray(value) ? value[0] : value
    return isJsonObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function messageOf(body: JsonObject, error: JsonObject): string | undefined {
  const candidates = [error.message, body.error, body.message, body.detail, body.msg]
  return candidates.find((value): value is string => typeof value === 'string' && value !== '')
}

function wordsOf(body: JsonObject, error: JsonObject, detailType: string | undefined): string[] {
  const metadata = isJsonObject(error.metadata) ? error.metadata : {}
  const inner = isJsonObject(error.innererror) ? error.innererror : {}
  const values = [
    error.code,
    error.type,
    error.status,
    body.code,
    body.type,
    metadata.error_type,
    inner.code,
    detailType,
    ...reasonsOf(error),
  ]
  return values.filter((value) => typeof value === 'string').map((value) => value.toLowerCase())
}

/** Google's `ErrorInfo`, also on its OpenAI-compatible API. */
function reasonsOf(error: JsonObject): (JsonValue | undefined)[] {
  return detailsOf(error).map(({ reason }) => reason)
}

function detailsOf({ details }: JsonObject): JsonObject[] {
  return Array.isArray(details) ? details.filter(isJsonObject) : []
}

/** Validators list all errors with their positions. The first entry is enough. */
function firstDetail(detail: JsonValue | undefined): { message: string; type?: string; param?: string } | undefined {
  const [first] = Array.isArray(detail) ? detail : []
  if (!isJsonObject(first)) return undefined
  const place = Array.isArray(first.loc) ? first.loc.filter((step) => step !== 'body').join('.') : ''
  const type = stringAt(first, 'type')
  return {
    message: stringAt(first, 'msg') ?? '',
    ...(type === undefined ? {} : { type }),
    ...(place === '' ? {} : { param: place }),
  }
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599
}

/** Google's `RetryInfo`, which Google also sends on its OpenAI-compatible API. */
function retryDelayOf(error: JsonObject): number | undefined {
  for (const detail of detailsOf(error)) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(stringAt(detail, 'retryDelay') ?? '')?.[1]
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000)
  }
  return undefined
}
