const causesMax = 5

/** An error in one line: its message and those of its causes, without a stack. */
export function errorText(error: unknown): string {
  const texts: string[] = []
  for (let at: unknown = error; at !== undefined && texts.length < causesMax; ) {
    const text = textOf(at)
    if (!texts.includes(text)) texts.push(text)
    at = at instanceof Error ? at.cause : undefined
  }
  return texts.join(': ')
}

// Several addresses were tried and none answered: such an error has no message, only the errors of each.
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message === '' && error instanceof AggregateError) return error.errors.map(textOf).join(', ')
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return error.message || code || error.name
}
