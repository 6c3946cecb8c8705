import {
  anyText,
  databaseAddress,
  duration,
  factor,
  moment,
  namedAddresses,
  oneOf,
  proxies,
  timeZone,
  webAddress,
  webOrigins,
  wholeNumber,
  yesOrNo,
} from './kinds'
import type { Kind } from './kinds'

/** One environment variable. */
export interface Setting<Value> {
  variable: string
  kind: Kind<Value>
  /** Text that is read when the variable is absent or empty; without it the value is undefined. */
  default?: string
  /** What it is for, as a sentence for operators. */
  meaning: string
  /** Never shown, logged or repeated in messages. */
  secret?: boolean
}

type Required<Value> = Setting<Value> & { default: string }

export function setting<Value>(variable: string, kind: Kind<Value>, fallback: string, meaning: string): Required<Value> {
  return { variable, kind, default: fallback, meaning }
}

export function optional<Value>(variable: string, kind: Kind<Value>, meaning: string): Setting<Value> {
  return { variable, kind, meaning }
}

export function secret(variable: string, meaning: string): Setting<string> {
  return { variable, kind: anyText, meaning, secret: true }
}

/** Everything that an operator can set, in the order of the documentation. */
export const SETTINGS = {
  port: setting('PORT', wholeNumber(0, 65535), '4600', 'Port of portal and gateway; 0 takes any free one.'),
  host: setting(
    'HOST',
    anyText,
    '127.0.0.1',
    'Address to listen on. `0.0.0.0` (in a container, for other machines) opens it to the network; `PUBLIC_URL` then names the address that they use.',
  ),
  dataDir: setting('DATA_DIR', anyText, './data', 'Folder of the embedded database and of uploaded files.'),
  databaseUrl: optional(
    'DATABASE_URL',
    databaseAddress,
    'A PostgreSQL server (15 or newer) instead of the embedded one. Several gateways may share it.',
  ),
  databaseEngine: optional(
    'DATABASE_ENGINE',
    oneOf(['embedded', 'pglite']),
    'Forces one embedded engine. Without it PostgreSQL is used where the platform has a binary, else PGlite.',
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    wholeNumber(1, 100),
    '10',
    'Connections to the database that one gateway holds at most.',
  ),
  schemasDir: setting(
    'SCHEMAS_DIR',
    anyText,
    './schemas',
    'Folder of the schemas. They are read at the start: a change needs a restart, no build.',
  ),
  environmentName: setting(
    'ENVIRONMENT_NAME',
    oneOf(['test', 'production', 'pre-production']),
    'test',
    'Name of this environment; prefixes the cookies in upper case.',
  ),
  gatewayBaseUrl: optional(
    'GATEWAY_BASE_URL',
    webAddress,
    'Address under which browsers reach the gateway, when it is not the origin of the page.',
  ),
  publicUrls: setting(
    'PUBLIC_URL',
    webOrigins,
    'none',
    'Addresses under which people reach portal and gateway. The first is the one that the gateway names; https in it turns strict transport security on. Requests for any other host are refused, loopback names excepted; without one there are only those.',
  ),
  corsOrigins: setting('CORS_ORIGINS', webOrigins, 'none', 'Other origins whose pages may call the gateway and sign in here.'),
  streamingHost: optional('STREAMING_HOST', webAddress, 'Address of the event streams, when it is not the gateway.'),
  h5Url: optional(
    'H5_URL',
    webAddress,
    'Address of the mobile site that phones are sent to; `?platform=PC` in an address of the portal leads back for a year.',
  ),
  externalImfsUrl: optional(
    'EXTERNAL_IMFS_URL',
    webAddress,
    'Address of the external module IMFS; a role that has its menu resource sees it.',
  ),
  externalMonitorUrl: optional(
    'EXTERNAL_MONITOR_URL',
    webAddress,
    'Address of the external module MONITOR; a role that has its menu resource sees it.',
  ),
  externalNwpUrl: optional(
    'EXTERNAL_NWP_URL',
    webAddress,
    'Address of the external module NWP; a role that has its menu resource sees it.',
  ),
  externalBiboardUrl: optional(
    'EXTERNAL_BIBOARD_URL',
    webAddress,
    'Address of the external module BIBOARD; a role that has its menu resource sees it.',
  ),
  microApps: setting('MICRO_APPS', namedAddresses, '{}', 'Entry addresses of embedded sub-applications by name.'),
  oauthAuthorizeUrl: optional(
    'OAUTH_AUTHORIZE_URL',
    webAddress,
    'Sign-in page of the corporate platform. With the next four it replaces the embedded identity page.',
  ),
  oauthTokenUrl: optional('OAUTH_TOKEN_URL', webAddress, 'Where the corporate platform exchanges a code for a token.'),
  oauthUserinfoUrl: optional('OAUTH_USERINFO_URL', webAddress, 'Where the corporate platform says who signed in.'),
  oauthClientId: optional('OAUTH_CLIENT_ID', anyText, 'Client id that the corporate platform gave this portal.'),
  oauthClientSecret: secret('OAUTH_CLIENT_SECRET', 'Client secret that the corporate platform gave this portal.'),
  oauthScope: setting('OAUTH_SCOPE', anyText, 'openid', 'Scope that is asked of the corporate platform.'),
  s3Endpoint: optional(
    'S3_ENDPOINT',
    webAddress,
    'S3-compatible storage for files, instead of the data folder. Needs the next four.',
  ),
  s3Bucket: optional('S3_BUCKET', anyText, 'Bucket of the files.'),
  s3Region: optional('S3_REGION', anyText, 'Region of the bucket.'),
  s3Key: optional('S3_KEY', anyText, 'Access key id.'),
  s3Secret: secret('S3_SECRET', 'Secret access key.'),
  uploadMaxBytes: setting(
    'UPLOAD_MAX_BYTES',
    wholeNumber(1024, 10_737_418_240),
    '104857600',
    'Largest file that may be uploaded, in bytes.',
  ),
  sessionTokenSeconds: setting('SESSION_TOKEN_SECONDS', wholeNumber(30, 86_400), '7200', 'Life of an access token, in seconds.'),
  refreshTokenDays: setting('REFRESH_TOKEN_DAYS', wholeNumber(1, 365), '7', 'Days without use after which a session ends.'),
  usageDays: setting(
    'USAGE_DAYS',
    wholeNumber(0, 3650),
    '90',
    'Days for which the database keeps who opened which page (job number, name, path, time); 0 keeps nothing.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'What the log holds.',
  ),
  metricsToken: secret('METRICS_TOKEN', 'Bearer token for /metrics. Without it and the next there are no metrics.'),
  metricsLoopback: setting(
    'METRICS_LOOPBACK',
    yesOrNo,
    'false',
    'Lets programs on this machine read /metrics without a token. Not behind a proxy on the same machine that adds no `X-Forwarded-For`.',
  ),
  trustProxy: setting('TRUST_PROXY', proxies, 'false', 'Whose `X-Forwarded-*` headers are believed.'),
  demoSignIn: optional(
    'DEMO_SIGN_IN',
    yesOrNo,
    'Offers the demo staff on the embedded identity page. Default: only in the environment `test`.',
  ),
  demoNow: optional('DEMO_NOW', moment, 'Day that the demo world is made for; default the day of the first start.'),
  demoScale: setting('DEMO_SCALE', factor(0.1, 1000), '1', 'Size of the demo world: 2 has about twice the customers.'),
  noticePrivateNetworks: setting(
    'NOTICE_PRIVATE_NETWORKS',
    yesOrNo,
    'false',
    'Lets webhooks of chat notices lead to this machine and into private networks, e.g. to a chat server of the company.',
  ),
  jobs: setting('JOBS', yesOrNo, 'true', 'Runs the scheduled jobs in this gateway.'),
  clockShift: setting(
    'CLOCK_SHIFT',
    duration,
    '0',
    'Moves the clock of the gateway to try out what happens later. Refused in the environment `production`.',
  ),
  companyTimeZone: setting('COMPANY_TIME_ZONE', timeZone, 'Asia/Shanghai', 'Zone in which days begin and end.'),
} as const

/** Settings by the names that code calls their values by: those of the platform, or of a module. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>

type ValueOf<Entry> = Entry extends Required<infer Value> ? Value : Entry extends Setting<infer Value> ? Value | undefined : never

/** The values of a table of settings as code uses them. */
export type ValuesOf<Settings> = { readonly [Name in keyof Settings]: ValueOf<Settings[Name]> }

export type SettingName = keyof typeof SETTINGS
