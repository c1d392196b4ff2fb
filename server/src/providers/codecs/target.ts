import type { FormOverrides } from '#domain/routing/trait-overrides.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import type { Authentication } from '../authentication.ts'

/** The destination of a task. */
export interface MediaTarget {
  /** The operator's own base URL if there is one, otherwise the vendor's. */
  readonly baseUrl: string
  readonly authentication: Authentication
  readonly credential: string | null
  readonly upstreamModel: string
  /** Our model id, if its rules depend on it. */
  readonly model: string
  /** The catalogue's data about the model besides prices: sizes, aspect ratios, parameters that are always sent. */
  readonly details: JsonObject
  /** Fields that the operator leaves out of every request. */
  readonly leaveOut?: readonly string[] | undefined
  /** The operator's corrections to the forms of images and videos. */
  readonly forms?: FormOverrides | undefined
}

/** Parameters that the catalogue sends with every request for a model. */
export function fixedParameters({ details }: MediaTarget): JsonObject {
  return objectAt(details, 'upstream_fixed_params')
}
