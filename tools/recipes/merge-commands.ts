const test = 'npm test -- '
const isCheck = (command: string): boolean => command === 'npm run check'

/**
 * The commands of several recipes as one run: each command once, the check after everything that writes files, and all
 * tests in one run at the end.
 */
export function mergeCommands(commands: readonly string[]): string[] {
  const once = [...new Set(commands)]
  const tests = once
    .filter((command) => command.startsWith(test))
    .flatMap((command) => command.slice(test.length).split(' '))
  return [
    ...once.filter((command) => !command.startsWith(test) && !isCheck(command)),
    ...once.filter(isCheck),
    ...(tests.length === 0 ? [] : [`${test}${[...new Set(tests)].join(' ')}`]),
  ]
}
