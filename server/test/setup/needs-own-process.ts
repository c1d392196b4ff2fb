/**
 * Whether a test, by its text, must not share a process with others: it changes what a whole process has in common (environment,
 * clock, signals, modules), or measures it (memory, time).
 */
export function needsOwnProcess(text: string): boolean {
  return marks.test(text)
}

const marks =
  /process\.(env|on|once)\b|stubEnv|stubGlobal|vi\.mock|useFakeTimers|stopClock|memoryUsage|cpuUsage|performance\.now/
