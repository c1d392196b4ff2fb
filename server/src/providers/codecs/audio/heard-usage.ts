import { noUsage, type Usage } from '#domain/inference/usage.ts'

/** The usage of a recording of this length, or null if the upstream did not report one. */
export function heardUsage(seconds: number | undefined): Usage | null {
  return seconds === undefined ? null : { ...noUsage, media: { inputAudioMs: millisecondsOf(seconds) } }
}

// Rounded to the nearest millisecond: lengths are often close to a plain decimal, such as 8.470000267028809.
export function millisecondsOf(seconds: number): number {
  return Math.round(seconds * 1_000)
}
