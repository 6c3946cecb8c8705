import { boolean, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

/** One sign-in of one person; all its refresh tokens are one family. */
export const authSession = pgTable(
  'auth_session',
  {
    id: text('id').primaryKey(),
    staffId: text('staff_id').notNull(),
    createdAt: moment('created_at').notNull(),
    refreshedAt: moment('refreshed_at').notNull(),
    /** The family ends at the latest then, however often it was refreshed. */
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    revokeReason: text('revoke_reason'),
    /** password, demo or corporate. */
    way: text('way').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [index('auth_session_staff').on(table.staffId, table.createdAt)],
)

/** Refresh tokens by their hash; a used one is kept so that its reuse is noticed. */
export const authRefreshToken = pgTable(
  'auth_refresh_token',
  {
    hash: text('hash').primaryKey(),
    sessionId: text('session_id').notNull(),
    /** The cookie without which the token is refused. */
    companionHash: text('companion_hash'),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [index('auth_refresh_token_session').on(table.sessionId), index('auth_refresh_token_expires').on(table.expiresAt)],
)

/** Authorization codes by their hash: one use, one minute. */
export const authCode = pgTable('auth_code', {
  hash: text('hash').primaryKey(),
  clientId: text('client_id').notNull(),
  stateHash: text('state_hash').notNull(),
  /** PKCE: the hash of what the code is exchanged with. */
  codeChallenge: text('code_challenge'),
  staffId: text('staff_id').notNull(),
  way: text('way').notNull(),
  expiresAt: moment('expires_at').notNull(),
  usedAt: moment('used_at'),
  /** The session that the code was exchanged for: it ends when the code is used again. */
  sessionId: text('session_id'),
})

/** Passwords (argon2id). A one-time password has to be replaced at the first sign-in. */
export const authCredential = pgTable('auth_credential', {
  staffId: text('staff_id').primaryKey(),
  passwordHash: text('password_hash').notNull(),
  changedAt: moment('changed_at').notNull(),
  oneTime: boolean('one_time').notNull().default(false),
  expiresAt: moment('expires_at'),
})

/** The last passwords that people chose (argon2id), so that none of them comes back. */
const authPastPassword = pgTable(
  'auth_past_password',
  {
    staffId: text('staff_id').notNull(),
    at: moment('at').notNull(),
    passwordHash: text('password_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.at] })],
)

/** Attempts at passwords, and calls, by subject (see throttle.ts), counted over all instances. */
export const authFailure = pgTable('auth_failure', {
  subject: text('subject').primaryKey(),
  count: integer('count').notNull(),
  windowEndsAt: moment('window_ends_at').notNull(),
  /** No further one until then. */
  heldUntil: moment('held_until'),
})

/** Verification codes that were shown and not yet typed. */
export const authVerification = pgTable('auth_verification', {
  id: text('id').primaryKey(),
  answerHash: text('answer_hash').notNull(),
  expiresAt: moment('expires_at').notNull(),
})

/** A round trip to the corporate platform: what to go back to when it returns. */
export const authRoundTrip = pgTable('auth_round_trip', {
  stateHash: text('state_hash').primaryKey(),
  clientId: text('client_id').notNull(),
  redirectUri: text('redirect_uri').notNull(),
  state: text('state').notNull(),
  codeVerifier: text('code_verifier').notNull(),
  /** PKCE of the portal: goes on with the code that it gets. */
  codeChallenge: text('code_challenge'),
  /** The browser that left: no other one may come back. */
  browserHash: text('browser_hash'),
  expiresAt: moment('expires_at').notNull(),
})

/** Keys that sign tokens; made once, shared by all instances. */
export const authKey = pgTable('auth_key', {
  id: text('id').primaryKey(),
  secret: text('secret').notNull(),
  createdAt: moment('created_at').notNull(),
})

/** Past sign-ins of a person, for "your last sign-in was ..." (R324). */
export const authSignIn = pgTable(
  'auth_sign_in',
  {
    staffId: text('staff_id').notNull(),
    at: moment('at').notNull(),
    ip: text('ip').notNull(),
    way: text('way').notNull(),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.at] })],
)

export const sessionTables = [
  authSession,
  authRefreshToken,
  authCode,
  authCredential,
  authPastPassword,
  authFailure,
  authVerification,
  authRoundTrip,
  authKey,
  authSignIn,
]
