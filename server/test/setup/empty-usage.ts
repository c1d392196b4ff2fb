/** Every class of usage at zero, written out so that a new class is noticed. */
export const emptyUsage = {
  uncachedInput: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  audioInput: 0,
  textOutput: 0,
  reasoningOutput: 0,
  imageOutput: 0,
  audioOutput: 0,
} as const
