import { expect, it } from 'vitest'
import { patternOf, promisedOutput } from './run-examples.ts'

it('takes what a program prints from the comment at its end', () => {
  expect(promisedOutput('await x()\n\n// Prints:\n// one\n// $0.1 …\n')).toBe('one\n$0.1 …\n')
  expect(promisedOutput('// Prints:\n// one\nawait x()\n')).toBeNull()
  expect(promisedOutput('await x()\n')).toBeNull()
})

it('takes every character as it is, but for the one that stands for any text', () => {
  const pattern = patternOf('cost: $0.1 (…)\n')
  expect(pattern.test('cost: $0.1 (gen-1)\n')).toBe(true)
  expect(pattern.test('cost: $0x1 (gen-1)\n')).toBe(false)
  expect(pattern.test('cost: $0.1 ()\n')).toBe(false)
  expect(pattern.test('cost: $0.1 (gen-1)\nand more\n')).toBe(false)
  expect(patternOf('a\n…\nb\n').test('a\nx\ny\nb\n')).toBe(true)
  expect(patternOf('a\n…\n').test('a\n')).toBe(true)
})
