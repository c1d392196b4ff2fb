/** A line of text on an A4 page, in points from its lower left corner. */
export interface PdfText {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly text: string
  readonly isBold?: boolean
  /** The text ends at `x`. Only for digits, signs, spaces and capital letters, whose widths are known here. */
  readonly isRight?: boolean
}

export const pageWidth = 595
export const pageHeight = 842

/**
 * A PDF of plain texts, with the same bytes for the same texts. Latin letters use Helvetica, which every reader has.
 * Other characters use a Chinese font that readers substitute (`UniGB-UTF16-H` also covers Greek and Cyrillic). Nothing
 * is embedded.
 */
export function pdfOf(title: string, pages: readonly (readonly PdfText[])[]): Buffer {
  const first = 7
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`)
  const fonts = '<< /F1 3 0 R /F2 4 0 R /F3 5 0 R >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-H /DescendantFonts [${chineseFont}] >>`,
    `<< /Title <feff${utf16Of(title)}> /Producer (Weir) >>`,
    ...pages.flatMap((texts, index) => {
      const content = texts.map(operatorsOf).join('\n')
      const box = `[0 0 ${pageWidth} ${pageHeight}]`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Resources << /Font ${fonts} >> /Contents ${first + 2 * index + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  return assemble(objects)
}

const chineseFont = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light
  /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 5 >> /DW 1000
  /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [-25 -254 1000 880] /ItalicAngle 0
  /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >> >>`

/** Objects with the table of their offsets. Everything is ASCII, so characters are bytes. */
function assemble(objects: readonly string[]): Buffer {
  let text = '%PDF-1.5\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}

/**
 * Strings are written in hexadecimal, so no character can end one. Runs of Latin and other characters follow one
 * another.
 */
function operatorsOf({ x, y, size, text, isBold = false, isRight = false }: PdfText): string {
  const left = isRight ? x - (widthOf(text) * size) / 1_000 : x
  const runs = text.match(/[\x20-\x7e\xa0-\xff]+|[^\x20-\x7e\xa0-\xff]+/g) ?? []
  const shown = runs.map((run) => {
    if (!isLatin(run)) return `/F3 ${size} Tf <${utf16Of(run)}> Tj`
    return `/${isBold ? 'F2' : 'F1'} ${size} Tf <${Buffer.from(run, 'latin1').toString('hex')}> Tj`
  })
  return `BT 1 0 0 1 ${left.toFixed(2)} ${y.toFixed(2)} Tm ${shown.join(' ')} ET`
}

function isLatin(text: string): boolean {
  return /^[\x20-\x7e\xa0-\xff]*$/.test(text)
}

function utf16Of(text: string): string {
  return Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex')
}

// Helvetica's widths in thousandths of the size: all digits have one width, and these signs their own.
const widths: Readonly<Record<string, number>> = { '.': 278, ',': 278, '-': 333, ' ': 278 }

function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (widths[character] ?? (/\d/.test(character) ? 556 : 700)), 0)
}
