/** The command with which an operator overrides the fields that a provider gets. */
export function overrideCommand({ account, model, option, value }: SuggestedOverride): string {
  return ['weir provider override', quoted(account), '--model', quoted(model), `--${option}`, quoted(value)].join(' ')
}

interface SuggestedOverride {
  readonly account: string
  readonly model: string
  readonly option: 'leave-out' | 'output-cap'
  readonly value: string
}

/** Quotes a string as one shell word. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
