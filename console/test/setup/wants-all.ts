/** Whether `npm run console -- --all` asked for everything: both themes, and a picture of every page. */
export const wantsAll = process.env['WEIR_TEST_CONSOLE_ALL'] === 'true'
