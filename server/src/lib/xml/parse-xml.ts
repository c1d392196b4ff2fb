import type { XmlAttribute, XmlElement } from './xml-element.ts'

/** The text is not XML, or uses more of XML than this parser allows. The message is for the sender. */
export class XmlFault extends Error {}

export interface XmlTerms {
  readonly charactersMax: number
  readonly elementsMax: number
  /** Whether comments and processing instructions are skipped. Otherwise they are refused. */
  readonly skipsComments: boolean
}

const depthMax = 32
const attributesMax = 64

/**
 * Parses the part of XML that every parser reads alike: elements, attributes, text and the predefined entities.
 * Document types, CDATA sections, names outside ASCII and undeclared prefixes are refused, so that no other parser can
 * see another document in the same bytes.
 */
export function parseXml(text: string, terms: XmlTerms): XmlElement {
  if (text.length > terms.charactersMax) throw new XmlFault(`The XML is longer than ${terms.charactersMax} characters.`)
  if (!isXmlText(text)) throw new XmlFault('The XML has characters that are not allowed.')
  return new Parser(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'), terms).parse()
}

function isXmlText(text: string): boolean {
  return text.isWellFormed() && !/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text)
}

const name = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`
const declaration =
  /<\?xml +version=(?:"1\.0"|'1\.0')(?: +encoding=(?:"utf-8"|'utf-8'))?(?: +standalone=["'](?:yes|no)["'])? *\?>/iy
const openTag = new RegExp(`<(${name})`, 'y')
const attribute = new RegExp(String.raw`[ \t\n]+(${name})[ \t\n]*=[ \t\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const openTagEnd = /[ \t\n]*(\/?)>/y
const closeTag = new RegExp(String.raw`</(${name})[ \t\n]*>`, 'y')
const characters = /[^<]+/y
const comment = /<!--(?:(?!--)[^])*-->/y
const instruction = /<\?(?!xml[ \t\n?])[A-Za-z_](?:(?!\?>)[^])*\?>/iy

interface Open {
  readonly qualifiedName: string
  readonly element: Growing
  readonly scope: ReadonlyMap<string, string>
}

interface Growing extends XmlElement {
  readonly children: XmlElement[]
  text: string
}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

class Parser {
  readonly #text: string
  readonly #terms: XmlTerms
  readonly #open: Open[] = []
  #at = 0
  #elementCount = 0
  #root: XmlElement | null = null

  constructor(text: string, terms: XmlTerms) {
    this.#text = text
    this.#terms = terms
  }

  parse(): XmlElement {
    this.#take(declaration)
    while (this.#at < this.#text.length) this.#readNext()
    if (this.#root === null || this.#open.length > 0) throw new XmlFault('The XML is not complete.')
    return this.#root
  }

  #readNext(): void {
    const isSkipped = this.#take(comment) ?? this.#take(instruction)
    if (isSkipped !== null) {
      if (!this.#terms.skipsComments)
        throw new XmlFault('The XML has a comment or an instruction, which is not allowed.')
      return
    }
    const opened = this.#take(openTag)
    if (opened !== null) return this.#readOpenTag(opened[1] ?? '')
    const closed = this.#take(closeTag)
    if (closed !== null) return this.#readCloseTag(closed[1] ?? '')
    const text = this.#take(characters)
    if (text !== null) return this.#readText(text[0])
    const isDocumentType = /^<!(?:DOCTYPE|ENTITY)/i.test(this.#text.slice(this.#at, this.#at + 10))
    throw new XmlFault(isDocumentType ? 'The XML has a document type, which is not allowed.' : 'The XML is not valid.')
  }

  #readOpenTag(qualifiedName: string): void {
    this.#elementCount += 1
    if (this.#elementCount > this.#terms.elementsMax) throw new XmlFault('The XML has too many elements.')
    if (this.#open.length >= depthMax) throw new XmlFault('The XML is nested too deeply.')
    if (this.#root !== null) throw new XmlFault('The XML has more than one root element.')
    const written = this.#readAttributes()
    const end = this.#take(openTagEnd)
    if (end === null) throw new XmlFault('The XML is not valid.')
    const scope = scopeOf(this.#open.at(-1)?.scope ?? rootScope, written)
    const element: Growing = {
      ...resolve(qualifiedName, scope, 'default'),
      attributes: attributesIn(written, scope),
      declared: written.filter(([key]) => isDeclaration(key)).map(([, value]) => value),
      children: [],
      text: '',
    }
    this.#open.at(-1)?.element.children.push(element)
    this.#open.push({ qualifiedName, element, scope })
    if (end[1] === '/') this.#readCloseTag(qualifiedName)
  }

  #readAttributes(): [string, string][] {
    const written: [string, string][] = []
    for (;;) {
      const match = this.#take(attribute)
      if (match === null) return written
      const [, key = '', double, single] = match
      if (written.length >= attributesMax) throw new XmlFault('The XML has too many attributes.')
      if (written.some(([other]) => other === key)) throw new XmlFault(`The XML has the attribute ${key} twice.`)
      written.push([key, decode((double ?? single ?? '').replace(/[\t\n]/g, ' '))])
    }
  }

  #readCloseTag(qualifiedName: string): void {
    const closed = this.#open.pop()
    if (closed?.qualifiedName !== qualifiedName) throw new XmlFault('The XML has tags that do not match.')
    if (this.#open.length === 0) this.#root = closed.element
  }

  #readText(text: string): void {
    const parent = this.#open.at(-1)
    if (parent !== undefined) {
      if (text.includes(']]>')) throw new XmlFault('The XML is not valid.')
      parent.element.text += decode(text)
    } else if (text.trim() !== '') throw new XmlFault('The XML has text outside its root element.')
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match !== null) this.#at += match[0].length
    return match
  }
}

const rootScope: ReadonlyMap<string, string> = new Map([['xml', xmlNamespace]])

function isDeclaration(key: string): boolean {
  return key === 'xmlns' || key.startsWith('xmlns:')
}

/** The prefixes in scope. The default namespace has the empty prefix. */
function scopeOf(
  outer: ReadonlyMap<string, string>,
  written: readonly (readonly [string, string])[],
): ReadonlyMap<string, string> {
  const declarations = written.filter(([key]) => isDeclaration(key))
  if (declarations.length === 0) return outer
  const scope = new Map(outer)
  for (const [key, uri] of declarations) {
    const prefix = key.slice('xmlns:'.length)
    const isReserved = prefix === 'xml' || prefix === 'xmlns' || uri === xmlNamespace || uri === xmlnsNamespace
    if (isReserved || (prefix !== '' && uri === '')) throw new XmlFault('The XML has a namespace that is not allowed.')
    scope.set(prefix, uri)
  }
  return scope
}

/** An attribute without a prefix is in no namespace; an element without a prefix is in the default one. */
function resolve(
  qualifiedName: string,
  scope: ReadonlyMap<string, string>,
  unprefixed: 'default' | 'none',
): { namespace: string; name: string } {
  const colon = qualifiedName.indexOf(':')
  const prefix = qualifiedName.slice(0, Math.max(colon, 0))
  const namespace = prefix === '' && unprefixed === 'none' ? '' : scope.get(prefix)
  if (namespace === undefined && prefix !== '') throw new XmlFault(`The XML does not declare the prefix ${prefix}.`)
  return { namespace: namespace ?? '', name: qualifiedName.slice(colon + 1) }
}

function attributesIn(
  written: readonly (readonly [string, string])[],
  scope: ReadonlyMap<string, string>,
): XmlAttribute[] {
  const attributes = written
    .filter(([key]) => !isDeclaration(key))
    .map(([key, value]) => ({ ...resolve(key, scope, 'none'), value }))
  const names = new Set(attributes.map((each) => `${each.namespace} ${each.name}`))
  if (names.size < attributes.length) throw new XmlFault('The XML has an attribute twice.')
  return attributes
}

const predefined = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,10};?)/g, (_whole, reference: string) => {
    const [, decimal, hex, entity] = /^(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|([a-z]+));$/.exec(reference) ?? []
    const known = entity === undefined ? characterOf(decimal, hex) : predefined.get(entity)
    if (known === undefined) throw new XmlFault('The XML has an entity that is not allowed.')
    return known
  })
}

function characterOf(decimal: string | undefined, hex: string | undefined): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  if (!(code <= 0x10_ff_ff)) return undefined
  const character = String.fromCodePoint(code)
  return isXmlText(character) ? character : undefined
}
