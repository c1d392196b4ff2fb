import { stringAt } from '#lib/json.ts'
import { startCompanion } from './start-companion.ts'

/** The same port at every start, unless another program has it. */
const port = 8486

/** Starts a mail server that shows its mails on a page. Returns the page and the settings to use the server. */
export async function startInbox(
  program: string,
): Promise<{ readonly pageUrl: string; readonly settings: Record<string, string> }> {
  const said = await startCompanion('inbox', [program, '--port', String(port)])
  const settings = { WEIR_MAIL_URL: stringAt(said, 'mailUrl') ?? '', WEIR_MAIL_FROM: 'Weir <weir@example.com>' }
  return { pageUrl: stringAt(said, 'pageUrl') ?? '', settings }
}
