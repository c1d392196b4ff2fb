// Loaded with `--import` before anything else: each SIGUSR2 moves the clock of the process to the next shift, and from
// the last to the first. The process starts without a shift.
const shiftsMs = (process.env['WEIR_TEST_CLOCK_SHIFTS_MS'] ?? '0').split(',').map(Number)
const trueNow = Date.now
let turn = -1
let shiftMs = 0

Date.now = () => trueNow() + shiftMs

process.on('SIGUSR2', () => {
  turn += 1
  shiftMs = shiftsMs[turn % shiftsMs.length] ?? 0
  process.stdout.write(`the clock jumped to ${new Date(Date.now()).toISOString()}\n`)
})
