import type { Dialect } from '#dialects/dialect.ts'
import { bodyLimits } from '#domain/inference/body-limits.ts'

/** Maximum body of an account request with a credential. */
export const accountBodyBytesMax = bodyLimits.bytesMax
/** Maximum body of endpoints without a credential, which take only names, addresses, passwords and codes. */
export const openBodyBytesMax = 16 * 1_024

/** The maximum bodies of inference requests, which operators raise to what their providers accept. */
export interface BodySizes {
  readonly conversationBytesMax: number
  readonly recordingBytesMax: number
  readonly mediaBytesMax: number
}

interface Sized {
  readonly dialect: Pick<Dialect, 'family'>
  readonly takesRecordings?: true
}

export function bodyBytesMaxOf({ dialect, takesRecordings }: Sized, sizes: BodySizes): number {
  if (takesRecordings === true) return sizes.recordingBytesMax
  return dialect.family === 'conversation' ? sizes.conversationBytesMax : sizes.mediaBytesMax
}
