import { assert } from '#lib/assert.ts'

/** What a file of a blob begins with: its content type, filled up to a length that is always the same. */
export const labelBytes = 128

const mark = 'weir-blob 1 '

export function labelFor(contentType: string): Buffer {
  assert(/^[!-~]{1,100}$/.test(contentType), 'a content type of a blob is short and plain')
  return Buffer.from(`${`${mark}${contentType}`.padEnd(labelBytes - 1)}\n`, 'latin1')
}

/** The content type; null for what is no label. */
export function readLabel(label: Buffer): string | null {
  const text = label.toString('latin1')
  return text.startsWith(mark) && text.endsWith('\n') ? text.slice(mark.length).trim() : null
}
