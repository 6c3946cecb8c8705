import { join } from 'node:path'
import type { Configuration } from './platform/configuration'
import type { FileStoreOptions } from './platform/files'
import { ownAddresses } from './platform/http'
import type { AddressOptions, OwnAddresses, PortalConfiguration, ServerOptions } from './platform/http'
import type { SessionOptions } from './platform/session'

/** Client id of the portal at our own authorization endpoint. */
const CLIENT_ID = 'switchboard'

/** What the portal reads from its page. */
export function portalConfiguration(configuration: Configuration): PortalConfiguration {
  return {
    environment: configuration.environmentName,
    gatewayBaseUrl: configuration.gatewayBaseUrl ?? '',
    streamingHost: configuration.streamingHost ?? '',
    h5Url: configuration.h5Url ?? '',
    externalModules: {
      IMFS: configuration.externalImfsUrl ?? '',
      MONITOR: configuration.externalMonitorUrl ?? '',
      NWP: configuration.externalNwpUrl ?? '',
      BIBOARD: configuration.externalBiboardUrl ?? '',
    },
    microApps: configuration.microApps,
    oauth: { authorizeUrl: `${configuration.gatewayBaseUrl ?? ''}/auth/oauth/authorize`, clientId: CLIENT_ID },
    companyTimeZone: configuration.companyTimeZone,
  }
}

/** Which other origins the portal's page may frame and call, and who may call us. */
export function securityOf(
  configuration: Configuration,
): Pick<ServerOptions, 'corsOrigins' | 'frameOrigins' | 'connectOrigins' | 'https'> {
  return {
    corsOrigins: configuration.corsOrigins,
    frameOrigins: originsOf(Object.values(configuration.microApps)),
    connectOrigins: originsOf([configuration.gatewayBaseUrl, configuration.streamingHost]),
    https: configuration.publicUrls[0]?.startsWith('https:') === true,
  }
}

/** Where browsers reach the gateway; `listening` tells the port that was taken. */
export function addressesOf(configuration: Configuration, listening: AddressOptions['listening']): OwnAddresses {
  const { publicUrls, gatewayBaseUrl, streamingHost, host, port } = configuration
  return ownAddresses({ publicOrigins: publicUrls, alsoHere: originsOf([gatewayBaseUrl, streamingHost]), host, port, listening })
}

/** Sign-in: embedded, or the corporate platform when it is configured. */
export function sessionOptionsOf(
  configuration: Configuration,
): Omit<SessionOptions, 'database' | 'directory' | 'addresses' | 'now'> {
  const { oauthAuthorizeUrl, oauthTokenUrl, oauthUserinfoUrl, oauthClientId, oauthClientSecret, oauthScope } = configuration
  const complete = oauthAuthorizeUrl && oauthTokenUrl && oauthUserinfoUrl && oauthClientId && oauthClientSecret
  return {
    clientId: CLIENT_ID,
    environment: configuration.environmentName,
    portalOrigins: configuration.corsOrigins,
    corporate: complete
      ? {
          authorizeUrl: oauthAuthorizeUrl,
          tokenUrl: oauthTokenUrl,
          userInfoUrl: oauthUserinfoUrl,
          clientId: oauthClientId,
          clientSecret: oauthClientSecret,
          scope: oauthScope,
          fields: {
            openId: ['openId', 'open_id', 'sub'],
            email: ['email'],
            jobNumber: ['jobNumber', 'job_number', 'employee_number'],
          },
        }
      : null,
    demoSignIn: configuration.demoSignIn,
    accessTokenSeconds: configuration.sessionTokenSeconds,
    refreshTokenSeconds: configuration.refreshTokenDays * 86_400,
  }
}

/** Where files lie: the data folder, or an S3-compatible bucket. */
export function storageOf(configuration: Configuration): FileStoreOptions {
  const { s3Endpoint, s3Bucket, s3Region, s3Key, s3Secret } = configuration
  if (s3Endpoint && s3Bucket && s3Region && s3Key && s3Secret) {
    return { kind: 's3', endpoint: s3Endpoint, bucket: s3Bucket, region: s3Region, accessKeyId: s3Key, secretAccessKey: s3Secret }
  }
  return { kind: 'folder', folder: join(configuration.dataDir, 'files') }
}

function originsOf(addresses: readonly (string | undefined)[]): string[] {
  const absolute = addresses.filter((address) => address !== undefined && URL.canParse(address)) as string[]
  return [...new Set(absolute.map((address) => new URL(address).origin))]
}
