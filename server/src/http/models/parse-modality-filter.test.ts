import { expect, test } from 'vitest'
import { type ModalityFilter, parseModalityFilter } from './parse-modality-filter.ts'

test.each<[string | undefined, ModalityFilter]>([
  [undefined, ['text']],
  ['', ['text']],
  ['speech', ['speech']],
  ['video, IMAGE', ['image', 'video']],
  ['text,all', 'all'],
  ['smell', []],
])('the filter %s reads as %s', (text, filter) => {
  expect(parseModalityFilter(text)).toEqual(filter)
})
