import type { Sessions } from './sessions.ts'

/** How people prove who they are: everything under `/api/auth`, and the sessions that come of it. */
export interface SignIn {
  readonly sessions: Sessions
  /** Answers one request. `clientIp` is ours: nothing the request says about its sender is believed. */
  handle(request: SignInRequest): Promise<SignInAnswer>
}

export interface SignInAnswer {
  readonly response: Response
  /** The address of the account that the browser has proven to own: it got a session, or chose a password through a mail. */
  readonly provenEmail: string | null
}

export interface SignInRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Headers
  readonly body: Buffer | null
  readonly clientIp: string | null
}
