// Loaded with `--import` before anything else. The clock starts at a given time and runs a thousand times slower.
const startMs = Number(process.env['WEIR_TEST_CLOCK_START_MS'] ?? 0)
const trueNow = Date.now
const beganAtMs = trueNow()

Date.now = () => startMs + Math.floor((trueNow() - beganAtMs) / 1_000)
