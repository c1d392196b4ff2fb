import { describe, expect, test } from 'vitest'
import { type Decision, findNewWords, findUnusedDecisions } from './find-drift.ts'
import { readMembers, readTypes, readUnion } from './read-declarations.ts'

const text = `
export type Model = 'one' | 'two-2026' | (string & {});
export interface Usage {
    /** Not { this }. */
    input: number;
    details?: Usage.Details | null;
}
export declare namespace Usage {
    interface Details {
        cached: number;
    }
}
export interface TextEvent {
    delta: string;
    type: 'text.delta';
}
`

test('unions, members and types are read from declarations', () => {
  expect(readUnion(text, 'Model')).toEqual(['one', 'two-2026'])
  expect(readMembers(text, 'Usage')).toEqual(['input', 'details.cached'])
  expect(readTypes(text, 'Event')).toEqual(['text.delta'])
  expect(() => readUnion(text, 'Gone')).toThrow('there is no type Gone')
  expect(() => readMembers(text, 'Gone')).toThrow('there is no interface Gone')
})

describe('V5: a word of an SDK', () => {
  const topics = [{ name: 'models', words: ['one', 'two', 'three'], isKnown: (word: string) => word === 'one' }]
  const decision: Decision = { topic: 'models', words: /^t/, reason: 'none' }
  test.each<[string, Decision[], string[]]>([
    ['is new where no table and no decision has it', [{ ...decision, words: /^two$/ }], ['three']],
    ['is not new where a decision fits', [decision], []],
    ['is not decided by another topic', [{ ...decision, topic: 'usage' }], ['two', 'three', 'usage']],
    [
      'may be decided before the pinned versions name it',
      [decision, { ...decision, words: /^four$/, isAhead: true }],
      [],
    ],
    ['is no longer ahead once they do', [{ ...decision, isAhead: true }], ['no longer ahead']],
    ['leaves a decision over where a table has it', [decision, { ...decision, words: /^one$/ }], ['one']],
  ])('%s', (_, decisions, found) => {
    const lines = [...findNewWords(topics, decisions), ...findUnusedDecisions(topics, decisions)]
    expect(lines.length).toBe(found.length)
    found.forEach((word, at) => expect(lines[at]).toContain(word))
  })
})
