import { expect, it } from 'vitest'
import { onceHere } from './eventually.ts'

it('continues at once with a value that is here', () => {
  expect(onceHere(2, (value) => value + 1)).toBe(3)
})

it('continues later with a value that will be', async () => {
  const result = onceHere(Promise.resolve(2), (value) => value + 1)
  expect(result).toBeInstanceOf(Promise)
  expect(await result).toBe(3)
})
