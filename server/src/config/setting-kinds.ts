import { Type } from 'typebox'

export function section<Properties extends Type.TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

export function optionalText(description: string) {
  return Type.Union([Type.String({ minLength: 1 }), Type.Null()], { default: null, description })
}

/** A string that `weir config` never shows. */
export function optionalSecret(description: string) {
  return Type.Union([Type.String({ minLength: 1 }), Type.Null()], { default: null, description, isSecret: true })
}

export function eventUrl(description: string) {
  return Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    default: null,
    description,
    expects: 'an http:// or https:// URL',
  })
}

export function eventHeaders() {
  return Type.Array(Type.String(), {
    default: [],
    maxItems: 20,
    description: 'HTTP headers to send with each export request, such as `authorization: Bearer …`.',
    isSecret: true,
    expects: 'a list of at most 20 headers, each as `name: value`',
  })
}

// The minimum is the largest request body, so that every valid request body fits.
export function bodyBytes(fallback: number, description: string) {
  return Type.Integer({ minimum: 10_485_760, maximum: 1_099_511_627_776, default: fallback, description })
}

export function count(fallback: number, options: { maximum?: number; description: string }) {
  return Type.Integer({ minimum: 1, maximum: 1_000_000, default: fallback, ...options })
}

// A file larger than the limit is still fetched, but alone.
export function byteCount(fallback: number, options: { description: string }) {
  return Type.Integer({ minimum: 1_048_576, maximum: 1_099_511_627_776, default: fallback, ...options })
}

export function atLeastOrNull(fallback: number, options: { minimum: number; description: string }) {
  return Type.Union([Type.Integer({ minimum: options.minimum, maximum: 36_500 }), Type.Null()], {
    default: fallback,
    description: options.description,
    expects: `an integer from ${options.minimum} to 36500, or null`,
  })
}

// The maximum is a day, because a longer value is likely a typo.
export function milliseconds(fallback: number, options: { minimum?: number; maximum?: number; description: string }) {
  return Type.Integer({ minimum: 1, maximum: 86_400_000, default: fallback, ...options })
}
