// Loaded with `--import` before anything else: it shifts the clock of the whole process.
export const shiftMs = Number(process.env['WEIR_TEST_CLOCK_SHIFT_MS'] ?? 0)
const trueNow = Date.now

Date.now = () => trueNow() + shiftMs
