import { type PdfText, pageHeight, pageWidth, pdfOf } from '#lib/pdf-text.ts'
import type { DocumentLayout } from './document-layout.ts'

const left = 57
const right = pageWidth - left
const middle = 300
const top = pageHeight - 70
const bottom = 60
const lineHeight = 15
// At this size of Helvetica, this many average characters fit into a column. A full-width character counts twice.
const size = 10
const halfWidthMax = 42
const labelWidthMax = 75
const fullWidthMax = 88

/** Renders the document on A4 pages. The same snapshot gives the same bytes. */
export function documentPdf(layout: DocumentLayout): Buffer {
  const number = layout.facts.find(({ name }) => name === 'Number')?.value ?? ''
  const pages: PdfText[][] = [[]]
  let y = top
  const put = (text: Omit<PdfText, 'y' | 'size'> & { size?: number }): void => {
    pages.at(-1)?.push({ size, y, ...text })
  }
  const next = (height = lineHeight): void => {
    y -= height
    if (y > bottom) return
    pages.push([])
    y = top
  }
  put({ x: left, text: layout.title, size: 20, isBold: true })
  next(30)
  for (const { name, value } of layout.facts) {
    put({ x: left, text: name })
    put({ x: left + 80, text: value })
    next()
  }
  next()
  for (const [from, to] of sideBySide(['From', ...layout.seller], ['To', ...layout.buyer])) {
    put({ x: left, text: from })
    put({ x: middle, text: to })
    next()
  }
  next()
  put({ x: right, text: layout.currency, isRight: true, isBold: true })
  next()
  for (const { label, amount } of layout.rows) {
    put({ x: right, text: amount, isRight: true })
    for (const text of wrap(label, labelWidthMax)) {
      put({ x: left, text })
      next()
    }
  }
  put({ x: left, text: 'Total', isBold: true })
  put({ x: right, text: layout.total, isRight: true, isBold: true })
  next(2 * lineHeight)
  for (const text of layout.notes.flatMap((note) => wrap(note, fullWidthMax))) {
    put({ x: left, text })
    next()
  }
  return pdfOf(`${layout.title} ${number}`, pages)
}

function sideBySide(seller: readonly string[], buyer: readonly string[]): [string, string][] {
  const lefts = seller.flatMap((line) => wrap(line, halfWidthMax))
  const rights = buyer.flatMap((line) => wrap(line, halfWidthMax))
  const count = Math.max(lefts.length, rights.length)
  return Array.from({ length: count }, (_, index) => [lefts[index] ?? '', rights[index] ?? ''])
}

/** Wraps text to a width in average characters, at spaces if possible. */
function wrap(text: string, widthMax: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(/(?<= )/).flatMap((each) => cut(each, widthMax))) {
    const line = lines.at(-1) ?? ''
    if (line === '' || widthOf(line + word) <= widthMax) lines[lines.length - 1] = line + word
    else lines.push(word)
  }
  return lines
}

function cut(word: string, widthMax: number): string[] {
  const parts: string[] = ['']
  for (const character of word) {
    const part = parts.at(-1) ?? ''
    if (widthOf(part + character) <= widthMax) parts[parts.length - 1] = part + character
    else parts.push(character)
  }
  return parts
}

function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) > 0xff ? 2 : 1), 0)
}
