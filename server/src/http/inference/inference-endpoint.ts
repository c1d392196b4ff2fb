import type { TSchema } from 'typebox'
import type { FormLimits } from '../forms/form-limits.ts'
import type { Dialect } from '#dialects/dialect.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import type { JsonObject } from '#lib/json.ts'

/** An endpoint that goes the way of `pipeline/run.ts`. Its paths are aliases of each other in every respect. */
export interface InferenceEndpoint {
  readonly dialect: Dialect
  /** Beside `Authorization`, as some vendors' clients send it. */
  readonly acceptsApiKeyHeader: boolean
  /** Who may: a row of the access table. */
  readonly access: AccessAction
  readonly name: string
  readonly paths: readonly string[]
  readonly summary: string
  /** What the summary leaves out. */
  readonly description?: string
  /** Set where files may be sent, as `multipart/form-data`. */
  readonly form?: FormLimits
  /** Set where a form without files is taken beside JSON, as some SDKs send it: what it says in JSON. */
  readonly readForm?: (fields: JsonObject) => JsonObject
  /** Set where a body names addresses that must be looked at before it is parsed. */
  readonly looksInto?: true
  /** How many numbers a body may list, where that is more than elsewhere. */
  readonly numbersMax?: number
  /** Of an answer that went well; 200 unless something else is named. */
  readonly status?: number
  readonly body: TSchema
  /** A body that is accepted as it is, where test models are on. */
  readonly example?: JsonObject
  readonly reply: TSchema
  /** What each event of a stream says; left out where an answer never streams. */
  readonly events?: TSchema
  /** How clients of its dialect read refusals, where that is not our own form. */
  readonly errorSchema?: TSchema
  /** The media types of a whole answer, where that is not JSON alone. */
  readonly replyTypes?: readonly string[]
  /** Its own; those that every inference endpoint may answer are in `inference-errors.ts`. */
  readonly errors?: readonly ErrorName[]
}
