import type { JsonObject } from './json-value.ts'

export interface StrictRefusal {
  readonly status: number
  readonly body: JsonObject
}
