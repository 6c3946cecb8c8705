import pino from 'pino'
import type { DestinationStream, Logger } from 'pino'

/** Values that must never reach a log, whatever text they stand in: tokens, passwords, query parameters with secrets. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [hidden]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[hidden]'],
  [
    /\b(access_token|refresh_token|refreshtoken|token|client_secret|code_verifier|authcode|code|password|ticket|state|request)=[^&\s"']+/gi,
    '$1=[hidden]',
  ],
  [/"(access_?token|refresh_?token|token|client_?secret|code_?verifier|password|ticket)"\s*:\s*"[^"]*"/gi, '"$1":"[hidden]"'],
  [/(\/\/[^:/\s]+:)[^@/\s]+@/g, '$1[hidden]@'],
]

/** A text without secrets: for log messages that come from elsewhere (libraries, the database, other servers). */
export function withoutSecrets(text: string): string {
  // The query builder appends all parameters of a failed statement to its message; they are people's data.
  const parameters = text.search(/\nparams: /)
  let clean = parameters < 0 ? text : text.slice(0, parameters)
  for (const [pattern, replacement] of secrets) clean = clean.replace(pattern, replacement)
  return clean
}

/** An error for the log: name, message, code and stack of the error and its causes, without secrets or parameters. */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) }
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  const code = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    message: withoutSecrets(error.message),
    ...(code === undefined ? {} : { code }),
    stack: stack.slice(0, 20).join('\n'),
    ...(error.cause === undefined || depth >= 3 ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}

/**
 * The structured log of the gateway: one JSON object a line.
 * Requests are logged by their path without the query string, because the specification puts secrets in GETs.
 */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: undefined,
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      serializers: {
        // Of a request only its way, of an answer only its status: address and headers carry secrets.
        req: ({ method, url = '' }: { method?: string; url?: string }) => ({ method, path: url.split('?')[0] }),
        res: ({ statusCode }: { statusCode?: number }) => ({ statusCode }),
        err: describeError,
        error: (value: unknown) => (value instanceof Error ? describeError(value) : value),
      },
      redact: {
        paths: [
          'password',
          'oldPassword',
          'newPassword',
          'token',
          'refreshToken',
          'authorization',
          '*.password',
          '*.token',
          '*.refreshToken',
          '*.authorization',
          '*.cookie',
        ],
        censor: '[hidden]',
      },
      hooks: {
        logMethod(parameters, method) {
          const cleaned = parameters.map((value) => (typeof value === 'string' ? withoutSecrets(value) : value))
          method.apply(this, cleaned as typeof parameters)
        },
      },
    },
    options.destination ?? pino.destination(1),
  )
}
