import { expect, it } from 'vitest'
import { splitCsv } from './split-csv.ts'

it('leaves out lines by their number', () => {
  expect(splitCsv('email\na\nb\nc', 2, new Set([3, 4]))).toEqual(['email\na\n'])
})

it.each([
  ['email\na\nb', 10, ['email\na\nb']],
  ['email\r\na\r\nb\r\nc', 2, ['email\na\nb', 'email\n\n\nc']],
  ['email\na\nb\n', 2, ['email\na\nb']],
  ['email\n"a"\nb', 1, ['email\n"a"', 'email\n\nb']],
  ['email,name\na,"x\ny"\nb,z', 1, ['email,name\na,"x\ny"\nb,z']],
  ['email', 10, []],
])('splits %j into parts of %i', (text, rowsMax, parts) => {
  expect(splitCsv(text, rowsMax)).toEqual(parts)
})
