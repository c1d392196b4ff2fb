import type { FormOverrides } from '#domain/routing/trait-overrides.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import type { Authentication } from '../authentication.ts'

/** Where a task goes. */
export interface MediaTarget {
  /** The operator's own address where there is one, else the vendor's. */
  readonly baseUrl: string
  readonly authentication: Authentication
  readonly credential: string | null
  readonly upstreamModel: string
  /** Our id of the model, where its own rules need it. */
  readonly model: string
  /** What the catalogue knows of the model beside prices: sizes, aspect ratios, parameters that are always sent. */
  readonly details: JsonObject
  /** Fields that the operator leaves out of every request. */
  readonly leaveOut?: readonly string[] | undefined
  /** The forms of images and videos that its operator knows better than the tables. */
  readonly forms?: FormOverrides | undefined
}

/** What the catalogue says to send with every request for a model. */
export function fixedParameters({ details }: MediaTarget): JsonObject {
  return objectAt(details, 'upstream_fixed_params')
}
