import type { JsonObject } from '#lib/json.ts'

/** The simplest number that the schema allows. `wholeStep` is 1 for integers and 0 for any number. */
export function numberFor(schema: JsonObject, wholeStep: 0 | 1): number {
  const bounds = boundsOf(schema, wholeStep)
  return candidatesFor(bounds).find((value) => isAllowed(value, bounds)) ?? 0
}

interface Bounds {
  least: number
  above: number
  most: number
  below: number
  step: number
}

function boundsOf(schema: JsonObject, wholeStep: number): Bounds {
  return {
    least: numberAt(schema, 'minimum') ?? Number.NEGATIVE_INFINITY,
    above: numberAt(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY,
    most: numberAt(schema, 'maximum') ?? Number.POSITIVE_INFINITY,
    below: numberAt(schema, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY,
    step: numberAt(schema, 'multipleOf') ?? wholeStep,
  }
}

function candidatesFor(bounds: Bounds): number[] {
  const low = Math.max(bounds.least, bounds.above)
  const high = Math.min(bounds.most, bounds.below)
  const step = bounds.step > 0 ? bounds.step : 1
  const first = Math.ceil(low / step) * step
  const last = Math.floor(high / step) * step
  return [0, first, first + step, last, last - step, low, high, (low + high) / 2]
}

function isAllowed(value: number, { least, above, most, below, step }: Bounds): boolean {
  if (!Number.isFinite(value) || value < least || value <= above || value > most || value >= below) return false
  const multiple = step > 0 ? value / step : 0
  // Binary fractions are not exact: 0.3 is 2.9999999999999996 times 0.1.
  return Math.abs(multiple - Math.round(multiple)) < 1e-9
}

function numberAt(schema: JsonObject, key: string): number | undefined {
  const value = schema[key]
  return typeof value === 'number' ? value : undefined
}
