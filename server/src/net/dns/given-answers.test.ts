import { expect, it } from 'vitest'
import { givenAnswers } from './given-answers.ts'

const askDns = async () => ({ addresses: ['192.0.2.1'], ttlMs: 5 })

it('asks DNS where no answers are given', () => {
  expect(givenAnswers(null, askDns)).toBe(askDns)
})

it('gives answers that are not kept', async () => {
  const ask = givenAnswers(async (host) => [`address of ${host}`], askDns)
  expect(await ask('a.example')).toEqual({ addresses: ['address of a.example'], ttlMs: 0 })
})
