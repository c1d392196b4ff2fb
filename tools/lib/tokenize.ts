/**
 * Splits TypeScript into tokens, so that checks ignore the content of comments and strings.
 *
 * This is not a parser. It guesses in one case: a slash after a value, `)`, `]` or `}` divides, any other opens a
 * regular expression. A string ends at its line, so a wrong guess can spoil one line but never the rest of the file.
 */
export function tokenize(text: string): Token[] {
  const reader = new TokenReader(text)
  reader.readAll()
  return reader.tokens
}

export type Token = {
  readonly kind: 'word' | 'number' | 'string' | 'template' | 'regex' | 'punctuator'
  /** The text as written. For strings and templates, the text between the quotes. */
  readonly text: string
  readonly line: number
}

const patterns = {
  blank: /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y,
  hashbang: /#![^\n]*/y,
  word: /[#@]?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy,
  number: /\d[\w.]*/y,
  string: /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y,
  regex: /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y,
  templateChunk: /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y,
  punctuator: /=>|\?\.|\.\.\.|[\s\S]/y,
}

type Start = 'blank' | 'slash' | 'word' | 'digit' | 'quote' | 'other' | 'foreign'

/** The kind of token that a first character allows, so that one pattern is tried instead of six. */
const starts: readonly Start[] = Array.from({ length: 128 }, (_, code) => startOf(String.fromCharCode(code)))

function startOf(character: string): Start {
  if (/\s/.test(character)) return 'blank'
  if (/[\w$#@]/.test(character)) return /\d/.test(character) ? 'digit' : 'word'
  if (character === '/') return 'slash'
  return /['"]/.test(character) ? 'quote' : 'other'
}

const wordsBeforeRegex = new Set(
  'return typeof case in of delete void throw new do else yield await instanceof'.split(' '),
)

class TokenReader {
  readonly tokens: Token[] = []
  readonly #text: string
  /** Open braces; true if the brace is a template's `${`, whose end continues the template. */
  readonly #braces: boolean[] = []
  #position = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  readAll() {
    this.#take(patterns.hashbang)
    while (this.#position < this.#text.length) {
      if (!this.#readNext(starts[this.#text.charCodeAt(this.#position)] ?? 'foreign')) this.#readPunctuator()
    }
  }

  /** Returns false if only a punctuator can follow. */
  #readNext(start: Start): boolean {
    switch (start) {
      case 'blank':
        return this.#skip(patterns.blank)
      case 'word':
        return this.#add('word', patterns.word)
      case 'digit':
        return this.#add('number', patterns.number)
      case 'quote':
        return this.#add('string', patterns.string)
      case 'slash':
        return this.#skip(patterns.blank) || (this.#regexMayStart() && this.#add('regex', patterns.regex))
      case 'foreign':
        return this.#skip(patterns.blank) || this.#add('word', patterns.word)
      case 'other':
        return false
    }
  }

  #readPunctuator() {
    const line = this.#line
    const text = this.#take(patterns.punctuator) ?? ''
    if (text === '`') return this.#readTemplateChunk()
    this.tokens.push({ kind: 'punctuator', text, line })
    if (text === '{') this.#braces.push(false)
    if (text === '}' && this.#braces.pop() === true) this.#readTemplateChunk()
  }

  /** Reads to the end of the template or to the next `${`, which counts as an ordinary opening brace. */
  #readTemplateChunk() {
    const line = this.#line
    this.tokens.push({ kind: 'template', text: this.#take(patterns.templateChunk) ?? '', line })
    if (this.#text[this.#position] === '$') {
      this.tokens.push({ kind: 'punctuator', text: '{', line: this.#line })
      this.#braces.push(true)
      this.#position += 2
    } else {
      this.#position += 1
    }
  }

  #regexMayStart(): boolean {
    const before = this.tokens.at(-1)
    if (before === undefined) return true
    if (before.kind === 'word') return wordsBeforeRegex.has(before.text)
    return before.kind === 'punctuator' && ![')', ']', '}'].includes(before.text)
  }

  #add(kind: Token['kind'], pattern: RegExp): boolean {
    const line = this.#line
    const text = this.#take(pattern)
    if (text === undefined) return false
    this.tokens.push({ kind, text: kind === 'string' ? text.slice(1, -1) : text, line })
    return true
  }

  #skip(pattern: RegExp): boolean {
    return this.#take(pattern) !== undefined
  }

  #take(pattern: RegExp): string | undefined {
    const start = this.#position
    pattern.lastIndex = start
    if (!pattern.test(this.#text)) return undefined
    this.#position = pattern.lastIndex
    const text = this.#text.slice(start, this.#position)
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#line += 1
    return text
  }
}
