import { expect } from 'vitest'

/** Matches the error of a request rejected with 400, by its code and a part of its message. */
export function refusal(code: string | number, text: string): unknown {
  return expect.objectContaining({
    row: expect.objectContaining({ status: 400, code }),
    message: expect.stringContaining(text),
  })
}
