import { type AttributeName, attributeNames } from './otel-names.ts'

/** One attribute in OTLP's JSON format. */
export interface OtelAttribute {
  readonly key: string
  readonly value: OtelValue
}

type OtelValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  // 64-bit integers are strings in Protobuf's JSON format.
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } }

export type OtelPlain = string | boolean | number | bigint | { readonly double: number } | readonly string[]

/** The attributes that are not null, under their OpenTelemetry names. */
export function otelAttributes(values: Readonly<Partial<Record<AttributeName, OtelPlain | null>>>): OtelAttribute[] {
  return (Object.keys(attributeNames) as AttributeName[]).flatMap((name) => {
    const value = values[name] ?? null
    return value === null ? [] : [otelAttribute(name, value)]
  })
}

export function otelAttribute(name: AttributeName, value: OtelPlain): OtelAttribute {
  return { key: attributeNames[name], value: valueOf(value) }
}

function valueOf(value: OtelPlain): OtelValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number' || typeof value === 'bigint') return { intValue: value.toString() }
  if ('double' in value) return { doubleValue: value.double }
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } }
}
