import { expect, it } from 'vitest'
import { openCount, statesInWords } from './queue-words.ts'

it('names the states of a queue, and counts what workers still have to do', () => {
  const queue = {
    states: [
      { state: 'given_up', count: 3 },
      { state: 'retrying', count: 1_200 },
      { state: 'waiting', count: 1 },
    ],
  }
  expect([statesInWords(queue), openCount(queue)]).toEqual(['3 given up, 1,200 retrying, 1 waiting', 1_201])
  expect([statesInWords({ states: [] }), openCount({ states: [] })]).toEqual(['None', 0])
})
