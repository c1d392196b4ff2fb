import { expect, it } from 'vitest'
import { parseTestArguments } from './parse-test-arguments.ts'

it('takes its own options and leaves the rest to vitest', () => {
  expect(parseTestArguments(['--stress', 'providers', '--changed', 'HEAD~1', '--near', '-t', 'name'])).toEqual({
    isChanged: true,
    reference: 'HEAD~1',
    isNear: true,
    isStress: true,
    vitest: ['providers', '-t', 'name'],
  })
  expect(parseTestArguments([])).toMatchObject({ isChanged: false, isNear: false, isStress: false, vitest: [] })
})

it('asks what is to be near', () => {
  expect(() => parseTestArguments(['--near'])).toThrow('--near goes with --changed')
})
