/** The resolution that an upstream reports, in the format of price lists. Undefined if it is not a resolution. */
export function statedResolution(stated: unknown): string | undefined {
  const text = typeof stated === 'number' ? `${stated}p` : typeof stated === 'string' ? stated.toLowerCase() : ''
  const named = /^\d+$/.test(text) ? `${text}p` : text
  // Anything else would match no price.
  return /^(?:\d{3,4}p|[248]k)$/.test(named) ? named : undefined
}
