// Loaded with `--import` before anything else: the whole process believes in another time.
export const shiftMs = Number(process.env['WEIR_TEST_CLOCK_SHIFT_MS'] ?? 0)
const trueNow = Date.now

Date.now = () => trueNow() + shiftMs
