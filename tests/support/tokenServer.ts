import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A provider that gives access tokens for refresh tokens (RFC 6749 section 6) and says whose a token is (RFC 7662). */
export class TokenServer {
  /** What was asked for with, in order. */
  readonly asked: Record<string, string>[] = []
  /** The refresh token that is taken; with each use it becomes another one. */
  refreshToken = 'refresh-0'
  /** Seconds of the tokens that are given. */
  lasts = 3_600
  /** Given tokens; those that are taken out are not taken any more by servers. */
  readonly valid = new Set<string>()
  private readonly server = createServer((request, response) => {
    void this.answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })

  constructor(
    private readonly email: string,
    private readonly clientId: string,
    private readonly clientSecret: string,
  ) {}

  async start(): Promise<string> {
    await new Promise<void>((wake) => this.server.listen(0, '127.0.0.1', () => wake()))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop(): Promise<void> {
    return new Promise((wake) => this.server.close(() => wake()))
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const url = new URL(request.url ?? '/', 'http://here')
    if (url.pathname === '/introspect') {
      const active = this.valid.has(url.searchParams.get('token') ?? '')
      return { status: active ? 200 : 401, body: active ? { active, email: this.email } : { active } }
    }
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    this.asked.push(form)
    if (form.client_id !== this.clientId || form.client_secret !== this.clientSecret)
      return { status: 401, body: { error: 'invalid_client' } }
    if (form.grant_type !== 'refresh_token' || form.refresh_token !== this.refreshToken)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' } }
    const token = `access-${this.asked.length}`
    this.valid.add(token)
    this.refreshToken = `refresh-${this.asked.length}`
    return {
      status: 200,
      body: { access_token: token, token_type: 'Bearer', expires_in: this.lasts, refresh_token: this.refreshToken },
    }
  }
}
