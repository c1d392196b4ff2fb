import { expect, it } from 'vitest'
import { judgeLanguage } from './judge-language.ts'

const messages = (path: string, text: string) => judgeLanguage([{ path, text }]).map(({ message }) => message)

it.each([
  ['a comment', 'server/src/lib/a.ts', '// Whoever left finds nothing to stop.'],
  ['an error', 'server/src/domain/a.ts', "throw new Error('Nobody has an account as that.')"],
  ['a document', 'docs/api.md', 'The image can not be kept.'],
  ['a recipe', 'docs/recipes/a.md', 'Somebody must say who may call it.'],
  ['a document at the root', 'README.md', 'The number of a claim.'],
  ['a command', 'server/src/bin/commands/a.ts', "summary: 'Whoever is there already stays.'"],
  ['a refusal', 'server/src/control/a.ts', 'message: `It can not be ${verb}.`'],
  ['a comment of a stage', 'server/src/pipeline/a.ts', '/** Runs where nobody answers. */'],
  ['a statement', 'server/src/store/a.sql.ts', '  // Somebody else has the row.'],
  ['a vendor', 'server/src/providers/vendors/a/index.ts', '/** Hosts that nobody knows. */'],
])('finds words without an actor in %s', (_, path, text) => {
  expect(messages(path, text)).toHaveLength(1)
})

it.each([
  ['caller', 'The caller sees the cost.'],
  ['fold', 'The fold adds them up.'],
  ['folded', 'Requests are folded once.'],
  ['lanes', 'Settles go through lanes.'],
  ['isolated', 'A provider that is isolated.'],
  ['door', 'Refused at the door.'],
])('finds %j in the prose of documents and comments', (word, sentence) => {
  for (const [path, text] of [
    ['docs/operating.md', sentence],
    ['server/src/store/a.ts', `  // ${sentence}`],
    ['server/src/store/a.ts', `/** ${sentence} */`],
    ['server/src/store/a.ts', `const a = 1 // ${sentence}`],
  ] as const) {
    expect(messages(path, text), text).toEqual([expect.stringContaining(`"${word}"`)])
  }
})

it('says what to write instead', () => {
  expect(messages('README.md', 'It can not.')).toEqual(['"can not": write "cannot"'])
})

it.each([
  ['a value of the code', 'server/src/domain/a.ts', "within: 'nobody'"],
  ['a line with a reason', 'server/src/domain/a.ts', '// allowed: words of an attack\nconst pattern = /somebody/'],
  ['a test', 'server/src/lib/a.test.ts', '// whoever'],
  ['a name of the code', 'server/src/store/a.ts', 'const caller = lane.fold(isolated)'],
  ['the target of a link', 'docs/operating.md', '[the connection](../server/src/http/http-connection.ts)'],
  ['a code span', 'docs/operating.md', 'The header names the `caller`.'],
  ['a block of code', 'docs/operating.md', '```sh\nfold --lanes\n```'],
  ['a word in a cell', 'docs/errors.md', '| 400 | `400` | caller |  | `malformedRequest` |'],
  ['the folding of text', 'server/src/domain/filters/a.ts', '// The folded form.'],
  ['a longer word', 'docs/operating.md', 'A folder and its callerless, outdoor files.'],
])('leaves %s alone', (_, path, text) => {
  expect(messages(path, text)).toEqual([])
})
