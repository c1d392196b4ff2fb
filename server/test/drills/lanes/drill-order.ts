import { isJsonObject } from '#lib/json.ts'

/** The order to a drill process. */
export interface DrillOrder {
  readonly name: string
  readonly seed: number
  readonly points: number
  readonly isShort: boolean
}

/** The result of a drill for display. */
export interface DrillReport {
  readonly hasPassed: boolean
  readonly lines: readonly string[]
}

export function parseDrillOrder(message: unknown): DrillOrder {
  if (!isJsonObject(message)) throw new Error(`not an order: ${JSON.stringify(message)}`)
  const { name, seed, points, isShort } = message
  return { name: String(name), seed: Number(seed), points: Number(points), isShort: isShort === true }
}

export function parseDrillReport(message: unknown): DrillReport {
  if (!isJsonObject(message) || !Array.isArray(message['lines'])) {
    throw new Error(`not a report: ${JSON.stringify(message)}`)
  }
  return { hasPassed: message['hasPassed'] === true, lines: message['lines'].map(String) }
}
