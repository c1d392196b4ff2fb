import { expect, it } from 'vitest'
import { judgeBuilds } from './judge-builds.ts'

const names = { first: 'A', second: 'B' }
const verdictOf = (costs: readonly (readonly [first: number, again: number, second: number])[]) =>
  judgeBuilds(
    costs.map(([first, again, second]) => ({ first, again, second })),
    names,
  ).at(-1)

it('tells a build that takes less, or more, in every process', () => {
  const less = verdictOf([
    [10, 10, 8],
    [10, 10.2, 8.1],
    [10, 10, 7.9],
  ])
  expect(less).toBe('a request takes 0.800 of the CPU in B (the same build differs from itself by up to 2.0 %)')
  expect(
    verdictOf([
      [10, 10, 12],
      [10, 9.9, 12],
      [10, 10, 12],
    ]),
  ).toMatch(/^a request takes 1.200/)
})

it.each([
  { where: 'one process does not agree', again: 10, seconds: [8, 8, 10.5] },
  { where: 'the null test differs by more', again: 11, seconds: [9.8, 9.8, 9.8] },
  { where: 'the builds are the same', again: 10, seconds: [10, 10, 10] },
])('tells nothing where $where', ({ again, seconds }) => {
  expect(verdictOf(seconds.map((second) => [10, again, second] as const))).toMatch(/^no difference can be told/)
})

it('shows what each process measured', () => {
  expect(judgeBuilds([{ first: 10, again: 10.5, second: 8 }], names)[0]).toBe('process 1: A again 1.050, B 0.800 of A')
})
