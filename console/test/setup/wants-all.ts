/** Whether `npm run console -- --all` requested both themes and a screenshot of every page. */
export const wantsAll = process.env['WEIR_TEST_CONSOLE_ALL'] === 'true'
