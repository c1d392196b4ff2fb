import { noUsage, type Usage } from '#domain/inference/usage.ts'

/** What is charged for a recording of such a length; null where the upstream told none. */
export function heardUsage(seconds: number | undefined): Usage | null {
  return seconds === undefined ? null : { ...noUsage, media: { inputAudioMs: millisecondsOf(seconds) } }
}

// The nearest one: lengths are often the neighbours of a plain decimal, such as 8.470000267028809.
export function millisecondsOf(seconds: number): number {
  return Math.round(seconds * 1_000)
}
