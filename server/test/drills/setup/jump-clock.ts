// Loaded with `--import` before anything else: the clock of the process starts just before the end of a month and runs
// a thousand times slower. SIGUSR2 moves it past the month's end, and the next time to the end of the then current
// month.
const trueNow = Date.now
let standsAtMs = Number(process.env['WEIR_TEST_CLOCK_START_MS'] ?? 0)
let sinceMs = trueNow()
let isBefore = true

const firstOfNextMonth = (moment: Date): number => Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1)

Date.now = () => standsAtMs + Math.floor((trueNow() - sinceMs) / 1_000)

process.on('SIGUSR2', () => {
  const edgeMs = firstOfNextMonth(new Date(standsAtMs))
  standsAtMs = isBefore ? edgeMs : edgeMs - 1_000
  sinceMs = trueNow()
  isBefore = !isBefore
  process.stdout.write(`the clock jumped to ${new Date(standsAtMs).toISOString()}\n`)
})
