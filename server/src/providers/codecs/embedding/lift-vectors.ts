import { NumbersText } from '#domain/media/float-vectors.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { Exchange } from '../exchange-script.ts'
import { UnusableAnswerError } from '../faults.ts'
import { bodyOf, type ReadFailure } from '../media-request.ts'

interface LiftedAnswer {
  /** Each vector is replaced by its index in `lifted`. */
  readonly answer: JsonObject
  readonly lifted: readonly NumbersText[]
}

/**
 * A response whose vectors stay as text. Parsing 512 vectors of 3,072 numbers and writing them again takes three times
 * as long as scanning them, and no other request is served meanwhile.
 */
export function liftVectors(exchange: Exchange, readFailure: ReadFailure): LiftedAnswer {
  // Latin-1 has one byte per character, so only the text that remains after lifting is decoded.
  const text = bodyOf(exchange, readFailure).toString('latin1')
  const lifted: NumbersText[] = []
  let rest = ''
  let done = 0
  for (let key = text.indexOf(name); key !== -1; key = text.indexOf(name, key + name.length)) {
    opening.lastIndex = key + name.length
    if (key < done || !opening.test(text)) continue
    const start = opening.lastIndex
    const end = text.indexOf(']', start)
    const numbers = end - start > vectorCharactersMax ? '' : text.slice(start, end)
    if (end === -1 || !numbersForm.test(numbers))
      throw new UnusableAnswerError('The upstream returned an invalid vector.')
    rest += text.slice(done, start - 1) + lifted.length
    lifted.push(new NumbersText(`[${numbers}]`))
    done = end + 1
  }
  const answer = parseJsonObject(Buffer.from(rest + text.slice(done), 'latin1').toString('utf8'))
  if (answer === undefined) throw new UnusableAnswerError('The upstream response is not valid JSON.')
  return { answer, lifted }
}

// Thousands of dimensions more than any model has. The pattern below would take too long for a much longer text.
const vectorCharactersMax = 1_048_576
const name = '"embedding"'
// Only an array that directly follows this name. Quotes inside strings are escaped, so no string can look like it.
const opening = /\s*:\s*\[/y
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?`
const numbersForm = new RegExp(String.raw`^\s*${number}(?:\s*,\s*${number})*\s*$`)
