// Loaded with `--import` before anything else: time passes a thousand times slower, from a given moment on.
const startMs = Number(process.env['WEIR_TEST_CLOCK_START_MS'] ?? 0)
const trueNow = Date.now
const beganAtMs = trueNow()

Date.now = () => startMs + Math.floor((trueNow() - beganAtMs) / 1_000)
