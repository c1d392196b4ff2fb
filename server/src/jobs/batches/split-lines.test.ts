import { expect, it } from 'vitest'
import { type RawLine, splitLines } from './split-lines.ts'

async function split(chunks: readonly string[], bytesMax = 100): Promise<RawLine[]> {
  async function* pieces(): AsyncIterable<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const lines: RawLine[] = []
  for await (const line of splitLines(pieces(), bytesMax)) lines.push(line)
  return lines
}

const shown = (lines: readonly RawLine[]) =>
  lines.map(({ line, firstByte, bytes }) => [line, firstByte, bytes.toString('utf8')])

it.each([
  { name: 'whole', cut: 100 },
  { name: 'byte by byte', cut: 1 },
  { name: 'in threes', cut: 3 },
])('[NEXT-175] numbers lines as an editor does, read $name', async ({ cut }) => {
  const text = 'one\n\n  \ttwo\r\n \t\r\nthree'
  const chunks = Array.from({ length: Math.ceil(text.length / cut) }, (_, at) => text.slice(at * cut, (at + 1) * cut))
  const lines = await split(chunks)
  expect(shown(lines)).toEqual([
    [1, 0, 'one'],
    [3, 5, '  \ttwo\r'],
    [5, 17, 'three'],
  ])
  for (const { firstByte, bytes } of lines) {
    expect(text.slice(firstByte, firstByte + bytes.length)).toBe(bytes.toString('utf8'))
  }
})

it('[NEXT-175] keeps one byte more than allowed of a line that is too long', async () => {
  const lines = await split(['aaaa', 'aaaa', 'aa\nbb\n', 'cccc'], 3)
  expect(shown(lines)).toEqual([
    [1, 0, 'aaaa'],
    [2, 11, 'bb'],
    [3, 14, 'cccc'],
  ])
})

it('[NEXT-176] finds no line in an empty file', async () => {
  expect(await split([])).toEqual([])
  expect(await split(['\n', ' \n'])).toEqual([])
})
