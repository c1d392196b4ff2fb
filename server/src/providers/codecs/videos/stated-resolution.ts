/** The resolution that a host says it made, as price lists name them; undefined for what is none. */
export function statedResolution(stated: unknown): string | undefined {
  const text = typeof stated === 'number' ? `${stated}p` : typeof stated === 'string' ? stated.toLowerCase() : ''
  const named = /^\d+$/.test(text) ? `${text}p` : text
  // Anything else would be charged by no price at all.
  return /^(?:\d{3,4}p|[248]k)$/.test(named) ? named : undefined
}
