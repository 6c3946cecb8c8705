import type { Database } from '../database'
import type { ContextUser, FieldRule, OwnAddresses, Scope, Text } from '../http'

/** What a person may do now; made from the roles by gateway/staff. */
export interface StaffRights {
  readonly user: ContextUser
  readonly permissions: ReadonlySet<string>
  readonly scopes: Readonly<Record<string, readonly Scope[]>>
  readonly fieldRules: Readonly<Record<string, FieldRule>>
}

/** A person who wants to sign in. */
export interface SignInStaff {
  readonly staffId: string
  readonly name: string
  readonly nameEn: string | null
  readonly jobNumber: string
  readonly email: string | null
  /** False for people who left or whose sign-in is disabled. */
  readonly mayEnter: boolean
}

/** One person on the page that chooses a demo member of staff. */
export interface DemoStaff {
  readonly staffId: string
  readonly name: string
  readonly nameEn: string | null
  readonly jobNumber: string
  readonly department: Text
  readonly position: Text | null
}

/** What the session capability needs to know about staff; gateway/staff implements it. */
export interface StaffDirectory {
  /** Null for unknown people and those who may not enter (left, disabled). May be cached by the directory. */
  rightsOf(staffId: string, now: Date): Promise<StaffRights | null>
  byId(staffId: string): Promise<SignInStaff | null>
  /** By e-mail address or job number, upper and lower case alike. */
  byName(name: string): Promise<SignInStaff | null>
  /** Links a person of the corporate platform: by corporate id, else by e-mail, else by job number; remembers the id. */
  byCorporateIdentity(identity: CorporateIdentity): Promise<SignInStaff | null>
  /** All who may enter, by department. */
  listForDemo(): Promise<readonly DemoStaff[]>
  /** Told after each sign-in. */
  signedIn(staffId: string, at: Date): Promise<void>
}

export interface CorporateIdentity {
  readonly openId: string
  readonly email: string | null
  readonly jobNumber: string | null
}

/** A corporate messaging platform that signs people in (R003). All addresses are absolute. */
export interface CorporatePlatform {
  authorizeUrl: string
  tokenUrl: string
  userInfoUrl: string
  clientId: string
  clientSecret: string
  scope: string
  /** Names of the properties in the platform's userinfo answer; the first that is there counts. */
  fields: { openId: readonly string[]; email: readonly string[]; jobNumber: readonly string[] }
}

export interface SessionOptions {
  database: Database
  directory: StaffDirectory
  /** Client id of the portal at our own authorization endpoint. */
  clientId: string
  /** When set, token calls that send a client_secret have to send this one. */
  clientSecret?: string
  /** Prefixes the portal's cookies in upper case (R177). */
  environment: string
  /** Where browsers reach us. */
  addresses: OwnAddresses
  /** Origins of portals elsewhere whose /authorize may receive a code too. */
  portalOrigins: readonly string[]
  /** Null = the embedded identity page. */
  corporate: CorporatePlatform | null
  /** Offers the list of demo staff on the identity page. */
  demoSignIn: boolean
  /** Seconds; default 2 hours. */
  accessTokenSeconds?: number
  /** Seconds without a refresh after which a session ends; default 7 days. */
  refreshTokenSeconds?: number
  /** Seconds after which a session ends in any case; default 30 days. */
  sessionSeconds?: number
  /** The clock; tests turn it. */
  now?: () => Date
}

/** Seconds in which a refresh token that was just used may be used again by another tab of the same family. */
export const REFRESH_GRACE_SECONDS = 10
/** Seconds in which a code has to be exchanged. */
export const CODE_SECONDS = 60
