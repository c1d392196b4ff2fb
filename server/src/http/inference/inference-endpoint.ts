import type { TSchema } from 'typebox'
import type { Dialect } from '#dialects/dialect.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import type { JsonObject } from '#lib/json.ts'

/** The file fields and sizes that a form accepts. */
export interface FormTerms {
  /** File fields; a file in any other field is rejected. */
  readonly fileFields: readonly string[]
  /** Whether the endpoint also accepts JSON. */
  readonly orJson: boolean
  /** Fixed maximum sizes. By default, the operator's maximum body applies to each file, too. */
  readonly sizes?: { readonly fileBytesMax: number; readonly bodyBytesMax: number }
}

/** An endpoint that runs `pipeline/run.ts`. Its paths are equivalent aliases. */
export interface InferenceEndpoint {
  readonly dialect: Dialect
  /** Also accepts `X-Api-Key`, which some vendors' clients send. */
  readonly acceptsApiKeyHeader: boolean
  /** A row of the access table. */
  readonly access: AccessAction
  readonly name: string
  readonly paths: readonly string[]
  readonly summary: string
  /** Details beyond the summary. */
  readonly description?: string
  /** Set if files may be sent as `multipart/form-data`. */
  readonly form?: FormTerms
  /** Set if a form without files is accepted besides JSON, as some SDKs send it: converts it to JSON. */
  readonly readForm?: (fields: JsonObject) => JsonObject
  /** Set if the body is a recording, which has its own maximum size. */
  readonly takesRecordings?: true
  /** Set if a body contains URLs that must be checked before it is parsed. */
  readonly looksInto?: true
  /** The maximum count of numbers in a body, if it differs from the default. */
  readonly numbersMax?: number
  /** The success status; defaults to 200. */
  readonly status?: number
  readonly body: TSchema
  /** A valid body if test models are enabled. */
  readonly example?: JsonObject
  readonly reply: TSchema
  /** The schema of each stream event; missing if the endpoint never streams. */
  readonly events?: TSchema
  /** The error schema of its dialect, if it differs from ours. */
  readonly errorSchema?: TSchema
  /** The media types of a complete response, if it is not only JSON. */
  readonly replyTypes?: readonly string[]
  /** Its own errors; those of every inference endpoint are in `inference-errors.ts`. */
  readonly errors?: readonly ErrorName[]
}
