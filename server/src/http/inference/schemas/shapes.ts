import { type TProperties, type TSchema, Type } from 'typebox'

/** A closed schema of ours: no other fields. */
export function closed<Fields extends TProperties>(name: string, fields: Fields, description?: string) {
  return Type.Object(fields, { $id: name, additionalProperties: false, ...about(description) })
}

/** A schema that an upstream fills as well: additional fields pass through to the client. */
export function passing<Fields extends TProperties>(name: string, fields: Fields, description = '') {
  return Type.Object(fields, {
    $id: name,
    additionalProperties: true,
    description: `${description} Additional upstream fields are passed through.`.trim(),
  })
}

/** A request schema: unknown fields are sent to upstreams that may know them. */
export function sent<Fields extends TProperties>(name: string, fields: Fields, description?: string) {
  return Type.Object(fields, { $id: name, additionalProperties: true, ...about(description) })
}

/** JSON of any shape. */
export function freeObject(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { description })
}

export function orNull<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], about(description))
}

export function oneOf(name: string, schemas: TSchema[], description?: string) {
  return Type.Union(schemas, { $id: name, ...about(description) })
}

export const text = (description: string) => Type.String({ description })
export const count = (description?: string) => Type.Integer({ minimum: 0, ...about(description) })
export const settledCost = Type.Number({ description: 'Settled cost in USD, with at most nine decimal places.' })

function about(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description }
}
