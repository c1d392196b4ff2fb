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
  ['a label of a result', 'console/src/pages/a.tsx', '<th>What came of it</th>'],
  ['the spelling of the console', 'console/src/pages/a.tsx', '<p>The catalogue is empty.</p>'],
  ['a label of a refund', 'console/src/pages/a.tsx', "header: 'Went back',"],
  ['a label of billing details', 'console/src/pages/a.tsx', "title: 'Who they are for'"],
  ['a vendor', 'server/src/providers/vendors/a/index.ts', '/** Hosts that nobody knows. */'],
])('finds words without an actor in %s', (_, path, text) => {
  expect(messages(path, text)).toHaveLength(1)
})

it.each([
  ['caller', 'The caller sees the cost.'],
  ['fold', 'The fold adds them up.'],
  ['folded', 'Requests are folded once.'],
  ['unfolded', 'Those that are unfolded wait.'],
  ['lanes', 'Settles go through lanes.'],
  ['isolated', 'A provider that is isolated.'],
  ['door', 'Refused at the door.'],
  ['settled mark', 'The settled mark of a row.'],
])('finds %j in documents, comments and texts', (word, sentence) => {
  for (const [path, text] of [
    ['docs/operating.md', sentence],
    ['server/src/store/a.ts', `  // ${sentence}`],
    ['server/src/store/a.ts', `/** ${sentence} */`],
    ['server/src/store/a.ts', `const a = 1 // ${sentence}`],
    ['console/src/pages/a.tsx', `<p>${sentence}</p>`],
    ['server/sql/migrations/0099_a.sql', `-- ${sentence.replace('caller', 'door')}`],
  ] as const) {
    const expected = path.startsWith('server/sql') ? word.replace('caller', 'door') : word
    expect(messages(path, text), text).toEqual([expect.stringContaining(`"${expected}"`)])
  }
})

it.each([
  ['caller', 'arrival.caller'],
  ['Caller', 'createCaller()'],
  ['Lanes', 'interface MoneyLanes {'],
  ['fold', 'usage.foldMs'],
  ['folded', 'SELECT folded_below'],
  ['Isolated', "import { askIsolated } from '../ask.ts'"],
  ['Door', 'InstitutionDoor'],
  ['mark offset', 'SET mark_offset = 1'],
  ['settle mark', 'SELECT settle_mark()'],
  ['payment marks', 'FROM payment_marks'],
])('finds %j in names', (word, code) => {
  expect(messages('server/src/store/a.ts', code)).toEqual([expect.stringContaining(`"${word}"`)])
})

it('finds such a word in the name of a file', () => {
  expect(messages('server/src/store/money-lanes.ts', '')).toEqual([expect.stringContaining('"lanes"')])
})

it('says what to write instead', () => {
  expect(messages('README.md', 'It can not.')).toEqual(['"can not": write "cannot"'])
})

it.each([
  ['a value of the code', 'server/src/domain/a.ts', "within: 'nobody'"],
  ['a line with a reason', 'server/src/domain/a.ts', '// allowed: words of an attack\nconst pattern = /somebody/'],
  ['a command in the console', 'console/src/pages/a.tsx', '<code>weir catalogue sync</code>'],
  ['a test', 'server/src/lib/a.test.ts', '// whoever'],
  ['the target of a link', 'docs/operating.md', '[the connection](../server/src/http/http-connection.ts)'],
  ['a block of code', 'docs/operating.md', '```sh\nfold --lanes\n```'],
  ['the folding of text', 'server/src/domain/filters/a.ts', '// The folded form.'],
  ['a longer word', 'docs/operating.md', 'A folder and its callerless, outdoor files.'],
  ['a mark of another kind', 'server/src/net/a.ts', 'const byteOrderMark = markOf(text)'],
  ['functions that are called', 'server/src/store/postgres/schema/a.ts', 'const visit = (caller: string): void => {}'],
  ['the migration that renames', 'server/sql/migrations/0022_rollup_names.sql', 'RENAME COLUMN folded_below'],
])('leaves %s alone', (_, path, text) => {
  expect(messages(path, text)).toEqual([])
})
