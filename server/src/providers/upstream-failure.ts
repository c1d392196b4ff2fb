import { type PublicText, publicText } from '#lib/public-text.ts'

/** A failure that an upstream reports inside a response, in words that clients may read. */
export interface UpstreamFailureText {
  message: PublicText
  code?: string | number
}

export function upstreamFailure(words: string, code?: string | number): UpstreamFailureText {
  const message = publicText(words)
  return code === undefined ? { message } : { message, code }
}
