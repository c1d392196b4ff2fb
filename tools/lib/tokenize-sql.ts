export type SqlToken = {
  readonly kind: 'word' | 'number' | 'operator' | 'text' | 'mark'
  readonly text: string
  readonly start: number
}

const forms = [
  ['comment', /--[^\n]*|\/\*[^]*?\*\//y],
  ['space', /\s+/y],
  // The string between dollar quotes is a function's body, which is tokenized like the rest.
  ['dollars', /\$\w*\$/y],
  ['text', /'(?:[^']|'')*'|"[^"]*"/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['word', /[A-Za-z_]\w*/y],
  ['operator', /:=|::|[-+*/<>=~!@#%^&|?]+/y],
  ['mark', /[^]/y],
] as const

/** The tokens of SQL, without comments and whitespace. */
export function tokenizeSql(text: string): SqlToken[] {
  const tokens: SqlToken[] = []
  let start = 0
  while (start < text.length) {
    const [kind, found] = tokenAt(text, start)
    if (kind !== 'comment' && kind !== 'space' && kind !== 'dollars') tokens.push({ kind, text: found, start })
    start += found.length
  }
  return tokens
}

function tokenAt(text: string, start: number): [(typeof forms)[number][0], string] {
  for (const [kind, form] of forms) {
    form.lastIndex = start
    const found = form.exec(text)?.[0]
    if (found !== undefined) return [kind, found]
  }
  throw new Error('any character is a mark')
}
